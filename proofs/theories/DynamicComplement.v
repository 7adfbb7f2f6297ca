(** Complement and divide of layouts with dynamic leaves: what the run-time values are, and that they
    satisfy the equations if the assumptions do (ops/complement.rs, ops/divide.rs, [Assumption] of int.rs). *)
From Cute Require Export Dynamic Divide.

(** * Complement *)

(** The loop of [gaps_and_rest] without its check: the gap before each stride, and how far all reach. *)
Fixpoint run_gaps (l : list leaf) (covered : Z) : list leaf * Z :=
  match l with
  | [] => ([], covered)
  | (s, d) :: r => let (gs, end_) := run_gaps r (d * s) in ((Z.quot d covered, covered) :: gs, end_)
  end.

(** [compact_from]; a static extent of 1 has stride 0, which changes no value. *)
Fixpoint compact_from (es : list Z) (start : Z) : list leaf :=
  match es with
  | [] => []
  | e :: es => (e, start) :: compact_from es (start * e)
  end.

(** How far the modes reach, by which the cotarget is divided. *)
Definition run_covered (f : list leaf) : Z := snd (run_gaps f 1).

(** [gaps_and_rest] at run time: [f] is what filter leaves of a layout, in order of stride, and [es]
    are the extents past its last stride. *)
Definition run_complement (f : list leaf) (es : list Z) : list leaf :=
  fst (run_gaps f 1) ++ compact_from es (run_covered f).

(** [Assumption::Ascends]; static strides are checked. *)
Definition ascends (f : list leaf) : Prop := Forall (fun p => 0 < snd p) f.

Lemma run_gaps_some : forall l covered, pos l -> 1 <= covered -> ascends l -> dividing l covered ->
  gaps l covered = Some (run_gaps l covered) /\ pos (fst (run_gaps l covered)).
Proof.
  induction l as [|[s d] l IH]; intros covered P C A D; [split; [reflexivity|constructor]|].
  apply pos_cons in P. destruct P as [P1 P2]. inversion_clear A as [|? ? A1 A2]. cbn [fst snd dividing] in *.
  destruct D as [D1 D2]. destruct (IH (d * s) P2 ltac:(nia) A2 D2) as [G Pg].
  cbn [gaps run_gaps]. destruct (run_gaps l (d * s)) as [gs c]. cbn [fst] in *.
  assert (d = Z.quot d covered * covered) as Q by (pose proof (Z.quot_rem d covered); lia).
  assert (1 <= Z.quot d covered) as F by nia.
  replace (negb (Z.quot d covered =? 0)) with true by (symmetry; apply negb_true_iff; lia). cbn [guard bind].
  rewrite G. cbn [bind]. split; [reflexivity|]. constructor; assumption.
Qed.

Lemma compact_from_spec : forall es c reached, Forall (Z.le 1) es -> 1 <= c -> 0 <= reached < c ->
  pos (compact_from es c) /\ total (compact_from es c) = prod es /\ reach (compact_from es c) = c * prod es - c
  /\ Forall (fun p => 0 <= snd p) (compact_from es c) /\ steps_over (compact_from es c) reached = true /\ 1 <= prod es.
Proof.
  induction es as [|e es IH]; intros c reached E C R.
  - cbn [compact_from]. rewrite total_nil. change (prod []) with 1. cbn [reach fold_right steps_over].
    repeat split; try constructor; lia.
  - inversion_clear E as [|? ? E1 E2]. cbn [compact_from].
    destruct (IH (c * e) (c * (e - 1) + reached) E2 ltac:(nia) ltac:(nia)) as (P & T & X & F & S & O).
    rewrite total_cons. cbn [fst]. change (prod (e :: es)) with (e * prod es).
    change (reach ((e, c) :: compact_from es (c * e))) with ((e - 1) * Z.abs c + reach (compact_from es (c * e))).
    cbn [steps_over]. replace (reached <? c) with true by lia. rewrite S, T, X.
    repeat split; try (constructor; [cbn; lia|assumption]); nia.
Qed.

Lemma reach_app : forall a b, reach (a ++ b) = reach a + reach b.
Proof. induction a as [|p a IH]; intro b; [reflexivity|]. unfold reach in *. cbn [app fold_right]. rewrite IH. lia. Qed.

(** The layout without its repetitions and its complement are a bijection together. *)
Lemma run_complement_spec : forall f es, pos f -> ascends f -> dividing f 1 -> Forall (Z.le 1) es ->
  pos (run_complement f es) /\ 1 <= run_covered f
  /\ total f * total (run_complement f es) = run_covered f * prod es
  /\ Permutation (values (f ++ run_complement f es)) (zseq (run_covered f * prod es))
  /\ Forall (fun p => 0 <= snd p) (run_complement f es)
  /\ (forall i j, 0 <= i < j -> j < total (run_complement f es) ->
      beval (run_complement f es) i < beval (run_complement f es) j).
Proof.
  intros f es P A D E. destruct (run_gaps_some f 1 P ltac:(lia) A D) as [G Pg].
  unfold run_complement, run_covered. destruct (run_gaps f 1) as [gs c] eqn:R. cbn [fst snd] in *.
  destruct (dividing_gaps f 1 gs c P ltac:(lia) G Pg D) as (T & X & F1 & F2 & C).
  destruct (gaps_step f 1 0 gs c P ltac:(lia) ltac:(lia) G Pg) as (w & r1 & W & R1 & _ & S1).
  destruct (gaps_ascend f 1 0 gs c P ltac:(lia) ltac:(lia) G Pg) as (r2 & R2 & S2).
  destruct (compact_from_spec es c r1 E C R1) as (Pc & Tc & Xc & Fc & Sc & O).
  destruct (compact_from_spec es c r2 E C R2) as (_ & _ & _ & _ & Sc2 & _).
  assert (pos (gs ++ compact_from es c)) as Pr by (apply pos_app; auto).
  assert (total f * total (gs ++ compact_from es c) = c * prod es) as Tt by (rewrite total_app, Tc; nia).
  assert (pos (f ++ gs ++ compact_from es c)) as Pa by (apply pos_app; auto).
  split; [assumption|]. split; [assumption|]. split; [assumption|]. split; [|split].
  - apply NoDup_Permutation_bis.
    + assert (Permutation (w ++ compact_from es c) (f ++ gs ++ compact_from es c)) as Q.
      { rewrite W, app_assoc. apply Permutation_app_tail, Permutation_app_comm. }
      eapply Permutation_NoDup; [apply values_perm; exact Q|]. apply steps_one_to_one; [|rewrite S1; exact Sc].
      eapply pos_perm; [symmetry; exact Q|assumption].
    + rewrite zseq_length, values_length, total_app by assumption. lia.
    + intros x I. apply values_in in I; [|assumption]. destruct I as (i & _ & <-). apply zseq_in.
      pose proof (beval_reach (f ++ gs ++ compact_from es c) i Pa) as B. rewrite !reach_app in B.
      assert (0 <= beval (f ++ gs ++ compact_from es c) i <= reach f + (reach gs + reach (compact_from es c))); [|nia].
      apply B. apply Forall_app. split; [assumption|]. apply Forall_app. auto.
  - apply Forall_app. auto.
  - intros i j I J. pose proof (steps_spread _ 0 Pr ltac:(lia) ltac:(rewrite S2; exact Sc2) i j I J). lia.
Qed.

(** If all assumptions hold, the run-time values are those of a complement: no sum of a value of the
    layout and one of the complement has another pair of summands, the complement is ordered, and
    every x below the cotarget is such a sum. *)
Theorem dynamic_complement_exact : forall l f m c, pos l -> pos f -> (forall x, In x (values f) <-> In x (values l)) ->
  (* Ascends *) ascends f -> (* Divides *) dividing f 1 ->
  1 <= m -> c = run_complement f [cdiv m (run_covered f)] ->
  pos c /\ NoDup (values (f ++ c))
  /\ (forall x, In x (values l) -> In x (values c) -> x = 0)
  /\ (forall i j, 0 <= i < j -> j < total c -> beval c i < beval c j)
  /\ (forall x, 0 <= x < m -> exists u v, In u (values l) /\ In v (values c) /\ x = u + v)
  /\ m <= total f * total c.
Proof.
  intros l f m c Pl P V A D M ->.
  assert (1 <= run_covered f) as C by (apply (run_complement_spec f [] P A D); constructor).
  pose proof (cdiv_ge_1 m (run_covered f) M C) as Q.
  destruct (run_complement_spec f [cdiv m (run_covered f)] P A D) as (Pc & _ & T & Perm & _ & O); [repeat constructor; assumption|].
  set (c := run_complement f [cdiv m (run_covered f)]) in *.
  change (prod [cdiv m (run_covered f)]) with (cdiv m (run_covered f) * 1) in *. rewrite Z.mul_1_r in *.
  assert (m <= run_covered f * cdiv m (run_covered f)) as Mc.
  { rewrite (cdiv_pos m) by assumption. pose proof (Z.div_mod (m - 1) (run_covered f)).
    pose proof (mod_bound (m - 1) (run_covered f) C). nia. }
  assert (NoDup (values (f ++ c))) as N by (eapply Permutation_NoDup; [symmetry; exact Perm|apply zseq_nodup]).
  split; [assumption|]. split; [assumption|]. split; [|split; [assumption|split; [|lia]]].
  - intros x X Y. apply V in X. destruct (values_app_unique f c N x 0 0 x); try assumption; try lia; apply values_0; assumption.
  - intros x X. assert (In x (values (f ++ c))) as I.
    { eapply Permutation_in; [symmetry; exact Perm|]. apply zseq_in. lia. }
    apply values_app_in in I. destruct I as (u & v & U & W & ->). exists u, v. rewrite <- V. auto.
Qed.

(** * Divide *)

Lemma Permutation_in_iff : forall {A} (l r : list A) x, Permutation l r -> In x l <-> In x r.
Proof. intros. split; apply Permutation_in; [|symmetry]; assumption. Qed.

(** What coalescing leaves of [l], whichever modes it merges: the same function, of strides of [l]. *)
Definition same_function (l r : list leaf) : Prop :=
  pos r /\ total r = total l /\ (forall i, beval r i = beval l i)
  /\ (Forall (fun p => 0 <= snd p) l -> Forall (fun p => 0 <= snd p) r).

Lemma same_function_values : forall l r, pos l -> same_function l r -> values r = values l.
Proof. intros l r P (Q & T & V & _). rewrite !values_beval, T by assumption. apply map_ext. assumption. Qed.

(** If all assumptions hold, the run-time values of a divide are D(i, j) = A(T(i) + R(j)), and tile and
    rest reach each index of A once. [a] and [r] are what coalescing leaves of A and of the rest, [f] is
    what filter leaves of T, in order of stride, and [es] are the extents of A divided by what T reaches. *)
Theorem dynamic_divide_exact : forall (l : layout) a t f es r d, pos (leaves l) ->
  pos a -> a <> [] -> (forall x, 0 <= x < size l -> feval a x = eval l x) ->
  pos t -> Forall (fun p => 0 <= snd p) t -> pos f -> (* Single *) Permutation (values f) (values t) ->
  (* Ascends *) ascends f -> (* Divides *) dividing f 1 ->
  Forall (Z.le 1) es -> (* Covers *) prod es * run_covered f = size l ->
  same_function (run_complement f es) r ->
  (* Divides, DividesOrLess, Carries *) Forall (fun p => snd p = 0 \/ walk_assumes a (fst p) (snd p)) (t ++ r) ->
  (* Apart *) apart a (digit_sums a (t ++ r)) 0 1 ->
  d = run_values a (t ++ r) ->
  pos d /\ total d = size l
  /\ (forall i j, 0 <= i < total t -> 0 <= j < total r ->
      beval d (i + total t * j) = eval l (beval t i + beval r j))
  /\ Permutation (values (t ++ r)) (zseq (size l)) /\ Permutation (values d) (image l).
Proof.
  intros l a t f es r d Pl P N F T Ts Pf V A D E C R W Ap ->.
  destruct (run_complement_spec f es Pf A D E) as (Pc & _ & Tt & Perm & Fc & _).
  pose proof (same_function_values _ _ Pc R) as Vr. destruct R as (Pr & Tr & _ & Fr). specialize (Fr Fc).
  assert (Permutation (values (t ++ r)) (zseq (size l))) as Q.
  { rewrite <- C, Z.mul_comm, <- Perm, !values_app, Vr.
    clear - V. induction (values (run_complement f es)) as [|v vs IH]; [constructor|]. cbn [flat_map].
    apply Permutation_app; [apply Permutation_map; symmetry; exact V|exact IH]. }
  assert (pos (t ++ r)) as Pa by (apply pos_app; auto).
  assert (Forall (fun p => 0 <= snd p) (t ++ r)) as Fa by (apply Forall_app; auto).
  assert (total (t ++ r) = size l) as Ta.
  { pose proof (Permutation_length Q) as L. rewrite values_length, zseq_length in L by assumption.
    pose proof (total_pos _ Pa). pose proof (total_pos _ Pl). unfold size in *. lia. }
  destruct (run_values_pos a (t ++ r) P N Pa W) as [Pd Td].
  assert (reach (t ++ r) < size l) as Wi.
  { rewrite <- beval_last by assumption. pose proof (total_pos _ Pa).
    assert (In (beval (t ++ r) (total (t ++ r) - 1)) (values (t ++ r))) as I.
    { apply values_in; [assumption|]. exists (total (t ++ r) - 1). split; [lia|reflexivity]. }
    apply (Permutation_in_iff _ _ _ Q) in I. apply zseq_in in I. lia. }
  pose proof (dynamic_composition_exact l a (t ++ r) P N F Pa Fa Wi W Ap) as X.
  split; [assumption|]. split; [lia|]. split; [|split; [assumption|]].
  - intros i j I J. rewrite X by (rewrite total_app; nia). f_equal. rewrite beval_app by assumption.
    rewrite <- (beval_mod t) by assumption. rewrite digit_mod, digit_div by assumption. reflexivity.
  - rewrite values_beval by assumption. rewrite Td.
    rewrite (map_ext_in _ (fun i => eval l (beval (t ++ r) i))) by (intros i I; apply zseq_in in I; apply X; assumption).
    rewrite <- (map_map (beval (t ++ r)) (eval l)), <- values_beval by assumption.
    unfold image. apply Permutation_map. assumption.
Qed.
