(** Divide and product of layouts of which some leaves are static. *)
From Cute Require Export MixedComplement DynamicProduct.

(** * Extents are positive *)

Lemma coalesce_shape_pos : forall l back, Forall (Z.le 1) (map fst back) -> Forall (Z.le 1) (map fst l) ->
  Forall (Z.le 1) (map fst (coalesce_shape back l)).
Proof.
  induction l as [|x l IH]; intros back B L; cbn [coalesce_shape].
  - destruct back; [repeat constructor; cbn; lia|]. rewrite map_rev. apply Forall_rev. assumption.
  - cbn [map] in L. inversion_clear L as [|? ? L1 L2]. destruct back as [|b back].
    + apply IH; [repeat constructor|]; assumption.
    + cbn [map] in B. inversion_clear B as [|? ? B1 B2].
      destruct (Bool.eqb (snd b) (snd x)); apply IH; try assumption; cbn [map]; constructor; try assumption.
      * cbn [kmul fst]. nia.
      * constructor; assumption.
Qed.

Lemma kproduct_pos : forall l, Forall (Z.le 1) (map fst l) -> 1 <= fst (kproduct l).
Proof.
  induction l as [|x l IH]; intro H; [cbn; lia|]. cbn [map] in H. inversion_clear H as [|? ? H1 H2].
  specialize (IH H2). change (1 <= fst x * fst (kproduct l)). nia.
Qed.

Lemma mceil_div_pos : forall a b rest, Forall (Z.le 1) (map fst (leaves a)) -> 1 <= fst b -> mceil_div a b = Some rest ->
  Forall (Z.le 1) (map fst (leaves rest)).
Proof.
  induction a as [x | ms IH] using tree_induction; intros b rest A B H.
  - cbn [mceil_div] in H. apply bind_some in H. destruct H as (u & _ & H). injection H as <-.
    cbn [leaves map] in *. inversion_clear A as [|? ? A1 _]. constructor; [|constructor]. apply cdiv_ge_1; assumption.
  - cbn [mceil_div] in H. apply bind_some in H. destruct H as (qs & H & K). injection K as <-.
    rewrite leaves_node in *. revert b B qs H. induction IH as [|m ms Hm _ IHms]; intros b B qs H.
    + injection H as <-. constructor.
    + apply bind_some in H. destruct H as (q & H1 & H). apply bind_some in H. destruct H as (r & H2 & K). injection K as <-.
      cbn [flat_map] in *. rewrite map_app in *. apply Forall_app in A. destruct A as [A1 A2]. apply Forall_app. split.
      * eapply Hm; eassumption.
      * eapply IHms; [exact A2| |exact H2]. apply cdiv_ge_1; [assumption|]. apply kproduct_pos. assumption.
Qed.

Lemma past_pos : forall l cotarget es, past l cotarget es -> Forall (Z.le 1) (map fst (leaves cotarget)) ->
  1 <= run_covered (steps l) -> Forall (Z.le 1) (map fst es).
Proof.
  intros l cotarget es H A C. unfold past in H. destruct (nothing_left _).
  - subst es. apply coalesce_shape_pos; [constructor|assumption].
  - destruct H as (covered & rest & E & R & ->). apply coalesce_shape_pos; [constructor|].
    eapply mceil_div_pos; [exact A| |exact R]. lia.
Qed.

(** * Divide *)

(** The shape that is divided. *)
Definition mtarget (a : mlayout) : tree known := tmap fst (flat_tree (mcoalesced false (leaves a))).

(** If what Rust assumes of the dynamic leaves holds, D(i, j) = A(T(i) + R(j)), and the divide rearranges A. *)
Theorem mixed_divide_exact : forall a t r d, pos (leaves (at_run_time a)) -> pos (leaves (at_run_time t)) ->
  mcomplement t (mtarget a) = Some r -> mdivide a t = Some d ->
  (* Single *) single (leaves t) ->
  (* Ascends *) Forall (fun p => 0 <= snd p) (leaves (at_run_time t)) -> ascends (steps (leaves t)) ->
  (* Divides *) dividing (steps (leaves t)) 1 ->
  (* Covers *) total (steps (leaves t)) * size (at_run_time r) = size (at_run_time a) ->
  let both := leaves (at_run_time t) ++ leaves (at_run_time r) in
  let modes := mcoalesced true (leaves a) in
  (* Nonzero *) Forall (nonzero modes) (leaves t ++ leaves r) ->
  (* Divides, DividesOrLess, Carries *)
  Forall (fun p => snd p = 0 \/ walk_assumes (numbers modes) (fst p) (snd p)) both ->
  (* Apart *) apart (numbers modes) (digit_sums (numbers modes) both) 0 1 ->
  let A := at_run_time a in let T := at_run_time t in let R := at_run_time r in let D := at_run_time d in
  size D = size A
  /\ (forall i j, 0 <= i < size T -> 0 <= j < size R -> eval D (i + size T * j) = eval A (eval T i + eval R j))
  /\ Permutation (image (Node [T; R])) (zseq (size A)) /\ Permutation (image D) (image A).
Proof.
  intros a t r d Pa Pt Hr Hd S F As Di C both modes Nz W Ap A T R D.
  rewrite at_run_time_leaves in Pa, Pt, F. unfold both in *. rewrite !at_run_time_leaves in *.
  unfold mdivide in Hd. fold (mtarget a) in Hd. rewrite Hr in Hd. cbn [bind] in Hd.
  destruct (steps_spec _ Pt) as [Ps Vs]. rewrite (mfilter_values _ Pt S) in Vs.
  destruct (mcomplement_same t (mtarget a) r Pt Hr As Di) as (es & E & Same).
  assert (1 <= run_covered (steps (leaves t))) as C1 by (apply (run_complement_spec _ [] Ps As Di); constructor).
  assert (Forall (Z.le 1) (map fst es)) as Es.
  { eapply past_pos; [exact E| |assumption]. unfold mtarget. rewrite tmap_leaves, flat_tree_leaves.
    destruct (mcoalesced_same (leaves a) Pa) as (Q & _ & _). unfold pos, numbers in Q. rewrite Forall_map in Q.
    rewrite map_map, Forall_map. exact Q. }
  specialize (Same Es).
  destruct (mcoalesced_extended (leaves a) Pa) as (Pm & Nm & Fm). fold modes in Pm, Nm, Fm.
  assert (numbers modes <> []) as Nm' by (destruct modes; [congruence|discriminate]).
  assert (pos (leaves A)) as PA by (unfold A; rewrite at_run_time_leaves; assumption).
  assert (size A = total (numbers (leaves a))) as SA by (unfold A, size; rewrite at_run_time_leaves; reflexivity).
  assert (size T = total (numbers (leaves t))) as ST by (unfold T, size; rewrite at_run_time_leaves; reflexivity).
  assert (size R = total (numbers (leaves r))) as SR by (unfold R, size; rewrite at_run_time_leaves; reflexivity).
  pose proof Same as (Pr & Tr & _ & _).
  destruct (run_complement_spec _ (map fst es) Ps As Di Es) as (_ & _ & Tt & _).
  assert (forall x, 0 <= x < size A -> feval (numbers modes) x = eval A x) as Fa.
  { intros x X. rewrite Fm, feval_beval by (assumption || lia). rewrite eval_leaves by assumption. unfold A.
    rewrite at_run_time_leaves. reflexivity. }
  assert (prod (map fst es) * run_covered (steps (leaves t)) = size A) as Cv by (fold R A in C; rewrite SR, Tr, Tt in C; lia).
  destruct (dynamic_divide_exact A _ _ _ _ _ _ PA Pm Nm' Fa Pt F Ps Vs As Di Es Cv Same W Ap eq_refl)
    as (Pd & Td & X1 & X2 & X3).
  assert (leaves (Node [t; r]) = leaves t ++ leaves r) as Lb by (rewrite leaves_node; cbn [flat_map]; rewrite app_nil_r; reflexivity).
  unfold mcompose in Hd. fold modes in Hd. apply mcompose_modes_same in Hd; try assumption.
  2: { rewrite Lb, numbers_app. apply pos_app. auto. }
  2: { rewrite Lb. assumption. }
  rewrite Lb, numbers_app in Hd. destruct Hd as (PD & TD & VD).
  assert (pos (leaves D)) as PD' by (unfold D; rewrite at_run_time_leaves; assumption).
  assert (size D = total (numbers (leaves d))) as SD by (unfold D, size; rewrite at_run_time_leaves; reflexivity).
  assert (pos (leaves (Node [T; R]))) as Pb.
  { rewrite pair_leaves. unfold T, R. rewrite !at_run_time_leaves. apply pos_app. auto. }
  split; [lia|]. split; [|split].
  - intros i j I J. assert (0 <= i + size T * j < size D) as Ij.
    { destruct (run_values_pos (numbers modes) (numbers (leaves t) ++ numbers (leaves r)) Pm Nm') as [_ Tv];
        [apply pos_app; auto|assumption|]. rewrite total_app in Tv. rewrite SD, TD, Tv, ST. rewrite SR in J. nia. }
    rewrite eval_leaves by assumption.
    unfold D. rewrite at_run_time_leaves, VD. rewrite ST in *. rewrite X1 by lia. f_equal. f_equal.
    + symmetry. unfold T in *. rewrite eval_leaves; rewrite ?at_run_time_leaves; (reflexivity || assumption || lia).
    + symmetry. unfold R in *. rewrite eval_leaves; rewrite ?at_run_time_leaves; (reflexivity || assumption || lia).
  - rewrite image_values, pair_leaves by assumption. unfold T, R. rewrite !at_run_time_leaves. assumption.
  - rewrite image_values by assumption. unfold D. rewrite at_run_time_leaves. rewrite <- X3.
    rewrite !values_beval, TD by assumption. apply Permutation_refl'. apply map_ext. assumption.
Qed.

(** * Product *)

Lemma msize_total : forall l, fst (msize l) = total (numbers (leaves l)).
Proof.
  intro l. unfold msize, kproduct, total, numbers. rewrite map_map. induction (leaves l) as [|p k IH]; [reflexivity|].
  cbn [map fold_right prod kmul fst]. rewrite IH. reflexivity.
Qed.

Lemma mcosize_reach : forall l, fst (mcosize l) = reach (numbers (leaves l)) + 1.
Proof.
  intro l. unfold mcosize, reach, numbers. induction (leaves l) as [|p k IH]; [reflexivity|].
  cbn [map fold_right kadd kmul kpred kabs fst snd number_of]. rewrite IH. lia.
Qed.

(** If what Rust assumes of the dynamic leaves holds, the copies of A at two coordinates of equal value of
    B are the same, and if neither repeats a value, the product does not. Without negative strides of B,
    they lie at the values of B in the complement. *)
Theorem mixed_product_exact : forall a b star p, pos (leaves (at_run_time a)) -> pos (leaves (at_run_time b)) ->
  mcomplement a (Leaf (kmul (msize a) (mcosize b))) = Some star -> mproduct_of a b = Some p ->
  (* Ascends *) ascends (steps (leaves a)) -> (* Divides *) dividing (steps (leaves a)) 1 ->
  let modes := mcoalesced true (leaves star) in
  (* Nonzero *) Forall (nonzero modes) (leaves b) ->
  (* Divides, DividesOrLess, Carries *)
  Forall (fun p => snd p = 0 \/ walk_assumes (numbers modes) (fst p) (snd p)) (leaves (at_run_time b)) ->
  (* Apart *) apart (numbers modes) (digit_sums (numbers modes) (leaves (at_run_time b))) 0 1 ->
  let A := at_run_time a in let B := at_run_time b in
  exists c, at_run_time p = Node [A; c] /\ size c = size B
    /\ (forall i j, 0 <= i < size B -> 0 <= j < size B -> eval B i = eval B j -> eval c i = eval c j)
    /\ (NoDup (image A) -> NoDup (image B) -> NoDup (image (at_run_time p)))
    /\ (Forall (fun q => 0 <= snd q) (leaves B) -> forall j, 0 <= j < size B -> eval c j = eval (at_run_time star) (eval B j)).
Proof.
  intros a b star p Pa Pb Hs Hp As Di modes Nz W Ap A B.
  rewrite at_run_time_leaves in Pa, Pb, W, Ap. unfold mproduct_of in Hp. rewrite Hs in Hp. cbn [bind] in Hp.
  apply bind_some in Hp. destruct Hp as (c & Hc & K). injection K as <-.
  destruct (steps_spec _ Pa) as [Ps Vs].
  assert (forall x, In x (values (steps (leaves a))) <-> In x (values (numbers (leaves a)))) as V.
  { intro x. rewrite (Permutation_in_iff _ _ x Vs). apply mfilter_image. assumption. }
  destruct (mcomplement_same a _ star Pa Hs As Di) as (es & E & Same).
  assert (1 <= run_covered (steps (leaves a))) as C1 by (apply (run_complement_spec _ [] Ps As Di); constructor).
  set (m := total (numbers (leaves a)) * (reach (numbers (leaves b)) + 1)) in *.
  assert (fst (kmul (msize a) (mcosize b)) = m) as Em by (cbn [kmul fst]; rewrite msize_total, mcosize_reach; reflexivity).
  assert (1 <= m) as M by (pose proof (reach_nonneg _ Pb); pose proof (total_pos _ Pa); unfold m; nia).
  assert (map fst es = [cdiv m (run_covered (steps (leaves a)))]) as Ee.
  { unfold past in E. destruct (nothing_left _) eqn:N.
    - subst es. unfold run_covered, steps. rewrite N. cbn [leaves coalesce_shape rev app map]. rewrite Em. reflexivity.
    - destruct E as (covered & rest & C' & R & ->). cbn [mceil_div] in R. apply bind_some in R. destruct R as (u & _ & R).
      injection R as <-. cbn [leaves coalesce_shape rev app map kcdiv fst]. rewrite C', Em. reflexivity. }
  rewrite Ee in Same. specialize (Same ltac:(repeat constructor; apply cdiv_ge_1; assumption)).
  pose proof Same as (Pst & Tst & Vst & _).
  destruct (mcoalesced_extended (leaves star) Pst) as (Pm & Nm & Fm). fold modes in Pm, Nm, Fm.
  assert (numbers modes <> []) as Nm' by (destruct modes; [congruence|discriminate]).
  assert (forall x, 0 <= x < total (run_complement (steps (leaves a)) [cdiv m (run_covered (steps (leaves a)))]) ->
          feval (numbers modes) x = beval (run_complement (steps (leaves a)) [cdiv m (run_covered (steps (leaves a)))]) x) as Fa.
  { intros x X. rewrite Fm, feval_beval by (assumption || lia). apply Vst. }
  destruct (dynamic_product_exact _ _ _ _ _ _ Pa Ps Pb V As Di eq_refl Pm Nm' Fa W Ap eq_refl) as (Pc & _ & X1 & X2 & X3).
  unfold mcompose in Hc. fold modes in Hc. apply mcompose_modes_same in Hc; try assumption. destruct Hc as (PC & TC & VC).
  assert (forall l, pos (numbers (leaves l)) -> pos (leaves (at_run_time l))) as PL by (intros; rewrite at_run_time_leaves; assumption).
  assert (forall l, size (at_run_time l) = total (numbers (leaves l))) as SL by (intros; unfold size; rewrite at_run_time_leaves; reflexivity).
  assert (forall l i, pos (numbers (leaves l)) -> 0 <= i < size (at_run_time l) -> eval (at_run_time l) i = beval (numbers (leaves l)) i) as EL.
  { intros l i P I. rewrite eval_leaves by auto. rewrite at_run_time_leaves. reflexivity. }
  destruct (run_values_pos (numbers modes) (numbers (leaves b)) Pm Nm' Pb W) as [_ Tb].
  assert (size (at_run_time c) = size B) as Sc by (unfold B; rewrite !SL; lia).
  exists (at_run_time c). split; [reflexivity|]. split; [assumption|]. split; [|split].
  - intros i j I J H. unfold B in *. rewrite !EL in * by (assumption || lia). rewrite !VC. rewrite SL in *. apply X1; assumption.
  - intros NA NB. unfold A, B in *.
    assert (leaves (at_run_time (Node [a; c])) = numbers (leaves a) ++ numbers (leaves c)) as El.
    { unfold at_run_time. cbn [tmap map]. rewrite pair_leaves, !tmap_leaves. reflexivity. }
    assert (pos (leaves (at_run_time (Node [a; c])))) as Pp by (rewrite El; apply pos_app; auto).
    rewrite image_values in NA, NB by auto. rewrite image_values by exact Pp.
    refine (eq_ind_r (fun x => NoDup (values x)) _ El).
    rewrite !at_run_time_leaves in *. specialize (X2 NA NB).
    assert (values (numbers (leaves c)) = values (run_values (numbers modes) (numbers (leaves b)))) as Ev.
    { rewrite !values_beval, TC by assumption. apply map_ext. assumption. }
    rewrite values_app, Ev, <- values_app. assumption.
  - intros Fb j J. unfold B in *. rewrite at_run_time_leaves in Fb. pose proof (total_pos _ Pa).
    assert (beval (numbers (leaves b)) j < size (at_run_time star)) as Rb.
    { rewrite SL, Tst. rewrite SL in J. pose proof (beval_reach _ j Pb Fb).
      pose proof (copies_fit _ _ _ Pa Ps Pb V As Di) as Ft. fold m in Ft. lia. }
    pose proof (beval_reach _ j Pb Fb). rewrite (EL c), (EL b) by (assumption || lia). rewrite EL by (assumption || lia).
    rewrite VC, Vst. specialize (X3 Fb 0 j ltac:(lia) ltac:(rewrite <- SL; assumption)).
    rewrite beval_app in X3 by assumption. rewrite Z.add_0_l in X3. rewrite <- (beval_mod (numbers (leaves a))) in X3 by assumption.
    rewrite Z.mul_comm, Z.mod_mul, Z.div_mul, !beval_0 in X3 by lia. exact X3.
Qed.
