(** Evaluation of flat layouts, and how evaluation of trees reduces to it. *)
From Cute Require Export Strict.

(** * Arithmetic *)

Lemma quot_div : forall a b, 0 <= a -> 1 <= b -> Z.quot a b = a / b.
Proof. intros. apply Z.quot_div_nonneg; lia. Qed.

Lemma rem_mod : forall a b, 0 <= a -> 1 <= b -> Z.rem a b = a mod b.
Proof. intros. apply Z.rem_mod_nonneg; lia. Qed.

Lemma mod_bound : forall a b, 1 <= b -> 0 <= a mod b < b.
Proof. intros. apply Z.mod_pos_bound. lia. Qed.

Lemma div_nonneg : forall a b, 0 <= a -> 1 <= b -> 0 <= a / b.
Proof. intros. apply Z.div_pos; lia. Qed.

Lemma div_lt : forall a b c, 1 <= b -> a < b * c -> a / b < c.
Proof. intros. apply Z.div_lt_upper_bound; lia. Qed.

(** A number from its digits: c + s * q, with c < s. *)
Lemma digit_mod : forall c s q, 0 <= c < s -> (c + s * q) mod s = c.
Proof. intros. rewrite (Z.mul_comm s), Z.mod_add by lia. apply Z.mod_small. lia. Qed.

Lemma digit_div : forall c s q, 0 <= c < s -> (c + s * q) / s = q.
Proof. intros. rewrite (Z.mul_comm s), Z.div_add by lia. rewrite Z.div_small; lia. Qed.

Lemma mod_mul : forall a b c, 1 <= b -> 1 <= c -> (a mod (b * c)) mod b = a mod b.
Proof. intros. rewrite Z.rem_mul_r by lia. apply digit_mod, mod_bound. lia. Qed.

Lemma div_mul : forall a b c, 1 <= b -> 1 <= c -> (a mod (b * c)) / b = (a / b) mod c.
Proof. intros. rewrite Z.rem_mul_r by lia. apply digit_div, mod_bound. lia. Qed.

(** * Sizes *)

Definition pos (l : list leaf) : Prop := Forall (fun p => 1 <= fst p) l.

Lemma positive_pos : forall l, positive l = true <-> pos l.
Proof.
  unfold positive, pos. intro l. rewrite forallb_forall, Forall_forall.
  split; intros H p I; apply H in I; lia.
Qed.

Lemma pos_app : forall l r, pos (l ++ r) <-> pos l /\ pos r.
Proof. intros. apply Forall_app. Qed.

Lemma pos_cons : forall p l, pos (p :: l) <-> 1 <= fst p /\ pos l.
Proof. intros. apply Forall_cons_iff. Qed.

Lemma prod_app : forall l r, prod (l ++ r) = prod l * prod r.
Proof.
  induction l as [|a l IH]; intro r; [cbn [app]; change (prod []) with 1; lia|].
  change (a * prod (l ++ r) = a * prod l * prod r). rewrite IH. lia.
Qed.

Lemma total_nil : total [] = 1.
Proof. reflexivity. Qed.

Lemma total_cons : forall p l, total (p :: l) = fst p * total l.
Proof. reflexivity. Qed.

Lemma total_app : forall l r, total (l ++ r) = total l * total r.
Proof. intros. unfold total. rewrite map_app. apply prod_app. Qed.

Lemma total_pos : forall l, pos l -> 1 <= total l.
Proof.
  induction l as [|p l IH]; intro H; [rewrite total_nil; lia|].
  apply pos_cons in H. destruct H as [H1 H2]. rewrite total_cons. specialize (IH H2). nia.
Qed.

(** * Flat evaluation *)

(** The value of the flat layout [l] at [i]: the last mode takes the remainder. *)
Fixpoint feval (l : list leaf) (i : Z) : Z :=
  match l with
  | [] => 0
  | [(_, d)] => i * d
  | (s, d) :: r => i mod s * d + feval r (i / s)
  end.

(** The same where every mode is bounded by its extent. *)
Fixpoint beval (l : list leaf) (i : Z) : Z :=
  match l with
  | [] => 0
  | (s, d) :: r => i mod s * d + beval r (i / s)
  end.

Lemma feval_cons : forall s d r i, r <> [] -> feval ((s, d) :: r) i = i mod s * d + feval r (i / s).
Proof. intros s d [|q r] i H; [congruence|reflexivity]. Qed.

Lemma feval_beval : forall l i, pos l -> 0 <= i < total l -> feval l i = beval l i.
Proof.
  induction l as [|[s d] l IH]; intros i P H; [reflexivity|].
  apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1. rewrite total_cons in H. cbn [fst] in H.
  destruct l as [|q l].
  - cbn -[Z.modulo Z.mul]. rewrite total_nil in H. rewrite Z.mod_small by lia. lia.
  - rewrite feval_cons by discriminate. cbn [beval].
    rewrite IH; [reflexivity | assumption |].
    split; [apply div_nonneg; lia | apply div_lt; lia].
Qed.

Lemma feval_0 : forall l, feval l 0 = 0.
Proof.
  induction l as [|[s d] l IH]; [reflexivity|]. destruct l as [|q l]; [reflexivity|].
  rewrite feval_cons by discriminate. rewrite Zmod_0_l, Zdiv_0_l, IH. reflexivity.
Qed.

Lemma beval_0 : forall l, beval l 0 = 0.
Proof.
  induction l as [|[s d] l IH]; [reflexivity|]. cbn [beval]. rewrite Zmod_0_l, Zdiv_0_l, IH. reflexivity.
Qed.

Lemma beval_mod : forall l i, pos l -> beval l (i mod total l) = beval l i.
Proof.
  induction l as [|[s d] l IH]; intros i P; [reflexivity|].
  apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1. rewrite total_cons. cbn [fst beval].
  pose proof (total_pos l P2). rewrite mod_mul, div_mul by lia. rewrite IH by assumption. reflexivity.
Qed.

Lemma beval_app : forall l r i, pos l -> beval (l ++ r) i = beval l i + beval r (i / total l).
Proof.
  induction l as [|[s d] l IH]; intros r i P.
  - cbn [app beval]. rewrite total_nil, Z.div_1_r. lia.
  - apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1. cbn [app beval].
    rewrite IH by assumption. rewrite total_cons. cbn [fst].
    pose proof (total_pos l P2). rewrite Z.div_div by lia. lia.
Qed.

Lemma feval_app : forall l r i, pos l -> r <> [] -> feval (l ++ r) i = beval l i + feval r (i / total l).
Proof.
  induction l as [|[s d] l IH]; intros r i P N.
  - cbn [app beval]. rewrite total_nil, Z.div_1_r. lia.
  - apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1. cbn [app].
    rewrite feval_cons by (destruct l; [assumption|discriminate]).
    rewrite IH by assumption. cbn [beval]. rewrite total_cons. cbn [fst].
    pose proof (total_pos l P2). rewrite Z.div_div by lia. lia.
Qed.

(** * Evaluation of trees *)

Definition eval_modes :=
  fix go (ms : list layout) (rest : Z) : Z :=
    match ms with
    | [] => 0
    | [m] => eval m rest
    | m :: r => eval m (Z.rem rest (size m)) + go r (Z.quot rest (size m))
    end.

Lemma eval_node : forall ms i, eval (Node ms) i = eval_modes ms i.
Proof. reflexivity. Qed.

Lemma eval_modes_cons : forall m r i, r <> [] ->
  eval_modes (m :: r) i = eval m (Z.rem i (size m)) + eval_modes r (Z.quot i (size m)).
Proof. intros m [|q r] i H; [congruence|reflexivity]. Qed.

Lemma leaves_node : forall {A} (ms : list (tree A)), leaves (Node ms) = flat_map leaves ms.
Proof. reflexivity. Qed.

Lemma size_node_cons : forall (m : layout) ms, size (Node (m :: ms)) = size m * size (Node ms).
Proof. intros. unfold size. rewrite !leaves_node. cbn [flat_map]. apply total_app. Qed.

Lemma size_flat_map : forall ms, size (Node ms) = total (flat_map leaves ms).
Proof. reflexivity. Qed.

(** In the domain, a layout and its leaves are the same function of an integer. *)
Theorem eval_leaves : forall l i, pos (leaves l) -> 0 <= i < size l -> eval l i = beval (leaves l) i.
Proof.
  induction l as [[s d] | ms IH] using tree_induction; intros i P H.
  - unfold size in H. cbn [leaves] in *. rewrite total_cons, total_nil in H. cbn [fst] in H.
    cbn [eval beval]. rewrite Z.mod_small by lia. lia.
  - rewrite eval_node. rewrite leaves_node in *. rewrite size_flat_map in H. revert i H.
    induction ms as [|m ms IHms]; intros i H; [reflexivity|].
    inversion_clear IH as [|? ? Hm Hms]. cbn [flat_map] in *.
    apply pos_app in P. destruct P as [P1 P2]. rewrite total_app in H.
    pose proof (total_pos _ P1) as T1. pose proof (total_pos _ P2) as T2.
    rewrite beval_app by assumption.
    destruct ms as [|m' ms].
    + cbn [eval_modes flat_map beval] in *. rewrite total_nil in H. rewrite Hm; unfold size; try lia; assumption.
    + rewrite eval_modes_cons by discriminate. unfold size at 1 2.
      rewrite rem_mod, quot_div by lia.
      rewrite Hm; [|assumption|apply mod_bound; assumption].
      rewrite beval_mod by assumption. f_equal. apply IHms; try assumption.
      split; [apply div_nonneg; lia|apply div_lt; lia].
Qed.

(** No tuple without modes: `()` takes an integer and has the value 0. *)
Fixpoint no_empty {A} (t : tree A) : Prop :=
  match t with
  | Leaf _ => True
  | Node ms => ms <> [] /\ (fix go ms := match ms with [] => True | m :: r => no_empty m /\ go r end) ms
  end.

Lemma no_empty_node : forall {A} (ms : list (tree A)), no_empty (Node ms) <-> ms <> [] /\ Forall no_empty ms.
Proof.
  intros A ms. cbn [no_empty]. apply and_iff_compat_l.
  induction ms as [|m ms IH]; [split; constructor|]. rewrite IH, Forall_cons_iff. reflexivity.
Qed.

Lemma no_empty_leaves : forall {A} (t : tree A), no_empty t -> leaves t <> [].
Proof.
  intros A. induction t as [a | ms IH] using tree_induction; intro H; [discriminate|].
  apply no_empty_node in H. destruct H as [N H]. destruct ms as [|m ms]; [congruence|].
  inversion_clear IH. inversion_clear H. rewrite leaves_node. cbn [flat_map]. intro E.
  apply app_eq_nil in E. destruct E as [E _]. firstorder.
Qed.

(** Without empty tuples, the same holds past the size, where the last mode extends. *)
Theorem eval_leaves_extended : forall l i, pos (leaves l) -> no_empty l -> 0 <= i -> eval l i = feval (leaves l) i.
Proof.
  induction l as [[s d] | ms IH] using tree_induction; intros i P N H; [reflexivity|].
  rewrite eval_node. rewrite leaves_node in *. apply no_empty_node in N. destruct N as [N F].
  revert i H N. induction ms as [|m ms IHms]; intros i H N; [congruence|].
  inversion_clear IH as [|? ? Hm Hms]. inversion_clear F as [|? ? Fm Fms]. cbn [flat_map] in *.
  apply pos_app in P. destruct P as [P1 P2]. pose proof (total_pos _ P1) as T1.
  destruct ms as [|m' ms].
  - cbn [eval_modes flat_map]. rewrite app_nil_r. apply Hm; assumption.
  - rewrite eval_modes_cons by discriminate. unfold size. rewrite rem_mod, quot_div by lia.
    rewrite feval_app; [|assumption|].
    + rewrite eval_leaves; [|assumption|apply mod_bound; assumption].
      rewrite beval_mod by assumption. f_equal.
      apply IHms; try assumption; [apply div_nonneg; lia | discriminate].
    + cbn [flat_map]. intro E. apply app_eq_nil in E. destruct E as [E _].
      inversion_clear Fms. revert E. apply no_empty_leaves. assumption.
Qed.

Lemma flat_tree_leaves : forall {A} (l : list A), leaves (flat_tree l) = l.
Proof.
  intros A l. assert (forall l : list A, leaves (of_leaves l) = l) as E.
  { unfold of_leaves. intro k. rewrite leaves_node. induction k as [|a k IH]; [reflexivity|]. cbn. congruence. }
  destruct l as [|a [|b l]]; [reflexivity|reflexivity|apply E].
Qed.
