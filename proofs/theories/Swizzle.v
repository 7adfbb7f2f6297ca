(** Swizzles: involutions, with a period. *)
From Cute Require Export Tree Algebra.

(** |S| >= B, and both fields are bits of a number. *)
Definition separated (w : swizzle) : Prop := 0 <= bits w <= Z.abs (shift w) /\ 0 <= base w.

Lemma make_swizzle_separated : forall b m s w, make_swizzle b m s = Some w -> separated w.
Proof.
  intros b m s w H. unfold make_swizzle, bind, guard in H. destruct (swizzle_ok b m s) eqn:E; [|discriminate].
  unfold swizzle_ok in E. rewrite !andb_true_iff in E. injection H as <-.
  unfold separated. destruct (b =? 0); cbn [bits base shift]; lia.
Qed.

(** The lowest bit that is read. *)
Definition source (w : swizzle) : Z := base w + Z.max (shift w) 0.

Definition in_source (w : swizzle) (k : Z) : bool := (source w <=? k) && (k <? source w + bits w).

Lemma field_bit : forall w lowest k, 0 <= bits w -> 0 <= lowest -> 0 <= k ->
  Z.testbit (field w lowest) k = (lowest <=? k) && (k <? lowest + bits w).
Proof.
  intros w lowest k B L K. unfold field. rewrite Z.shiftl_spec by assumption.
  destruct (Z.leb_spec lowest k).
  - cbn [andb]. destruct (Z.ltb_spec k (lowest + bits w)).
    + apply Z.ones_spec_low. lia.
    + apply Z.ones_spec_high. lia.
  - rewrite Z.testbit_neg_r by lia. reflexivity.
Qed.

(** What is XORed into bit n. *)
Lemma moved_bit : forall w x n, separated w -> 0 <= n ->
  Z.testbit (Z.shiftr (Z.land x (source_mask w)) (shift w)) n
  = Z.testbit x (n + shift w) && in_source w (n + shift w).
Proof.
  intros w x n [B M] N. rewrite Z.shiftr_spec, Z.land_spec by assumption.
  destruct (Z.le_gt_cases 0 (n + shift w)).
  - unfold source_mask, in_source. fold (source w). rewrite field_bit; try lia; [reflexivity|]. unfold source. lia.
  - rewrite Z.testbit_neg_r by lia. reflexivity.
Qed.

Lemma apply_bit : forall w x n, separated w -> 0 <= n ->
  Z.testbit (apply w x) n = xorb (Z.testbit x n) (Z.testbit x (n + shift w) && in_source w (n + shift w)).
Proof.
  intros w x n S N. unfold apply. destruct (Z.eqb_spec (bits w) 0) as [E|].
  - unfold in_source. rewrite E. replace (_ && _) with false; [rewrite xorb_false_r; reflexivity|].
    destruct (Z.testbit x (n + shift w)); [|reflexivity]. cbn [andb]. symmetry. apply andb_false_iff. lia.
  - rewrite Z.lxor_spec, moved_bit by assumption. reflexivity.
Qed.

(** A swizzle is its own inverse, for offsets of either sign. *)
Theorem swizzle_involution : forall w x, separated w -> apply w (apply w x) = x.
Proof.
  intros w x S. apply Z.bits_inj'. intros n N. rewrite !apply_bit by assumption.
  destruct (in_source w (n + shift w)) eqn:I; [|rewrite !andb_false_r, !xorb_false_r; reflexivity].
  rewrite !andb_true_r. destruct S as [B M].
  assert (0 <= n + shift w) as N' by (unfold in_source, source in I; lia).
  rewrite apply_bit; [|split; assumption|assumption].
  assert (in_source w (n + shift w + shift w) = false) as ->.
  { unfold in_source in *. apply andb_false_iff. lia. }
  rewrite andb_false_r, xorb_false_r. destruct (Z.testbit x n), (Z.testbit x (n + shift w)); reflexivity.
Qed.

(** The exponent of the period. *)
Lemma period_power : forall w, separated w -> 1 <= bits w ->
  exists e, 0 <= e /\ period w = 2 ^ e /\ forall n, 0 <= n -> in_source w n = true \/ in_source w (n + shift w) = true -> n < e.
Proof.
  intros w [B M] P. unfold period. set (m := Z.lor (source_mask w) (target_mask w)).
  assert (forall n, 0 <= n -> in_source w n = true \/ in_source w (n + shift w) = true -> Z.testbit m n = true) as H.
  { intros n N D. unfold m. rewrite Z.lor_spec. unfold source_mask, target_mask. rewrite !field_bit by lia.
    fold (source w). fold (in_source w n). destruct D as [->|D]; [reflexivity|].
    apply orb_true_iff. right. unfold in_source, source in D. lia. }
  assert (0 <= m) as M0.
  { unfold m. apply Z.lor_nonneg. unfold source_mask, target_mask, field. rewrite !Z.shiftl_nonneg.
    rewrite Z.ones_equiv. pose proof (Z.pow_pos_nonneg 2 (bits w)). lia. }
  assert (Z.testbit m (source w) = true) as S0.
  { apply H; [unfold source; lia|]. left. unfold in_source. lia. }
  assert (m <> 0) as N0 by (intro E; rewrite E, Z.bits_0 in S0; discriminate).
  replace (m =? 0) with false by lia.
  exists (Z.log2 m + 1). pose proof (Z.log2_nonneg m). split; [lia|]. split; [reflexivity|].
  intros n N D. destruct (Z.lt_ge_cases (Z.log2 m) n) as [L|]; [|lia].
  apply H in D; [|assumption]. rewrite Z.bits_above_log2 in D by assumption. discriminate.
Qed.

Lemma low_bits : forall x k e n, 0 <= n < e -> Z.testbit (x + k * 2 ^ e) n = Z.testbit x n.
Proof.
  intros x k e n N. rewrite <- (Z.mod_pow2_bits_low (x + k * 2 ^ e) e n), <- (Z.mod_pow2_bits_low x e n) by lia.
  rewrite Z.mod_add; [reflexivity|]. pose proof (Z.pow_pos_nonneg 2 e). lia.
Qed.

(** Multiples of the period pass through. *)
Theorem swizzle_period : forall w x k, separated w -> apply w (x + k * period w) = apply w x + k * period w.
Proof.
  intros w x k S. destruct (Z.eq_dec (bits w) 0) as [E|N]; [unfold apply; rewrite E; reflexivity|].
  destruct (period_power w S) as (e & E & -> & H); [destruct S; lia|].
  assert (0 < 2 ^ e) as P by (apply Z.pow_pos_nonneg; lia).
  (* Above the period, nothing changes. *)
  assert (forall y, apply w y / 2 ^ e = y / 2 ^ e) as Q.
  { intro y. rewrite <- !Z.shiftr_div_pow2 by assumption. apply Z.bits_inj'. intros n L.
    rewrite !Z.shiftr_spec, apply_bit by (assumption || lia).
    destruct (in_source w (n + e + shift w)) eqn:I; [|rewrite andb_false_r, xorb_false_r; reflexivity].
    specialize (H (n + e) ltac:(lia) (or_intror I)). lia. }
  (* Below, only bits below are read. *)
  assert (apply w (x + k * 2 ^ e) mod 2 ^ e = apply w x mod 2 ^ e) as R.
  { apply Z.bits_inj'. intros n L. destruct (Z.lt_ge_cases n e).
    - rewrite !Z.mod_pow2_bits_low, !apply_bit, low_bits by (assumption || lia). f_equal.
      destruct (in_source w (n + shift w)) eqn:I; [|rewrite !andb_false_r; reflexivity]. rewrite !andb_true_r.
      assert (0 <= n + shift w) as L' by (destruct S; unfold in_source, source in I; lia).
      apply low_bits. split; [assumption|]. apply H; auto.
    - rewrite !Z.mod_pow2_bits_high by lia. reflexivity. }
  pose proof (Z.div_mod (apply w (x + k * 2 ^ e)) (2 ^ e) ltac:(lia)) as D1.
  pose proof (Z.div_mod (apply w x) (2 ^ e) ltac:(lia)) as D2.
  rewrite Q, R in D1. rewrite Q in D2. rewrite Z.div_add in D1 by lia. nia.
Qed.
