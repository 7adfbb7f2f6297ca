(** Coalesce: the same function, in the fewest modes. *)
From Cute Require Export Coordinate.

Lemma mod_split : forall i s t, 1 <= s -> 1 <= t -> i mod (s * t) = i mod s + s * (i / s mod t).
Proof. intros. apply Z.rem_mul_r; lia. Qed.

(** * One step *)

Ltac push_cases p back :=
  unfold push; destruct (Z.eqb_spec (fst p) 1); [|destruct back as [|[s' d'] [|q back]];
    [|destruct (Z.eqb_spec s' 1); [|destruct (Z.eqb_spec (fst p * snd p) d')]
     |destruct (Z.eqb_spec (fst p * snd p) d')]].

Lemma push_pos : forall p back, 1 <= fst p -> pos back -> pos (push p back).
Proof.
  intros p back P B. push_cases p back; unfold pos in *; rewrite ?Forall_cons_iff in *; cbn [fst snd] in *;
    intuition; nia.
Qed.

Lemma push_total : forall p back, total (push p back) = fst p * total back.
Proof.
  intros p back. push_cases p back; rewrite ?total_cons, ?total_nil; cbn [fst]; try lia.
Qed.

Lemma push_beval : forall p back i, 1 <= fst p -> pos back -> beval (push p back) i = beval (p :: back) i.
Proof.
  intros [s d] back i P B. cbn [fst snd] in *.
  push_cases (s, d) back; cbn [fst snd] in *; try reflexivity.
  - subst. cbn [beval]. rewrite Z.mod_1_r, Z.div_1_r. lia.
  - subst. cbn [beval]. rewrite Z.mod_1_r. lia.
  - inversion_clear B. cbn [fst] in *. cbn [beval]. rewrite mod_split by lia. subst d'. lia.
  - inversion_clear B. cbn [fst] in *. cbn [beval]. rewrite mod_split by lia.
    rewrite <- Z.div_div by lia. subst d'. lia.
Qed.

(** Extents of at least 2. *)
Definition wide (l : list leaf) : Prop := Forall (fun p => 2 <= fst p) l.

Lemma wide_pos : forall l, wide l -> pos l.
Proof. unfold wide, pos. intros l H. eapply Forall_impl; [|exact H]. cbn. intros. lia. Qed.

Lemma push_wide : forall p back, 1 <= fst p -> wide back -> wide (push p back).
Proof.
  intros p back P B. push_cases p back; unfold wide in *; rewrite ?Forall_cons_iff in *; cbn [fst snd] in *;
    intuition; nia.
Qed.

(** Where the front is not 1, the function is the same past the size. *)
Lemma push_feval : forall p back i, 1 <= fst p -> wide back -> back <> [] -> feval (push p back) i = feval (p :: back) i.
Proof.
  intros [s d] back i P B N. rewrite feval_cons by assumption. cbn [fst snd] in *.
  push_cases (s, d) back; cbn [fst snd] in *; try congruence.
  - subst. rewrite Z.mod_1_r, Z.div_1_r. lia.
  - inversion_clear B. cbn [fst] in *. lia.
  - cbn [feval]. subst d'. pose proof (Z.div_mod i s). nia.
  - rewrite !feval_cons by discriminate. reflexivity.
  - inversion_clear B. cbn [fst] in *. rewrite !feval_cons by discriminate. rewrite mod_split by lia.
    rewrite <- Z.div_div by lia. subst d'. lia.
  - rewrite !feval_cons by discriminate. reflexivity.
Qed.

Lemma push_nonempty : forall p back, back <> [] -> push p back <> [].
Proof. intros p back N. push_cases p back; congruence. Qed.

(** * All steps *)

Lemma merged_cons : forall e p q r, merged e (p :: q :: r) = push p (merged e (q :: r)).
Proof. intros e [s d] q r. reflexivity. Qed.

Lemma merged_nonempty : forall e l, l <> [] -> merged e l <> [].
Proof.
  intros e. induction l as [|[s d] [|q l] IH]; intro N; [congruence|discriminate|].
  rewrite merged_cons. apply push_nonempty. apply IH. discriminate.
Qed.

Lemma merged_false_pos : forall l, pos l -> pos (merged false l).
Proof.
  induction l as [|[s d] [|q l] IH]; intro P; [constructor|assumption|].
  apply pos_cons in P. destruct P. rewrite merged_cons. apply push_pos; [assumption|apply IH; assumption].
Qed.

Lemma merged_false_total : forall l, total (merged false l) = total l.
Proof.
  induction l as [|[s d] [|q l] IH]; [reflexivity|reflexivity|].
  rewrite merged_cons, push_total, IH, total_cons. reflexivity.
Qed.

Lemma merged_false_beval : forall l i, pos l -> beval (merged false l) i = beval l i.
Proof.
  induction l as [|[s d] [|q l] IH]; intros i P; [reflexivity|reflexivity|].
  apply pos_cons in P. destruct P as [P1 P2]. rewrite merged_cons.
  rewrite push_beval by (assumption || (apply merged_false_pos; assumption)).
  change (i mod s * d + beval (merged false (q :: l)) (i / s) = i mod s * d + beval (q :: l) (i / s)).
  rewrite IH by assumption. reflexivity.
Qed.

Lemma merged_true_wide : forall l, pos l -> wide (merged true l).
Proof.
  induction l as [|[s d] [|q l] IH]; intro P; [constructor| |]; apply pos_cons in P; destruct P as [P1 P2].
  - cbn [merged andb]. cbn [fst] in P1. destruct (Z.eqb_spec s 1); repeat constructor; cbn [fst]; lia.
  - rewrite merged_cons. apply push_wide; [assumption|apply IH; assumption].
Qed.

Lemma merged_true_feval : forall l i, pos l -> feval (merged true l) i = feval l i.
Proof.
  induction l as [|[s d] [|q l] IH]; intros i P; [reflexivity|reflexivity|].
  apply pos_cons in P. destruct P as [P1 P2]. rewrite merged_cons.
  rewrite push_feval;
    [|assumption|apply merged_true_wide; assumption|apply merged_nonempty; discriminate].
  rewrite !feval_cons by (discriminate || (apply merged_nonempty; discriminate)).
  rewrite IH by assumption. reflexivity.
Qed.

Lemma ones_spec : forall l, ones l = true -> Forall (fun p => fst p = 1) l.
Proof.
  intros l H. apply Forall_forall. intros p I. unfold ones in H. rewrite forallb_forall in H.
  apply H in I. lia.
Qed.

Lemma ones_beval : forall l i, ones l = true -> beval l i = 0.
Proof.
  intros l i H. apply ones_spec in H. revert i. induction H as [|[s d] l E _ IH]; intro i; [reflexivity|].
  cbn [fst beval] in *. subst. rewrite Z.mod_1_r, IH. lia.
Qed.

Lemma ones_total : forall l, ones l = true -> total l = 1.
Proof.
  intros l H. apply ones_spec in H. induction H as [|[s d] l E _ IH]; [reflexivity|].
  rewrite total_cons. cbn [fst] in *. lia.
Qed.

Lemma coalesced_false_pos : forall l, pos l -> pos (coalesced false l).
Proof.
  intros l P. unfold coalesced. destruct (ones _); [repeat constructor; cbn; lia|].
  apply merged_false_pos. assumption.
Qed.

Lemma coalesced_false_total : forall l, total (coalesced false l) = total l.
Proof.
  intro l. unfold coalesced. destruct (ones _) eqn:O; [|apply merged_false_total].
  rewrite <- (merged_false_total l), (ones_total _ O). reflexivity.
Qed.

Lemma coalesced_false_beval : forall l i, pos l -> beval (coalesced false l) i = beval l i.
Proof.
  intros l i P. unfold coalesced. destruct (ones _) eqn:O; [|apply merged_false_beval; assumption].
  rewrite <- (merged_false_beval l) by assumption. rewrite (ones_beval _ _ O).
  cbn [beval]. lia.
Qed.

(** The same function of an index in [0, size). *)
Theorem coalesce_same_function : forall l, pos (leaves l) ->
  size (coalesce l) = size l /\ forall i, 0 <= i < size l -> eval (coalesce l) i = eval l i.
Proof.
  intros l P. assert (size (coalesce l) = size l) as S.
  { unfold size, coalesce. rewrite flat_tree_leaves. apply coalesced_false_total. }
  split; [assumption|]. intros i H. rewrite !eval_leaves; try assumption; try lia.
  - unfold coalesce. rewrite flat_tree_leaves. apply coalesced_false_beval. assumption.
  - unfold coalesce. rewrite flat_tree_leaves. apply coalesced_false_pos. assumption.
Qed.

Lemma coalesced_true_feval : forall l i, pos l -> feval (coalesced true l) i = feval l i.
Proof.
  intros l i P. unfold coalesced. destruct (ones _) eqn:O; [|apply merged_true_feval; assumption].
  apply ones_spec in O. pose proof (merged_true_wide l P) as W.
  rewrite <- (merged_true_feval l) by assumption.
  destruct (merged true l) as [|p r]; [cbn; lia|]. inversion_clear O. inversion_clear W. lia.
Qed.

Lemma coalesced_true_pos : forall l, pos l -> pos (coalesced true l).
Proof.
  intros l P. unfold coalesced. destruct (ones _); [repeat constructor; cbn; lia|].
  apply wide_pos, merged_true_wide. assumption.
Qed.

Lemma flat_tree_no_empty : forall {A} (l : list A), l <> [] -> no_empty (flat_tree l).
Proof.
  intros A l N. destruct l as [|a [|b l]]; [congruence|exact I|].
  unfold flat_tree, of_leaves. apply no_empty_node. split; [discriminate|].
  apply Forall_forall. intros t H. apply in_map_iff in H. destruct H as (x & <- & _). exact I.
Qed.

Lemma coalesced_nonempty : forall e l, coalesced e l <> [].
Proof.
  intros e l. unfold coalesced. destruct (ones _) eqn:O; [discriminate|].
  intro E. rewrite E in O. discriminate.
Qed.

(** The same function of every index, past the size too. Without `()`: (4,()):(1,()) is 1 at 5, and
    its coalesced layout 4:1 is 5. *)
Theorem coalesce_extended_same_function : forall l i, pos (leaves l) -> no_empty l -> 0 <= i ->
  eval (coalesce_extended l) i = eval l i.
Proof.
  intros l i P N H. rewrite !eval_leaves_extended; try assumption; unfold coalesce_extended;
    rewrite ?flat_tree_leaves.
  - apply coalesced_true_feval. assumption.
  - apply coalesced_true_pos. assumption.
  - apply flat_tree_no_empty, coalesced_nonempty.
Qed.

Example coalesce_extended_of_empty_tuple :
  eval (Node [Leaf (4, 1); Node []]) 5 = 1 /\ eval (coalesce_extended (Node [Leaf (4, 1); Node []])) 5 = 5.
Proof. split; reflexivity. Qed.

(** In the domain, it is the same with empty tuples too. *)
Theorem coalesce_extended_in_domain : forall l i, pos (leaves l) -> 0 <= i < size l ->
  feval (coalesced true (leaves l)) i = eval l i.
Proof.
  intros l i P H. rewrite coalesced_true_feval by assumption. rewrite eval_leaves by assumption.
  apply feval_beval; assumption.
Qed.

(** * The fewest modes *)

(** Extents of at least 2, and no mode continues the one before it. *)
Inductive canonical : list leaf -> Prop :=
| canonical_nil : canonical []
| canonical_one : forall s d, 2 <= s -> canonical [(s, d)]
| canonical_cons : forall s d s' d' r, 2 <= s -> d' <> s * d -> canonical ((s', d') :: r) ->
    canonical ((s, d) :: (s', d') :: r).

Lemma canonical_tail : forall p r, canonical (p :: r) -> canonical r.
Proof. intros p r H. inversion H; subst; [constructor|assumption]. Qed.

Lemma canonical_wide : forall l, canonical l -> wide l.
Proof. induction 1; unfold wide in *; rewrite ?Forall_cons_iff in *; cbn [fst] in *; intuition. Qed.

Lemma push_canonical : forall p back, 1 <= fst p ->
  canonical back \/ (exists d, back = [(1, d)]) ->
  canonical (push p back) \/ (exists d, push p back = [(1, d)]).
Proof.
  intros [s d] back P H. cbn [fst] in P.
  push_cases (s, d) back; cbn [fst snd] in *.
  - assumption.
  - left. constructor. lia.
  - left. constructor. lia.
  - left. destruct H as [H|[x H]]; [|congruence]. inversion_clear H. constructor. nia.
  - left. destruct H as [H|[x H]]; [|congruence]. constructor; try lia. assumption.
  - left. destruct H as [H|[x H]]; [|congruence]. inversion H; subst.
    constructor; [nia| |assumption]. intro E. match goal with N : _ <> _ |- _ => apply N end.
    rewrite E. lia.
  - left. destruct H as [H|[x H]]; [|congruence]. constructor; try lia. assumption.
Qed.

Lemma merged_false_canonical : forall l, pos l ->
  canonical (merged false l) \/ (exists d, merged false l = [(1, d)]).
Proof.
  induction l as [|[s d] [|q l] IH]; intro P; [left; constructor| |]; apply pos_cons in P; destruct P as [P1 P2].
  - cbn [merged andb fst] in *. destruct (Z.eq_dec s 1) as [->|]; [right; eauto|left; constructor; lia].
  - rewrite merged_cons. apply push_canonical; [assumption|apply IH; assumption].
Qed.

Lemma canonical_total : forall l, canonical l -> l <> [] -> 2 <= total l.
Proof.
  intros [|p l] C N; [congruence|]. apply canonical_wide in C. inversion_clear C as [|? ? W1 W2].
  rewrite total_cons. pose proof (total_pos l (wide_pos l W2)). nia.
Qed.

Lemma coalesced_false_canonical : forall l, pos l -> 1 < total l -> canonical (coalesced false l).
Proof.
  intros l P T. unfold coalesced. destruct (ones _) eqn:O.
  - apply ones_total in O. rewrite merged_false_total in O. lia.
  - destruct (merged_false_canonical l P) as [C|[d E]]; [assumption|].
    rewrite E in O. discriminate.
Qed.

Lemma beval_small : forall s d r i, 0 <= i < s -> beval ((s, d) :: r) i = i * d.
Proof. intros. cbn [beval]. rewrite Z.mod_small, Z.div_small, beval_0 by lia. lia. Qed.

(** The first extent is where the function leaves a line. *)
Lemma canonical_first : forall s d r s' d' r',
  canonical ((s, d) :: r) -> canonical ((s', d') :: r') ->
  total ((s, d) :: r) = total ((s', d') :: r') ->
  (forall i, 0 <= i < total ((s, d) :: r) -> beval ((s, d) :: r) i = beval ((s', d') :: r') i) ->
  d = d' -> ~ s < s'.
Proof.
  intros s d r s' d' r' C C' T F -> L.
  pose proof (canonical_wide _ C) as W. inversion_clear W as [|? ? W1 W2]. cbn [fst] in W1.
  pose proof (canonical_wide _ C') as W'. inversion_clear W' as [|? ? W1' W2'].
  pose proof (total_pos r' (wide_pos _ W2')) as T'. rewrite !total_cons in *. cbn [fst] in *.
  assert (s < s * total r) as B by nia.
  specialize (F s ltac:(lia)). rewrite (beval_small s' d' r') in F by lia.
  destruct r as [|[s2 d2] r]; [rewrite total_nil in B; lia|].
  inversion C; subst. cbn [beval] in F. inversion_clear W2 as [|? ? W3 W4]. cbn [fst] in W3.
  rewrite Z.mod_same, Z.div_same in F by lia. rewrite Z.mod_small, Z.div_small, beval_0 in F by lia.
  lia.
Qed.

Lemma canonical_unique : forall l l', canonical l -> canonical l' -> total l = total l' ->
  (forall i, 0 <= i < total l -> beval l i = beval l' i) -> l = l'.
Proof.
  induction l as [|[s d] r IH]; intros l' C C' T F.
  - destruct l' as [|p l']; [reflexivity|].
    pose proof (canonical_total _ C' ltac:(discriminate)). rewrite total_nil in T. lia.
  - destruct l' as [|[s' d'] r'].
    { pose proof (canonical_total _ C ltac:(discriminate)). rewrite total_nil in T. lia. }
    pose proof (canonical_total _ C ltac:(discriminate)) as T2.
    pose proof (canonical_wide _ C) as W. inversion_clear W as [|? ? W1 W2]. cbn [fst] in W1.
    pose proof (canonical_wide _ C') as W'. inversion_clear W' as [|? ? W1' W2']. cbn [fst] in W1'.
    assert (d = d') as <-.
    { specialize (F 1 ltac:(lia)). rewrite !beval_small in F by lia. lia. }
    assert (s = s') as <-.
    { pose proof (canonical_first _ _ _ _ _ _ C C' T F eq_refl).
      pose proof (canonical_first _ _ _ _ _ _ C' C (eq_sym T)
        ltac:(intros; symmetry; apply F; lia) eq_refl). lia. }
    rewrite !total_cons in T. cbn [fst] in T.
    assert (total r = total r') as T' by nia. f_equal.
    apply IH; try assumption; try (eapply canonical_tail; eassumption).
    intros i H. specialize (F (0 + s * i)). rewrite total_cons in F. cbn [fst beval] in F.
    rewrite !digit_mod, !digit_div in F by lia. rewrite !Z.mul_0_l, !Z.add_0_l in F. apply F. nia.
Qed.

Lemma push_length : forall p back, (length (push p back) <= S (length back))%nat.
Proof. intros p back. push_cases p back; cbn [length]; lia. Qed.

Lemma merged_length : forall e l, (length (merged e l) <= length l)%nat.
Proof.
  intros e. induction l as [|[s d] [|q l] IH]; [cbn; lia|cbn; lia|].
  rewrite merged_cons. etransitivity; [apply push_length|]. cbn [length] in *. lia.
Qed.

Lemma coalesced_length : forall e l, l <> [] -> (length (coalesced e l) <= length l)%nat.
Proof.
  intros e l N. unfold coalesced. destruct (ones _); [|apply merged_length].
  destruct l; [congruence|cbn [length]; lia].
Qed.

Lemma coalesced_size_one : forall l, pos l -> total l = 1 -> coalesced false l = [(1, 0)].
Proof.
  intros l P T. unfold coalesced. destruct (ones _) eqn:O; [reflexivity|].
  destruct (merged_false_canonical l P) as [C|[d E]].
  - destruct (merged false l) eqn:M; [discriminate|].
    apply canonical_total in C; [|discriminate]. rewrite <- M, merged_false_total in C. lia.
  - rewrite E in O. discriminate.
Qed.

(** Layouts of the same size and function have the same coalesced layout. *)
Theorem coalesce_unique : forall l k, pos (leaves l) -> pos (leaves k) -> size k = size l ->
  (forall i, 0 <= i < size l -> eval k i = eval l i) -> coalesce k = coalesce l.
Proof.
  intros l k P Q S F. unfold coalesce. f_equal. pose proof (total_pos _ P) as T. fold (size l) in T.
  destruct (Z.eq_dec (size l) 1) as [E|E].
  - rewrite !coalesced_size_one; try assumption; try reflexivity. unfold size in *. lia.
  - apply canonical_unique.
    + apply coalesced_false_canonical; [assumption|]. unfold size in *. lia.
    + apply coalesced_false_canonical; [assumption|]. unfold size in *. lia.
    + rewrite !coalesced_false_total. exact S.
    + rewrite coalesced_false_total. intros i H. rewrite !coalesced_false_beval by assumption.
      rewrite <- !eval_leaves; try assumption; [apply F|..]; unfold size in *; lia.
Qed.

(** No layout that is the same function on the same domain has fewer leaves. *)
Theorem coalesce_fewest_modes : forall l k, pos (leaves l) -> pos (leaves k) -> leaves k <> [] ->
  size k = size l -> (forall i, 0 <= i < size l -> eval k i = eval l i) ->
  (length (leaves (coalesce l)) <= length (leaves k))%nat.
Proof.
  intros l k P Q N S F. rewrite <- (coalesce_unique l k) by assumption.
  unfold coalesce. rewrite flat_tree_leaves. apply coalesced_length. assumption.
Qed.

(** A layout of one element is 1:0. *)
Theorem coalesce_of_one : forall l, pos (leaves l) -> size l = 1 -> coalesce l = Leaf (1, 0).
Proof. intros l P S. unfold coalesce. rewrite coalesced_size_one by assumption. reflexivity. Qed.
