(** Complement and divide of layouts of which some leaves are static: what is static decides which modes
    there are, and the theorems of DynamicComplement.v hold. *)
From Cute Require Export MixedComposition DynamicComplement.

(** * Filter *)

Lemma mcoalesced_function : forall l, pos (numbers l) -> same_function (numbers l) (numbers (mcoalesced false l)).
Proof.
  intros l P. destruct (mcoalesced_same l P) as (Q & T & V). repeat split; try assumption.
  clear. intro F. unfold mcoalesced. destruct (forallb _ _); [repeat constructor; cbn; lia|].
  induction l as [|p [|q l] IH]; [constructor|destruct p; exact F|].
  rewrite mmerged_cons. rewrite numbers_cons in F. inversion_clear F as [|? ? F1 F2]. specialize (IH F2).
  apply mpush_cases.
  - intros _. exact IH.
  - intros s d _ _. repeat constructor. assumption.
  - intros s d r E _ _. rewrite E in IH. rewrite numbers_cons in *. inversion_clear IH. constructor; assumption.
  - intros _. rewrite numbers_cons. constructor; assumption.
Qed.

Lemma mfilter_zeros_pos : forall l, pos (numbers l) -> pos (numbers (mfilter_zeros l)).
Proof.
  unfold mfilter_zeros, numbers, pos. intros l P. rewrite map_map, Forall_map in *. eapply Forall_impl; [|exact P].
  intros [s d] H. unfold number_of in *. cbn [fst snd] in *. destruct (is d 0); cbn; lia.
Qed.

Lemma mfiltered_pos : forall l, pos (numbers l) -> pos (numbers (mfiltered l)).
Proof. intros l P. apply (mcoalesced_function (mfilter_zeros l)), mfilter_zeros_pos. assumption. Qed.

(** [filter] keeps the image. *)
Lemma mfilter_image : forall l x, pos (numbers l) -> In x (values (numbers (mfiltered l))) <-> In x (values (numbers l)).
Proof.
  intros l x P. unfold mfiltered.
  rewrite (same_function_values _ _ (mfilter_zeros_pos l P) (mcoalesced_function _ (mfilter_zeros_pos l P))).
  revert x P. induction l as [|[s d] l IH]; intros x P; [reflexivity|].
  rewrite numbers_cons in P. apply pos_cons in P. destruct P as [P1 P2]. unfold number_of in P1. cbn [fst] in P1.
  unfold mfilter_zeros in *. cbn [map fst snd]. rewrite !numbers_cons. unfold number_of. cbn [fst snd].
  destruct (is d 0) eqn:E.
  - apply is_spec in E. rewrite E. cbn [fixed fst]. rewrite values_one, IH by assumption. cbn [values]. rewrite in_flat_map. split.
    + intro H. exists x. split; [assumption|]. apply in_map_iff. exists 0. rewrite zseq_in. split; lia.
    + intros (v & V & H). apply in_map_iff in H. destruct H as (c & <- & _).
      replace (c * 0 + v) with v by lia. assumption.
  - cbn [values]. rewrite !in_flat_map. split; intros (v & V & H); exists v; split; try assumption; apply IH; assumption.
Qed.

(** [Assumption::Single]: a mode of static stride 0 has one element. *)
Definition single (l : list mleaf) : Prop := Forall (fun p => is (snd p) 0 = true -> fst (fst p) = 1) l.

Lemma mfilter_values : forall l, pos (numbers l) -> single l -> values (numbers (mfiltered l)) = values (numbers l).
Proof.
  intros l P S. unfold mfiltered.
  rewrite (same_function_values _ _ (mfilter_zeros_pos l P) (mcoalesced_function _ (mfilter_zeros_pos l P))). f_equal.
  unfold mfilter_zeros, numbers. rewrite map_map. apply map_ext_in. intros [s d] I.
  unfold single in S. rewrite Forall_forall in S. specialize (S _ I). unfold number_of. cbn [fst snd] in *.
  destruct (is d 0); [|reflexivity]. rewrite S; reflexivity.
Qed.

(** Whether filter leaves 1:0 only. *)
Definition nothing_left (f : list mleaf) : bool := (length f =? 1)%nat && forallb (fun p => is (snd p) 0) f.

Lemma mfiltered_zeros : forall l, Forall (fun p => is (snd p) 0 = true -> is (fst p) 1 = true) (mfiltered l).
Proof.
  intro l. unfold mfiltered, mcoalesced. destruct (forallb _ _); [repeat constructor|].
  assert (Forall (fun p : mleaf => is (snd p) 0 = true -> is (fst p) 1 = true) (mfilter_zeros l)) as H.
  { unfold mfilter_zeros. apply Forall_map. apply Forall_forall. intros [s d] _. cbn [fst snd]. intros ->. reflexivity. }
  induction H as [|p k H K IH]; [constructor|]. destruct k as [|q k]; [destruct p; repeat constructor; assumption|].
  rewrite mmerged_cons. apply mpush_cases.
  - intros _. assumption.
  - intros s d _ _. repeat constructor. assumption.
  - intros s d r E _ N. rewrite E in IH. inversion_clear IH. constructor; [|assumption]. cbn [fst snd]. intro Z0.
    rewrite (H Z0) in N. discriminate.
  - intros _. constructor; assumption.
Qed.

(** The modes that a complement steps over, in order. *)
Definition steps (l : list mleaf) : list leaf :=
  let f := mfiltered l in if nothing_left f then [] else numbers (sort mby_stride f).

Lemma sort_numbers : forall l, numbers (sort mby_stride l) = sort by_stride (numbers l).
Proof.
  assert (forall p l, numbers (insert mby_stride p l) = insert by_stride (number_of p) (numbers l)) as I.
  { intros p l. induction l as [|q l IH]; [reflexivity|]. cbn [insert numbers map].
    change (by_stride (number_of p) (number_of q)) with (mby_stride p q). destruct (mby_stride p q); [reflexivity|].
    cbn [map]. f_equal. exact IH. }
  unfold sort. induction l as [|p l IH]; [reflexivity|]. cbn [fold_right]. rewrite I, IH. reflexivity.
Qed.

Lemma steps_spec : forall l, pos (numbers l) ->
  pos (steps l) /\ Permutation (values (steps l)) (values (numbers (mfiltered l))).
Proof.
  intros l P. pose proof (mfiltered_pos l P) as Q. pose proof (mfiltered_zeros l) as Z0. unfold steps.
  destruct (nothing_left (mfiltered l)) eqn:E.
  - split; [constructor|]. unfold nothing_left in E. destruct (mfiltered l) as [|[s d] [|q k]]; try discriminate.
    cbn [length Nat.eqb forallb fst snd] in E. inversion_clear Z0 as [|? ? Z1 _]. cbn [fst snd] in Z1.
    assert (is d 0 = true) as D by (destruct (is d 0); [reflexivity|discriminate]).
    unfold numbers, number_of. cbn [map fst snd]. rewrite (is_spec _ _ (Z1 D)), values_one. reflexivity.
  - rewrite sort_numbers. split; [eapply pos_perm; [symmetry; apply sort_perm|assumption]|]. apply values_perm, sort_perm.
Qed.

(** * Complement *)

Lemma mgaps_numbers : forall l c gs c', mgaps l c = Some (gs, c') -> run_gaps (numbers l) (fst c) = (numbers gs, fst c').
Proof.
  induction l as [|[s d] l IH]; intros c gs c' H; [injection H as <- <-; reflexivity|].
  cbn [mgaps] in H. apply bind_some in H. destruct H as (u & _ & H). apply bind_some in H.
  destruct H as ([gs' c''] & H & E). injection E as <- <-. apply IH in H. rewrite !numbers_cons.
  cbn [kmul fst] in H. unfold number_of. cbn [run_gaps fst snd kdiv]. rewrite H. reflexivity.
Qed.

Lemma mcompact_same : forall es c, Forall (Z.le 1) (map fst es) ->
  total (numbers (mcompact_from es c)) = total (compact_from (map fst es) (fst c))
  /\ pos (numbers (mcompact_from es c))
  /\ (forall i, beval (numbers (mcompact_from es c)) i = beval (compact_from (map fst es) (fst c)) i)
  /\ (1 <= fst c -> Forall (fun p => 0 <= snd p) (numbers (mcompact_from es c))).
Proof.
  induction es as [|e es IH]; intros c E; [repeat split; constructor|]. cbn [map] in E.
  inversion_clear E as [|? ? E1 E2]. cbn [mcompact_from map compact_from]. destruct (is e 1) eqn:O.
  - apply is_spec in O. destruct (IH c E2) as (T & P & V & F). rewrite numbers_cons. unfold number_of.
    cbn [fst snd fixed]. rewrite !total_cons, O, Z.mul_1_r, T. cbn [fst].
    split; [reflexivity|]. split; [constructor; [cbn; lia|assumption]|]. split.
    + intro i. cbn [beval]. rewrite V, Z.mod_1_r. lia.
    + intro C. constructor; [cbn; lia|auto].
  - destruct (IH (kmul c e) E2) as (T & P & V & F). cbn [kmul fst] in *. rewrite numbers_cons. unfold number_of.
    cbn [fst snd]. rewrite !total_cons, T. cbn [fst].
    split; [reflexivity|]. split; [constructor; assumption|]. split.
    + intro i. cbn [beval]. rewrite V. reflexivity.
    + intro C. constructor; [cbn; lia|]. apply F. nia.
Qed.

(** The extents past the last stride, which times what the layout reaches cover the cotarget. *)
Definition past (l : list mleaf) (cotarget : tree known) (es : list known) : Prop :=
  if nothing_left (mfiltered l) then es = coalesce_shape [] (leaves cotarget)
  else exists covered rest, fst covered = run_covered (steps l) /\ mceil_div cotarget covered = Some rest
       /\ es = coalesce_shape [] (leaves rest).

Lemma mcomplement_same : forall l cotarget c, pos (numbers (leaves l)) -> mcomplement l cotarget = Some c ->
  ascends (steps (leaves l)) -> dividing (steps (leaves l)) 1 ->
  exists es, past (leaves l) cotarget es
    /\ (Forall (Z.le 1) (map fst es) -> same_function (run_complement (steps (leaves l)) (map fst es)) (numbers (leaves c))).
Proof.
  intros l cotarget c P H A D. unfold mcomplement in H. apply bind_some in H. destruct H as (r & H & K). injection K as <-.
  rewrite flat_tree_leaves. destruct (steps_spec _ P) as [Ps _].
  assert (forall gs es covered, numbers gs = fst (run_gaps (steps (leaves l)) 1) -> fst covered = run_covered (steps (leaves l)) ->
    Forall (Z.le 1) (map fst es) ->
    same_function (run_complement (steps (leaves l)) (map fst es)) (numbers (mcoalesced false (gs ++ mcompact_from es covered)))) as S.
  { intros gs es covered G C E. destruct (run_complement_spec _ (map fst es) Ps A D E) as (Pc & C1 & _).
    destruct (mcompact_same es covered E) as (T & Pm & V & F). unfold run_complement in *. rewrite <- G, <- C in *.
    pose proof Pc as Pg. apply pos_app in Pg. destruct Pg as [Pg _].
    assert (pos (numbers (gs ++ mcompact_from es covered))) as Pq by (rewrite numbers_app; apply pos_app; auto).
    destruct (mcoalesced_function _ Pq) as (X1 & X2 & X3 & X4). rewrite numbers_app in *.
    split; [assumption|]. rewrite X2, !total_app, T. split; [reflexivity|]. split.
    - intro i. rewrite X3, !beval_app, V by assumption. reflexivity.
    - intro Fn. apply X4. apply Forall_app in Fn. apply Forall_app. split; [apply Fn|apply F; assumption]. }
  unfold mgaps_and_rest in H. fold (nothing_left (mfiltered (leaves l))) in H. unfold past.
  destruct (nothing_left (mfiltered (leaves l))) eqn:E.
  - exists (coalesce_shape [] (leaves cotarget)). split; [reflexivity|].
    unfold make_layout, mfrom_flat in H. apply bind_some in H. destruct H as (u & _ & K). injection K as <-.
    apply (S [] _ (fixed 1)); unfold run_covered, steps; rewrite E; reflexivity.
  - apply bind_some in H. destruct H as (u & _ & H). apply bind_some in H. destruct H as ([gs covered] & G & H).
    apply bind_some in H. destruct H as (rest & R & H). unfold mfrom_flat in H. apply bind_some in H.
    destruct H as (u' & _ & K). injection K as <-. apply mgaps_numbers in G. cbn [fixed fst] in G.
    assert (steps (leaves l) = numbers (sort mby_stride (mfiltered (leaves l)))) as Es by (unfold steps; rewrite E; reflexivity).
    rewrite <- Es in G.
    exists (coalesce_shape [] (leaves rest)). split; [|apply S; unfold run_covered; rewrite G; reflexivity].
    exists covered, rest. unfold run_covered. rewrite G. auto.
Qed.

(** The complement in an integer, whichever leaves are static: if what Rust assumes of the dynamic ones
    holds, images meet only in 0, the complement is ordered, and every x below the cotarget is a sum. *)
Theorem mixed_complement_exact : forall l m c, pos (leaves (at_run_time l)) -> mcomplement l (Leaf m) = Some c ->
  (* Ascends *) ascends (steps (leaves l)) -> (* Divides *) dividing (steps (leaves l)) 1 -> 1 <= fst m ->
  let L := at_run_time l in let C := at_run_time c in
  pos (leaves C)
  /\ (forall x, In x (image L) -> In x (image C) -> x = 0)
  /\ (forall i j, 0 <= i < j -> j < size C -> eval C i < eval C j)
  /\ (forall x, 0 <= x < fst m -> exists u v, In u (image L) /\ In v (image C) /\ x = u + v).
Proof.
  intros l m c P H A D M L C. rewrite at_run_time_leaves in P. destruct (steps_spec _ P) as [Ps Vs].
  destruct (mcomplement_same l (Leaf m) c P H A D) as (es & E & S).
  assert (map fst es = [cdiv (fst m) (run_covered (steps (leaves l)))]) as Ee.
  { unfold past in E. destruct (nothing_left _) eqn:N.
    - subst es. unfold run_covered, steps. rewrite N. reflexivity.
    - destruct E as (covered & rest & C' & R & ->). cbn [mceil_div] in R. apply bind_some in R. destruct R as (u & _ & R).
      injection R as <-. cbn [leaves coalesce_shape rev app map kcdiv fst]. rewrite C'. reflexivity. }
  assert (1 <= run_covered (steps (leaves l))) as C1 by (apply (run_complement_spec _ [] Ps A D); constructor).
  pose proof (cdiv_ge_1 _ _ M C1) as Q. rewrite Ee in S. specialize (S ltac:(repeat constructor; assumption)).
  assert (forall x, In x (values (steps (leaves l))) <-> In x (values (numbers (leaves l)))) as Vl.
  { intro x. rewrite (Permutation_in_iff _ _ x Vs). apply mfilter_image. assumption. }
  destruct (dynamic_complement_exact _ _ _ _ P Ps Vl A D M eq_refl) as (Pc & _ & X1 & X2 & X3 & _).
  pose proof (same_function_values _ _ Pc S) as Vc. destruct S as (Pn & Tn & Fn & _).
  assert (pos (leaves C)) as PC by (unfold C; rewrite at_run_time_leaves; assumption).
  assert (pos (leaves L)) as PL by (unfold L; rewrite at_run_time_leaves; assumption).
  split; [assumption|]. rewrite !image_values by assumption. unfold L, C. rewrite !at_run_time_leaves, Vc.
  split; [assumption|]. split; [|assumption].
  intros i j I J. unfold size in J. rewrite at_run_time_leaves in J.
  rewrite !eval_leaves; unfold size; rewrite ?at_run_time_leaves; try assumption; try lia.
  rewrite !Fn. apply X2; lia.
Qed.
