(** Contiguous: the image is an interval. *)
From Cute Require Export Product.

Lemma moved_image : forall l x, pos l ->
  In x (values (filter (fun p => negb (snd p =? 0)) l)) <-> In x (values l).
Proof.
  induction l as [|[s d] l IH]; intros x P; [reflexivity|].
  apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1. cbn [filter snd].
  destruct (Z.eqb_spec d 0) as [->|N]; cbn [negb].
  - rewrite IH by assumption. cbn [values]. rewrite in_flat_map. split.
    + intro H. exists x. split; [assumption|]. apply in_map_iff. exists 0. rewrite zseq_in. split; lia.
    + intros (v & V & H). apply in_map_iff in H. destruct H as (c & <- & _).
      replace (c * 0 + v) with v by lia. assumption.
  - cbn [values]. rewrite !in_flat_map. split; intros (v & V & H); exists v; split; try assumption; apply IH; assumption.
Qed.

Lemma reach_nonneg : forall l, pos l -> 0 <= reach l.
Proof.
  induction l as [|[s d] l IH]; intro P; [cbn; lia|]. apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1.
  change (reach ((s, d) :: l)) with ((s - 1) * Z.abs d + reach l). specialize (IH P2). nia.
Qed.

(** Without gaps, sums with a number in [0, r] are an interval. *)
Lemma no_gap_covers : forall l r, pos l -> 0 <= r -> Forall (fun p => snd p <> 0) l -> no_gap l r = true ->
  forall x, 0 <= x <= r + reach l -> exists a y, 0 <= a <= r /\ In y (values (absolute l)) /\ x = a + y.
Proof.
  induction l as [|[s d] l IH]; intros r P R N H x X.
  - exists x, 0. cbn in *. split; [lia|]. split; [auto|lia].
  - apply pos_cons in P. destruct P as [P1 P2]. inversion_clear N as [|? ? N1 N2]. cbn [fst snd no_gap] in *.
    apply andb_prop in H. destruct H as [H1 H2].
    change (reach ((s, d) :: l)) with ((s - 1) * Z.abs d + reach l) in X.
    destruct (IH (r + Z.abs d * (s - 1)) P2 ltac:(nia) N2 H2 x ltac:(lia)) as (a & y & A & Y & ->).
    remember (Z.abs d) as e eqn:Ee. assert (1 <= e) as E by lia.
    set (c := Z.min (a / e) (s - 1)).
    pose proof (Z.div_mod a e ltac:(lia)) as D. pose proof (mod_bound a e E) as M.
    pose proof (div_nonneg a e ltac:(lia) E) as Q.
    exists (a - c * e), (c * e + y). split; [unfold c; nia|]. split; [|lia].
    unfold absolute. cbn [map fst snd values]. apply in_flat_map. exists y. split; [assumption|].
    apply in_map_iff. exists c. rewrite <- Ee. split; [reflexivity|]. apply zseq_in. unfold c. lia.
Qed.

(** If they are one, and the strides ascend, there is no gap. *)
Lemma interval_no_gap : forall l r, wide l -> 0 <= r ->
  StronglySorted (fun p q : leaf => Z.abs (snd p) <= Z.abs (snd q)) l -> Forall (fun p => snd p <> 0) l ->
  (forall x, 0 <= x <= r + reach l -> exists a y, 0 <= a <= r /\ In y (values (absolute l)) /\ x = a + y) ->
  no_gap l r = true.
Proof.
  induction l as [|[s d] l IH]; intros r W R S N H; [reflexivity|].
  inversion_clear W as [|? ? W1 W2]. inversion_clear S as [|? ? S1 S2]. inversion_clear N as [|? ? N1 N2].
  cbn [fst snd] in *. cbn [no_gap].
  change (reach ((s, d) :: l)) with ((s - 1) * Z.abs d + reach l) in H.
  pose proof (reach_nonneg l (wide_pos l W2)) as RL.
  assert (Z.abs d <= r + 1) as G.
  { destruct (Z.le_gt_cases (Z.abs d) (r + 1)) as [|L]; [assumption|]. exfalso.
    destruct (H (r + 1)) as (a & y & A & Y & E); [nia|].
    apply values_in in Y.
    2: { unfold absolute, pos. cbn [map]. rewrite Forall_cons_iff, Forall_map. cbn [fst]. split; [lia|].
         apply (wide_pos l W2). }
    destruct Y as (i & _ & Y).
    destruct (beval_zero_or_more (Z.abs d) (absolute ((s, d) :: l)) i) as [Z0|Z0]; try lia.
    - unfold absolute. cbn [map]. constructor; [assumption|]. apply Forall_map. exact W2.
    - unfold absolute. cbn [map]. constructor; [cbn; lia|]. apply Forall_map. exact S2. }
  rewrite IH; [lia|assumption|nia|assumption|assumption|].
  intros x X. destruct (H x ltac:(lia)) as (a & y & A & Y & ->).
  unfold absolute in Y. cbn [map fst snd values] in Y. apply in_flat_map in Y. destruct Y as (v & V & Y).
  apply in_map_iff in Y. destruct Y as (c & <- & C). apply zseq_in in C.
  exists (a + c * Z.abs d), v. split; [nia|]. split; [assumption|lia].
Qed.

Definition ascending_modes (l : list leaf) : list leaf :=
  sort (fun p q => Z.abs (snd p) <=? Z.abs (snd q)) (filter (fun p => negb (snd p =? 0)) (moving l)).

Lemma absolute_bounds : forall l y, pos l -> In y (values (absolute l)) -> 0 <= y <= reach l.
Proof.
  intros l y P Y. assert (pos (absolute l)) as A by (unfold absolute, pos; rewrite Forall_map; exact P).
  apply values_in in Y; [|assumption]. destruct Y as (i & _ & <-).
  assert (reach (absolute l) = reach l) as <-.
  { unfold absolute. clear. induction l as [|[s d] l IH]; [reflexivity|]. cbn [map fst snd].
    change (reach ((s, Z.abs d) :: map (fun p => (fst p, Z.abs (snd p))) l))
      with ((s - 1) * Z.abs (Z.abs d) + reach (map (fun p => (fst p, Z.abs (snd p))) l)).
    change (reach ((s, d) :: l)) with ((s - 1) * Z.abs d + reach l). rewrite IH, Z.abs_involutive. reflexivity. }
  apply beval_reach; [assumption|]. unfold absolute. apply Forall_map, Forall_forall. intros p _. cbn. lia.
Qed.

Lemma absolute_last : forall l, pos l -> In (reach l) (values (absolute l)).
Proof.
  intros l P. induction l as [|[s d] l IH]; [left; reflexivity|]. apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1.
  unfold absolute in *. cbn [map fst snd values]. apply in_flat_map. exists (reach l). split; [apply IH; assumption|].
  apply in_map_iff. exists (s - 1). split; [reflexivity|]. apply zseq_in. lia.
Qed.

(** [is_contiguous] decides whether the values are an interval. *)
Theorem is_contiguous_iff_interval : forall l, pos (leaves l) ->
  is_contiguous l = true <-> exists lo hi, forall x, In x (image l) <-> lo <= x <= hi.
Proof.
  intros l P. rewrite image_values by assumption. unfold is_contiguous. fold (ascending_modes (leaves l)).
  set (ms := ascending_modes (leaves l)).
  pose proof (moving_wide _ P) as W0.
  assert (Permutation ms (filter (fun p => negb (snd p =? 0)) (moving (leaves l)))) as Pm by apply sort_perm.
  assert (wide ms) as W.
  { unfold wide. rewrite Pm. unfold wide in W0. rewrite Forall_forall in *. intros p I. apply filter_In in I. apply W0. tauto. }
  assert (Forall (fun p => snd p <> 0) ms) as N.
  { rewrite Pm. apply Forall_forall. intros p I. apply filter_In in I. destruct I as [_ I]. lia. }
  assert (StronglySorted (fun p q : leaf => Z.abs (snd p) <= Z.abs (snd q)) ms) as S.
  { apply (sort_sorted (fun p q : leaf => Z.abs (snd p) <=? Z.abs (snd q)) (fun p : leaf => Z.abs (snd p))); intros; lia. }
  assert (forall x, In x (values (leaves l)) <-> In (x - lowest ms) (values (absolute ms))) as V.
  { intro x. rewrite <- (Permutation_in' eq_refl (moving_values _ P)).
    rewrite <- moved_image by (apply wide_pos; assumption).
    rewrite <- (Permutation_in' eq_refl (values_perm _ _ Pm)).
    rewrite (Permutation_in' eq_refl (values_absolute ms (wide_pos _ W))), in_map_iff. split.
    - intros (v & <- & I). replace (v + lowest ms - lowest ms) with v by lia. assumption.
    - intro I. exists (x - lowest ms). split; [lia|assumption]. }
  pose proof (reach_nonneg ms (wide_pos _ W)) as R.
  split.
  - intro H. exists (lowest ms), (lowest ms + reach ms). intro x. rewrite V. split.
    + intro I. apply absolute_bounds in I; [lia|apply wide_pos; assumption].
    + intro X. destruct (no_gap_covers ms 0 (wide_pos _ W) ltac:(lia) N H (x - lowest ms) ltac:(lia)) as (a & y & A & Y & E).
      assert (a = 0) as -> by lia. rewrite E, Z.add_0_l. assumption.
  - intros (lo & hi & H). apply interval_no_gap; try assumption; [lia|]. intros x X. exists 0, x.
    split; [lia|]. split; [|lia].
    assert (lo <= lowest ms <= hi) as L.
    { apply H, V. rewrite Z.sub_diag. apply values_0. unfold absolute, pos. rewrite Forall_map. apply (wide_pos _ W). }
    assert (lo <= lowest ms + reach ms <= hi) as U.
    { apply H, V. replace (lowest ms + reach ms - lowest ms) with (reach ms) by lia. apply absolute_last, wide_pos. assumption. }
    assert (In (x + lowest ms) (values (leaves l))) as I by (apply H; lia).
    apply V in I. replace (x + lowest ms - lowest ms) with x in I by lia. assumption.
Qed.

(** A compact layout is contiguous, and without negative strides its cosize is its size. *)
Theorem compact_is_contiguous : forall l, pos (leaves l) -> is_compact l = true -> is_contiguous l = true.
Proof.
  intros l P H. apply is_compact_iff_bijection in H; [|assumption]. apply is_contiguous_iff_interval; [assumption|].
  exists 0, (size l - 1). intro x. rewrite (Permutation_in' eq_refl H), zseq_in. lia.
Qed.

(** A contiguous layout that is injective and starts at 0 is compact. *)
Theorem contiguous_injective_is_compact : forall l, pos (leaves l) -> Forall (fun p => 0 <= snd p) (leaves l) ->
  is_contiguous l = true -> NoDup (image l) -> is_compact l = true.
Proof.
  intros l P N H D. apply is_compact_iff_bijection; [assumption|].
  apply is_contiguous_iff_interval in H; [|assumption]. destruct H as (lo & hi & H).
  pose proof (size_pos l P) as T. destruct (cosize_is_largest_value l P N) as [B _].
  assert (In 0 (image l)) as I0 by (rewrite image_values by assumption; apply values_0; assumption).
  assert (forall x, In x (image l) -> 0 <= x) as Low.
  { intros x I. unfold image in I. apply in_map_iff in I. destruct I as (i & <- & I). apply zseq_in in I. apply B. assumption. }
  assert (lo = 0) as ->.
  { apply H in I0. assert (In lo (image l)) as I by (apply H; lia). apply Low in I. lia. }
  assert (Permutation (image l) (zseq (hi + 1))) as Q.
  { apply NoDup_Permutation; [assumption|apply zseq_nodup|]. intro x. rewrite H, zseq_in. lia. }
  assert (hi + 1 = size l) as E; [|rewrite <- E; assumption].
  apply Permutation_length in Q. unfold image in Q. rewrite map_length, !zseq_length in Q.
  apply H in I0. lia.
Qed.

Theorem compact_cosize : forall l, pos (leaves l) -> Forall (fun p => 0 <= snd p) (leaves l) ->
  is_compact l = true -> cosize l = size l.
Proof.
  intros l P N H. apply is_compact_iff_bijection in H; [|assumption].
  destruct (cosize_is_largest_value l P N) as [B L]. pose proof (size_pos l P) as T.
  assert (In (cosize l - 1) (image l)) as I1.
  { rewrite <- L. unfold image. apply in_map, zseq_in. lia. }
  assert (In (size l - 1) (image l)) as I2 by (rewrite H; apply zseq_in; lia).
  rewrite H, zseq_in in I1. unfold image in I2. apply in_map_iff in I2. destruct I2 as (i & E & I2). apply zseq_in in I2.
  specialize (B i I2). lia.
Qed.
