(** The values of a layout as a list: size, cosize, order of modes, compact and contiguous. *)
From Cute Require Export ByMode.
From Coq Require Export Permutation.
From Coq Require Sorting.Sorted.
(* The module also has a [sort]. *)
Notation StronglySorted := Sorting.Sorted.StronglySorted.

(** * 0, .., n - 1 *)

Lemma zseq_in : forall n i, In i (zseq n) <-> 0 <= i < n.
Proof.
  intros n i. split; [|apply in_zseq]. unfold zseq. intro H. apply in_map_iff in H.
  destruct H as (k & <- & H). apply in_seq in H. lia.
Qed.

Lemma zseq_nodup : forall n, NoDup (zseq n).
Proof. intro n. unfold zseq. apply FinFun.Injective_map_NoDup; [intros a b; lia|apply seq_NoDup]. Qed.

Lemma zseq_length : forall n, length (zseq n) = Z.to_nat n.
Proof. intro n. unfold zseq. rewrite map_length. apply seq_length. Qed.

Lemma zseq_app : forall a b, 0 <= a -> 0 <= b -> zseq (a + b) = zseq a ++ map (fun c => c + a) (zseq b).
Proof.
  intros a b A B. unfold zseq. rewrite Z2Nat.inj_add, seq_app, map_app, map_map by assumption. f_equal.
  assert (forall k m, map Z.of_nat (seq (Z.to_nat a + m) k) = map (fun c => Z.of_nat c + a) (seq m k)) as E.
  { induction k as [|k IH]; intro m; [reflexivity|]. cbn [seq map].
    rewrite <- Nat.add_succ_r, IH. f_equal. lia. }
  rewrite <- E, Nat.add_0_r. reflexivity.
Qed.

Lemma zseq_mul : forall s t, 0 <= s -> 0 <= t ->
  zseq (s * t) = flat_map (fun q => map (fun c => c + s * q) (zseq s)) (zseq t).
Proof.
  intros s t S. revert t. apply natlike_ind; [rewrite Z.mul_0_r; reflexivity|].
  intros t T IH. rewrite Z.mul_succ_r, zseq_app by nia. unfold Z.succ.
  rewrite (zseq_app t 1), flat_map_app, IH by lia. f_equal. change (zseq 1) with [0]. cbn [map flat_map].
  rewrite app_nil_r. reflexivity.
Qed.

(** * Values *)

Theorem values_beval : forall l, pos l -> values l = map (beval l) (zseq (total l)).
Proof.
  induction l as [|[s d] l IH]; intro P; [reflexivity|].
  apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1. pose proof (total_pos l P2) as T.
  cbn [values]. rewrite IH, total_cons by assumption. cbn [fst]. rewrite zseq_mul by lia.
  rewrite !flat_map_concat_map, concat_map, !map_map. f_equal. apply map_ext. intro q. rewrite map_map.
  apply map_ext_in. intros c C. apply zseq_in in C. cbn [beval].
  rewrite digit_mod, digit_div by assumption. reflexivity.
Qed.

Lemma values_one : forall d l, values ((1, d) :: l) = values l.
Proof.
  intros d l. cbn [values]. change (zseq 1) with [0]. induction (values l) as [|v vs IH]; [reflexivity|].
  cbn [flat_map map app] in *. rewrite IH. reflexivity.
Qed.

Lemma values_length : forall l, pos l -> length (values l) = Z.to_nat (total l).
Proof. intros. rewrite values_beval by assumption. rewrite map_length. apply zseq_length. Qed.

(** The values of a layout at all indices below its size. *)
Definition image (l : layout) : list Z := map (eval l) (zseq (size l)).

Lemma image_values : forall l, pos (leaves l) -> image l = values (leaves l).
Proof.
  intros l P. unfold image. rewrite values_beval by assumption. fold (size l).
  apply map_ext_in. intros i H. apply zseq_in in H. apply eval_leaves; assumption.
Qed.

Lemma values_in : forall l x, pos l -> In x (values l) <-> exists i, 0 <= i < total l /\ beval l i = x.
Proof.
  intros l x P. rewrite values_beval by assumption. rewrite in_map_iff.
  split; intros (i & A & B); exists i; rewrite zseq_in in *; auto.
Qed.

Lemma values_0 : forall l, pos l -> In 0 (values l).
Proof. intros l P. apply values_in; [assumption|]. exists 0. pose proof (total_pos l P). rewrite beval_0. split; lia. Qed.

(** Injective: no two indices have the same value. *)
Definition one_to_one (l : list leaf) : Prop :=
  forall i j, 0 <= i < total l -> 0 <= j < total l -> beval l i = beval l j -> i = j.

Lemma map_nodup_inv : forall (f : Z -> Z) l i j, NoDup (map f l) -> In i l -> In j l -> f i = f j -> i = j.
Proof.
  intros f l. induction l as [|a l IH]; intros i j N I J E; [destruct I|].
  inversion_clear N as [|? ? N1 N2]. destruct I as [->|I]; destruct J as [->|J]; auto.
  - exfalso. apply N1. rewrite E. apply in_map. assumption.
  - exfalso. apply N1. rewrite <- E. apply in_map. assumption.
Qed.

Lemma map_nodup : forall (f : Z -> Z) l, NoDup l -> (forall i j, In i l -> In j l -> f i = f j -> i = j) -> NoDup (map f l).
Proof.
  intros f l N. induction N as [|a l N1 _ IH]; intro H; [constructor|]. cbn [map]. constructor.
  - intro I. apply in_map_iff in I. destruct I as (b & E & I). apply N1.
    rewrite <- (H b a); [assumption|right; assumption|left; reflexivity|assumption].
  - apply IH. intros. apply H; try (right; assumption). assumption.
Qed.

Lemma values_nodup : forall l, pos l -> NoDup (values l) <-> one_to_one l.
Proof.
  intros l P. rewrite values_beval by assumption. split.
  - intros N i j I J E. eapply map_nodup_inv; [exact N| | |exact E]; apply zseq_in; assumption.
  - intro H. apply map_nodup; [apply zseq_nodup|]. intros i j I J. apply zseq_in in I, J. apply H; assumption.
Qed.

(** * The order of modes has no influence on the image *)

Lemma flat_map_perm : forall {A B} (f g : A -> list B) l, (forall a, Permutation (f a) (g a)) ->
  Permutation (flat_map f l) (flat_map g l).
Proof. intros A B f g l H. induction l as [|a l IH]; [constructor|]. cbn. apply Permutation_app; auto. Qed.

Lemma flat_map_cons : forall {A B} (g : A -> B) (h : A -> list B) l,
  Permutation (flat_map (fun a => g a :: h a) l) (map g l ++ flat_map h l).
Proof.
  intros A B g h l. induction l as [|a l IH]; [constructor|]. cbn. constructor.
  rewrite IH. rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
Qed.

Lemma flat_map_swap : forall {A B C} (f : A -> B -> C) xs ys,
  Permutation (flat_map (fun y => map (fun x => f x y) xs) ys) (flat_map (fun x => map (fun y => f x y) ys) xs).
Proof.
  intros A B C f xs ys. induction ys as [|y ys IH].
  - cbn. induction xs; [constructor|assumption].
  - cbn [flat_map map]. rewrite IH. symmetry. apply (flat_map_cons (fun x => f x y)).
Qed.

Lemma flat_map_flat_map : forall {A B C} (f : B -> list C) (g : A -> list B) l,
  flat_map f (flat_map g l) = flat_map (fun a => flat_map f (g a)) l.
Proof. intros. induction l as [|a l IH]; [reflexivity|]. cbn. rewrite flat_map_app, IH. reflexivity. Qed.

Lemma flat_map_map : forall {A B C} (f : B -> list C) (g : A -> B) l,
  flat_map f (map g l) = flat_map (fun a => f (g a)) l.
Proof. intros. induction l as [|a l IH]; [reflexivity|]. cbn. rewrite IH. reflexivity. Qed.

Theorem values_perm : forall l l', Permutation l l' -> Permutation (values l) (values l').
Proof.
  intros l l' H. induction H as [|[s d] l l' _ IH|[s d] [s' d'] l|l l' l'' _ IH _ IH'].
  - reflexivity.
  - cbn [values]. apply Permutation_flat_map. assumption.
  - cbn [values]. rewrite !flat_map_flat_map. apply flat_map_perm. intro v. rewrite !flat_map_map.
    rewrite (flat_map_swap (fun c c' => c * d' + (c' * d + v))). apply flat_map_perm. intro c.
    replace (map (fun c' => c * d' + (c' * d + v)) (zseq s)) with (map (fun c' => c' * d + (c * d' + v)) (zseq s));
      [reflexivity|]. apply map_ext. intro. lia.
  - etransitivity; eassumption.
Qed.

Lemma total_perm : forall l l', Permutation l l' -> total l = total l'.
Proof. intros l l' H. induction H; rewrite ?total_cons in *; try lia. Qed.

Lemma pos_perm : forall l l', Permutation l l' -> pos l -> pos l'.
Proof. intros l l' H P. unfold pos in *. rewrite <- H. assumption. Qed.

Lemma insert_perm : forall {A} (le : A -> A -> bool) x l, Permutation (insert le x l) (x :: l).
Proof.
  intros A le x l. induction l as [|y l IH]; [reflexivity|]. cbn. destruct (le x y); [reflexivity|].
  rewrite IH. apply perm_swap.
Qed.

Lemma sort_perm : forall {A} (le : A -> A -> bool) l, Permutation (sort le l) l.
Proof.
  intros A le l. induction l as [|x l IH]; [reflexivity|]. cbn. rewrite insert_perm. constructor. assumption.
Qed.

Lemma insert_sorted : forall {A} (le : A -> A -> bool) (key : A -> Z) x l,
  (forall a b, le a b = true -> key a <= key b) -> (forall a b, le a b = false -> key b <= key a) ->
  StronglySorted (fun a b => key a <= key b) l -> StronglySorted (fun a b => key a <= key b) (insert le x l).
Proof.
  intros A le key x l T F H. induction H as [|y l H IH L]; [repeat constructor|].
  cbn [insert]. destruct (le x y) eqn:E.
  - constructor; [constructor; assumption|]. apply T in E. constructor; [assumption|].
    eapply Forall_impl; [|exact L]. cbn. lia.
  - constructor; [assumption|]. apply F in E. rewrite insert_perm. constructor; assumption.
Qed.

Lemma sort_sorted : forall {A} (le : A -> A -> bool) (key : A -> Z) l,
  (forall a b, le a b = true -> key a <= key b) -> (forall a b, le a b = false -> key b <= key a) ->
  StronglySorted (fun a b => key a <= key b) (sort le l).
Proof.
  intros A le key l T F. induction l as [|x l IH]; [constructor|]. cbn. apply insert_sorted; assumption.
Qed.

(** Modes of one element have no influence either. *)
Lemma beval_narrow : forall (f : leaf -> bool) l i, (forall p, f p = false -> fst p = 1) ->
  beval (filter f l) i = beval l i.
Proof.
  intros f l i H. revert i. induction l as [|[s d] l IH]; intro i; [reflexivity|].
  cbn [filter]. destruct (f (s, d)) eqn:E.
  - cbn [beval]. rewrite IH. reflexivity.
  - apply H in E. cbn [fst] in E. subst. cbn [beval]. rewrite Z.mod_1_r, Z.div_1_r, IH. lia.
Qed.

Lemma total_narrow : forall (f : leaf -> bool) l, (forall p, f p = false -> fst p = 1) ->
  total (filter f l) = total l.
Proof.
  intros f l H. induction l as [|p l IH]; [reflexivity|]. cbn [filter]. destruct (f p) eqn:E;
    rewrite ?total_cons, IH; [reflexivity|]. apply H in E. lia.
Qed.

Lemma pos_filter : forall f l, pos l -> pos (filter f l).
Proof.
  unfold pos. intros f l P. rewrite Forall_forall in *. intros p H. apply filter_In in H. destruct H. auto.
Qed.

Lemma values_narrow : forall (f : leaf -> bool) l, pos l -> (forall p, f p = false -> fst p = 1) ->
  values (filter f l) = values l.
Proof.
  intros f l P H. rewrite !values_beval; [|assumption|apply pos_filter; assumption].
  rewrite total_narrow by assumption. apply map_ext. intro. apply beval_narrow. assumption.
Qed.

(** * Two layouts together *)

Lemma values_app : forall a b, values (a ++ b) = flat_map (fun v => map (fun u => u + v) (values a)) (values b).
Proof.
  induction a as [|[s d] a IH]; intro b.
  - cbn [app values map]. induction (values b) as [|v vs IHv]; [reflexivity|]. cbn [flat_map app] in *.
    rewrite Z.add_0_l. congruence.
  - cbn [app values]. rewrite IH, flat_map_flat_map. apply flat_map_ext. intro v. rewrite flat_map_map.
    rewrite !flat_map_concat_map, concat_map, map_map. f_equal.
    apply map_ext. intro u. rewrite map_map. apply map_ext. intro. lia.
Qed.

Lemma values_app_in : forall a b x, In x (values (a ++ b)) <-> exists u v, In u (values a) /\ In v (values b) /\ x = u + v.
Proof.
  intros a b x. rewrite values_app, in_flat_map. split.
  - intros (v & V & H). apply in_map_iff in H. destruct H as (u & <- & U). exists u, v. auto.
  - intros (u & v & U & V & ->). exists v. split; [assumption|]. apply in_map_iff. exists u. auto.
Qed.

Lemma nodup_app : forall {A} (l r : list A), NoDup (l ++ r) -> NoDup l /\ NoDup r /\ forall x, In x l -> ~ In x r.
Proof.
  intros A l r. induction l as [|a l IH]; intro N; [repeat split; [constructor|assumption|contradiction]|].
  cbn in N. inversion_clear N as [|? ? N1 N2]. destruct (IH N2) as (H1 & H2 & H3).
  repeat split; [constructor; [rewrite in_app_iff in N1; tauto|assumption]|assumption|].
  intros x [->|X]; [rewrite in_app_iff in N1; tauto|apply H3; assumption].
Qed.

(** Where the values of both together are distinct, a sum has one pair of summands. *)
Lemma values_app_unique : forall a b, NoDup (values (a ++ b)) ->
  forall u u' v v', In u (values a) -> In u' (values a) -> In v (values b) -> In v' (values b) ->
  u + v = u' + v' -> u = u' /\ v = v'.
Proof.
  intros a b N. rewrite values_app in N. revert N. generalize (values b). intro vs.
  assert (forall u v l, In u (values a) -> In v l -> In (u + v) (flat_map (fun v => map (fun u => u + v) (values a)) l)) as In2.
  { intros u v l U V. apply in_flat_map. exists v. split; [assumption|]. apply in_map_iff. eauto. }
  induction vs as [|w vs IH]; intros N u u' v v' U U' V V' E; [destruct V|].
  cbn [flat_map] in N. apply nodup_app in N. destruct N as (N1 & N2 & N3).
  destruct V as [->|V]; destruct V' as [->|V'].
  - split; lia.
  - exfalso. apply (N3 (u + v)); [apply in_map_iff; eauto|]. rewrite E. apply In2; assumption.
  - exfalso. apply (N3 (u' + v')); [apply in_map_iff; eauto|]. rewrite <- E. apply In2; assumption.
  - apply IH; assumption.
Qed.

Lemma values_app_nodup : forall a b, pos a -> pos b -> NoDup (values (a ++ b)) -> NoDup (values a) /\ NoDup (values b).
Proof.
  intros a b A B N. assert (pos (a ++ b)) as P by (apply pos_app; auto).
  pose proof (total_pos a A). pose proof (total_pos b B).
  split; apply values_nodup; try assumption; apply values_nodup in N; try assumption; intros i j I J E;
    unfold one_to_one in N; rewrite total_app in N.
  - assert (0 + total a * 0 = 0) as Z0 by lia.
    apply N; try nia. rewrite !beval_app, E, !Z.div_small by (assumption || lia). reflexivity.
  - assert (0 + total a * i = 0 + total a * j) as X; [|nia].
    apply N; try nia. rewrite !beval_app by assumption.
    rewrite <- (beval_mod a (0 + total a * i)), <- (beval_mod a (0 + total a * j)) by assumption.
    rewrite !digit_mod, !digit_div, E by lia. reflexivity.
Qed.

(** * Cosize *)

Lemma beval_reach : forall l i, pos l -> Forall (fun p => 0 <= snd p) l -> 0 <= beval l i <= reach l.
Proof.
  induction l as [|[s d] l IH]; intros i P N; [cbn; lia|].
  apply pos_cons in P. destruct P as [P1 P2]. inversion_clear N as [|? ? N1 N2]. cbn [fst snd] in *.
  specialize (IH (i / s) P2 N2). pose proof (mod_bound i s P1). cbn [beval].
  change (reach ((s, d) :: l)) with ((s - 1) * Z.abs d + reach l). nia.
Qed.

Lemma beval_last : forall l, pos l -> Forall (fun p => 0 <= snd p) l -> beval l (total l - 1) = reach l.
Proof.
  induction l as [|[s d] l IH]; intros P N; [reflexivity|].
  apply pos_cons in P. destruct P as [P1 P2]. inversion_clear N as [|? ? N1 N2]. cbn [fst snd] in *.
  pose proof (total_pos l P2). rewrite total_cons. cbn [fst beval].
  change (reach ((s, d) :: l)) with ((s - 1) * Z.abs d + reach l).
  replace (s * total l - 1) with ((s - 1) + s * (total l - 1)) by lia.
  rewrite digit_mod, digit_div, IH by (assumption || lia). nia.
Qed.

(** Without negative strides, the cosize is one more than the largest value. *)
Theorem cosize_is_largest_value : forall l, pos (leaves l) -> Forall (fun p => 0 <= snd p) (leaves l) ->
  (forall i, 0 <= i < size l -> 0 <= eval l i < cosize l) /\ eval l (size l - 1) = cosize l - 1.
Proof.
  intros l P N. pose proof (total_pos _ P) as T. fold (size l) in T. unfold cosize. split.
  - intros i I. rewrite eval_leaves by assumption. pose proof (beval_reach _ i P N). lia.
  - rewrite eval_leaves by (assumption || lia). unfold size. rewrite beval_last by assumption. lia.
Qed.

(** * Compact *)

Lemma filled_chain_covers : forall l n, pos l -> 1 <= n -> forall x, 0 <= x < filled_chain l n ->
  exists r y, 0 <= r < n /\ In y (values l) /\ x = r + y.
Proof.
  induction l as [|[s d] l IH]; intros n P N x X.
  - exists x, 0. split; [assumption|]. split; [left; reflexivity|lia].
  - pose proof (values_0 _ P) as V0. apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1.
    cbn [filled_chain] in X. destruct (Z.eqb_spec d n) as [->|].
    + destruct (IH (n * s) P2 ltac:(nia) x X) as (r & y & R & Y & ->).
      exists (r mod n), (r / n * n + y). split; [apply mod_bound; assumption|]. split.
      * cbn [values]. apply in_flat_map. exists y. split; [assumption|]. apply in_map_iff. exists (r / n).
        split; [reflexivity|]. apply zseq_in. split; [apply div_nonneg; lia|apply div_lt; lia].
      * pose proof (Z.div_mod r n). lia.
    + exists x, 0. split; [assumption|]. split; [assumption|lia].
Qed.

Lemma filled_covers : forall l, pos l -> forall x, 0 <= x < filled l -> In x (values l).
Proof.
  intros l P x X. unfold filled in X. set (f := fun p : leaf => 1 <? fst p) in *.
  assert (pos (sort by_stride_and_extent (filter f l))) as P'.
  { eapply pos_perm; [symmetry; apply sort_perm|apply pos_filter; assumption]. }
  destruct (filled_chain_covers _ 1 P' ltac:(lia) x X) as (r & y & R & Y & ->).
  assert (r = 0) as -> by lia. rewrite Z.add_0_l.
  rewrite (Permutation_in' eq_refl (values_perm _ _ (sort_perm by_stride_and_extent (filter f l)))) in Y.
  assert (forall p, In p l -> f p = false -> fst p = 1) as F.
  { intros p I E. unfold pos in P. rewrite Forall_forall in P. specialize (P p I). unfold f in E. lia. }
  clear - P F Y. assert (values (filter f l) = values l) as <-; [|assumption].
  clear Y. induction l as [|[s d] l IH]; [reflexivity|].
  apply pos_cons in P. destruct P as [P1 P2]. cbn [filter]. destruct (f (s, d)) eqn:E.
  - cbn [values]. rewrite IH; [reflexivity|assumption|]. intros p I. apply F. right. assumption.
  - apply F in E; [|left; reflexivity]. cbn [fst] in E. subst. rewrite IH; [|assumption|intros p I; apply F; right; assumption].
    symmetry. apply values_one.
Qed.

Lemma chain_filled : forall l n, chain l n = true -> filled_chain l n = n * total l.
Proof.
  induction l as [|[s d] l IH]; intros n H; [rewrite total_nil; cbn; lia|].
  cbn [chain filled_chain] in *. apply andb_prop in H. destruct H as [-> H].
  rewrite (Z.mul_comm n s), IH, total_cons by assumption. cbn [fst]. lia.
Qed.

(** All values below the size, each once. *)
Definition compact_image (l : list Z) : Prop := Permutation l (zseq (Z.of_nat (length l))).

Lemma cover_perm : forall l n, Z.of_nat (length l) = n -> (forall x, 0 <= x < n -> In x l) -> Permutation l (zseq n).
Proof.
  intros l n L H. symmetry. apply NoDup_Permutation_bis; [apply zseq_nodup|rewrite zseq_length; lia|].
  intros x X. apply zseq_in in X. auto.
Qed.

Lemma moving_perm : forall l, Permutation (moving l) (filter (fun p => negb (fst p =? 1)) l).
Proof. intro l. apply sort_perm. Qed.

Lemma moving_values : forall l, pos l -> Permutation (values (moving l)) (values l).
Proof.
  intros l P. rewrite (values_perm _ _ (moving_perm l)). rewrite values_narrow; [reflexivity|assumption|].
  intros p E. lia.
Qed.

Lemma moving_total : forall l, total (moving l) = total l.
Proof. intro l. rewrite (total_perm _ _ (moving_perm l)). apply total_narrow. intros p E. lia. Qed.

Lemma moving_wide : forall l, pos l -> wide (moving l).
Proof.
  intros l P. unfold wide. rewrite moving_perm. unfold pos in P. rewrite Forall_forall in *. intros p H.
  apply filter_In in H. destruct H as [H1 H2]. apply P in H1. lia.
Qed.

Lemma moving_sorted : forall l, StronglySorted (fun p q : leaf => snd p <= snd q) (moving l).
Proof. intro l. apply (sort_sorted by_stride snd); unfold by_stride; intros; lia. Qed.

Lemma beval_zero_or_more : forall d l i, wide l -> 0 < d -> Forall (fun p => d <= snd p) l ->
  beval l i = 0 \/ d <= beval l i.
Proof.
  intros d l i W D. revert i. induction W as [|[s e] l W1 _ IH]; intros i F; [left; reflexivity|].
  inversion_clear F as [|? ? F1 F2]. cbn [fst snd beval] in *. pose proof (mod_bound i s ltac:(lia)).
  assert (i mod s * e = 0 \/ d <= i mod s * e) as M by (destruct (Z.eq_dec (i mod s) 0) as [->|]; [left; lia|right; nia]).
  destruct (IH (i / s) F2); lia.
Qed.

(** A sorted list of modes whose values, with those below [n], are an interval, each once, is a chain. *)
Lemma compact_chain : forall l n, wide l -> StronglySorted (fun p q : leaf => snd p <= snd q) l -> 1 <= n ->
  Permutation (values ((n, 1) :: l)) (zseq (n * total l)) -> chain l n = true.
Proof.
  induction l as [|[s d] l IH]; intros n W S N H; [reflexivity|].
  inversion_clear W as [|? ? W1 W2]. inversion_clear S as [|? ? S1 S2]. cbn [fst snd] in *.
  pose proof (total_pos l (wide_pos l W2)) as T.
  assert (pos ((n, 1) :: (s, d) :: l)) as P by (repeat constructor; cbn [fst]; try lia; apply wide_pos; assumption).
  assert (total ((n, 1) :: (s, d) :: l) = n * (s * total l)) as TT by (rewrite !total_cons; reflexivity).
  assert (one_to_one ((n, 1) :: (s, d) :: l)) as O.
  { apply values_nodup; [assumption|]. eapply Permutation_NoDup; [symmetry; exact H|apply zseq_nodup]. }
  assert (2 <= s * total l) as B2 by nia. assert (n < n * (s * total l)) as B by nia.
  assert (beval ((n, 1) :: (s, d) :: l) n = d) as Vn.
  { cbn [beval]. rewrite Z.mod_same, Z.div_same, Z.mod_small, Z.div_small, beval_0 by lia. lia. }
  assert (0 <= d) as D0.
  { assert (In d (zseq (n * total ((s, d) :: l)))) as I.
    { eapply Permutation_in; [exact H|]. apply values_in; [assumption|]. exists n. rewrite TT. split; [lia|assumption]. }
    apply zseq_in in I. lia. }
  assert (n <= d) as D1.
  { destruct (Z.lt_ge_cases d n) as [L|]; [|assumption]. exfalso.
    assert (d = n) as X; [|lia]. apply O; try (rewrite TT; lia). rewrite Vn. cbn [beval].
    rewrite Z.mod_small, Z.div_small by lia. rewrite Zmod_0_l, Zdiv_0_l, beval_0. lia. }
  assert (d <= n) as D2.
  { assert (In n (values ((n, 1) :: (s, d) :: l))) as I.
    { eapply Permutation_in; [symmetry; exact H|]. apply zseq_in. rewrite total_cons. cbn [fst]. lia. }
    apply values_in in I; [|assumption]. destruct I as (i & _ & E). cbn [beval] in E.
    pose proof (mod_bound i n N).
    assert (wide ((s, d) :: l)) as W by (constructor; assumption).
    assert (Forall (fun p : leaf => d <= snd p) ((s, d) :: l)) as Fd by (constructor; [cbn; lia|assumption]).
    destruct (beval_zero_or_more d _ (i / n) W ltac:(lia) Fd) as [Z0|Z0]; cbn [beval] in Z0; lia. }
  assert (d = n) as -> by lia. cbn [chain]. rewrite Z.eqb_refl. cbn [andb]. apply IH; try assumption; [nia|].
  rewrite total_cons in H. cbn [fst] in H.
  assert (values ((s * n, 1) :: l) = values ((n, 1) :: (s, n) :: l)) as E; 
    [|rewrite E, H; replace (s * n * total l) with (n * (s * total l)) by lia; reflexivity].
  rewrite !values_beval; [|assumption|constructor; [cbn; nia|apply wide_pos; assumption]].
  rewrite TT, total_cons. cbn [fst]. replace (s * n * total l) with (n * (s * total l)) by lia.
  apply map_ext. intro i. cbn [beval]. rewrite (Z.mul_comm s n), mod_split by lia. rewrite <- Z.div_div by lia. lia.
Qed.

Lemma chain_positive : forall l n, wide l -> 1 <= n -> chain l n = true -> existsb (fun p => snd p <? 0) l = false.
Proof.
  intros l n W. revert n. induction W as [|[s d] l W1 _ IH]; intros n N H; [reflexivity|].
  cbn [chain existsb fst snd] in *. apply andb_prop in H. destruct H as [H1 H2].
  rewrite (IH (s * n)); [|nia|assumption]. lia.
Qed.

(** [is_compact] decides whether a layout is a bijection onto [0, size). *)
Theorem is_compact_iff_bijection : forall l, pos (leaves l) ->
  is_compact l = true <-> Permutation (image l) (zseq (size l)).
Proof.
  intros l P. rewrite image_values by assumption. unfold is_compact, size.
  pose proof (moving_wide _ P) as W. pose proof (moving_total (leaves l)) as T.
  rewrite <- (moving_values _ P), <- T. split; intro H.
  - apply andb_prop in H. destruct H as [_ H]. apply cover_perm.
    + rewrite values_length by (apply wide_pos; assumption). pose proof (total_pos _ (wide_pos _ W)). lia.
    + intros x X. destruct (filled_chain_covers (moving (leaves l)) 1 (wide_pos _ W) ltac:(lia) x) as (r & y & R & Y & ->).
      * rewrite chain_filled by assumption. lia.
      * assert (r = 0) as -> by lia. assumption.
  - assert (chain (moving (leaves l)) 1 = true) as C.
    { apply compact_chain; try assumption; [apply moving_sorted|lia|].
      rewrite Z.mul_1_l, values_one. assumption. }
    rewrite C, (chain_positive _ 1 W ltac:(lia) C). reflexivity.
Qed.
