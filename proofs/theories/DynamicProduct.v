(** Product of layouts with dynamic leaves (ops/product.rs). No assumption excludes negative strides of
    the tiler, with which its values are no indices, so a composition's theorem does not apply. *)
From Cute Require Export DynamicComplement Product.

(** * Strides of either sign *)

Lemma digit_sums_abs : forall a bl, digit_sums a (absolute bl) = digit_sums a bl.
Proof.
  intros a bl. unfold digit_sums, absolute. induction bl as [|[s d] bl IH]; [reflexivity|].
  cbn [map fold_right fst snd]. rewrite IH. f_equal.
  destruct (Z.eqb_spec d 0) as [->|N]; [reflexivity|]. replace (Z.abs d =? 0) with false by lia.
  destruct (abs_cases d) as [->| ->]; [reflexivity|apply walk_digits_opp].
Qed.

Lemma total_absolute : forall bl, total (absolute bl) = total bl.
Proof. intros. unfold total, absolute. rewrite map_map. reflexivity. Qed.

Lemma reach_nonneg : forall l, pos l -> 0 <= reach l.
Proof.
  intros l P. induction P as [|[s d] l B1 _ IH]; [cbn; lia|]. cbn [fst] in B1.
  change (reach ((s, d) :: l)) with ((s - 1) * Z.abs d + reach l). nia.
Qed.

Lemma reach_absolute : forall bl, reach (absolute bl) = reach bl.
Proof.
  intros. unfold reach, absolute. induction bl as [|p bl IH]; [reflexivity|]. cbn [map fold_right fst snd]. rewrite IH. lia.
Qed.

(** The index with the digits of [i] where strides are not negative, and those of [j] elsewhere. *)
Fixpoint mix (bl : list leaf) (i j : Z) : Z :=
  match bl with
  | [] => 0
  | (s, d) :: r => (if 0 <=? d then i mod s else j mod s) + s * mix r (i / s) (j / s)
  end.

Lemma mix_bound : forall bl i j, pos bl -> 0 <= mix bl i j < total bl.
Proof.
  induction bl as [|[s d] bl IH]; intros i j P; [rewrite total_nil; cbn; lia|].
  apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1. rewrite total_cons. cbn [fst mix].
  specialize (IH (i / s) (j / s) P2). pose proof (mod_bound i s P1). pose proof (mod_bound j s P1).
  destruct (0 <=? d); nia.
Qed.

(** A difference of values is one of values of the layout with positive strides. *)
Lemma beval_mix : forall bl i j, pos bl ->
  beval bl i - beval bl j = beval (absolute bl) (mix bl i j) - beval (absolute bl) (mix bl j i).
Proof.
  induction bl as [|[s d] bl IH]; intros i j P; [reflexivity|].
  apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1. specialize (IH (i / s) (j / s) P2).
  unfold absolute in *. cbn [map fst snd beval mix]. pose proof (mod_bound i s P1). pose proof (mod_bound j s P1).
  destruct (Z.leb_spec 0 d); rewrite !digit_mod, !digit_div by assumption.
  - replace (Z.abs d) with d by lia. lia.
  - replace (Z.abs d) with (- d) by lia. lia.
Qed.

Lemma beval_opp : forall l i, beval (map (fun p : leaf => (fst p, - snd p)) l) i = - beval l i.
Proof.
  induction l as [|[s d] l IH]; intro i; [reflexivity|]. cbn [map fst snd beval]. rewrite IH. lia.
Qed.

Lemma run_values_mix : forall a bl i j, pos a -> a <> [] -> pos bl ->
  Forall (fun p => snd p = 0 \/ walk_assumes a (fst p) (snd p)) bl ->
  beval (run_values a bl) i - beval (run_values a bl) j
  = beval (run_values a (absolute bl)) (mix bl i j) - beval (run_values a (absolute bl)) (mix bl j i).
Proof.
  intros a bl i j P N B. revert i j. induction B as [|[s d] bl B1 B2 IH]; intros i j W; [reflexivity|].
  inversion_clear W as [|? ? W1 W2]. cbn [fst snd] in *. specialize (IH (i / s) (j / s) W2).
  unfold run_values, absolute in *. cbn [map flat_map fst snd mix].
  pose proof (mod_bound i s B1). pose proof (mod_bound j s B1).
  destruct (Z.eqb_spec d 0) as [->|Nd].
  - change (Z.abs 0 =? 0) with true. change (0 <=? 0) with true. cbn [app beval].
    rewrite !digit_mod, !digit_div by assumption. lia.
  - replace (Z.abs d =? 0) with false by lia. destruct W1 as [W1|W1]; [contradiction|].
    apply walk_assumes_abs in W1.
    destruct (walk_values_exact a s (Z.abs d) P N B1 ltac:(lia) W1) as (Pw & Tw & _).
    assert (pos (walk_values a s d) /\ total (walk_values a s d) = s) as [Pv Tv].
    { destruct (abs_cases d) as [E|E]; rewrite E in *; [auto|]. rewrite walk_values_opp in Pw, Tw.
      unfold pos, total in *. rewrite Forall_map in Pw. rewrite map_map in Tw. auto. }
    rewrite !beval_app by assumption. rewrite Tw, Tv.
    rewrite <- (beval_mod (walk_values a s d) i), <- (beval_mod (walk_values a s d) j) by assumption.
    rewrite <- (beval_mod (walk_values a s (Z.abs d)) (_ + s * mix bl (i / s) (j / s))),
            <- (beval_mod (walk_values a s (Z.abs d)) (_ + s * mix bl (j / s) (i / s))) by assumption.
    rewrite Tw, Tv. destruct (Z.leb_spec 0 d); rewrite !digit_mod, !digit_div by assumption.
    + replace (Z.abs d) with d by lia. lia.
    + replace (Z.abs d) with (- d) in * by lia. rewrite walk_values_opp, !beval_opp in *. lia.
Qed.

(** * Product *)

(** There is a place for each value of B. *)
Lemma copies_fit : forall block f b, pos block -> pos f -> pos b ->
  (forall x, In x (values f) <-> In x (values block)) -> ascends f -> dividing f 1 ->
  reach b < total (run_complement f [cdiv (total block * (reach b + 1)) (run_covered f)]).
Proof.
  intros block f b P Pf Pb V A D. pose proof (reach_nonneg b Pb) as Rb. pose proof (total_pos _ P).
  destruct (dynamic_complement_exact block f (total block * (reach b + 1)) _ P Pf V A D ltac:(nia) eq_refl)
    as (Ps & Ns & _ & _ & _ & Ts).
  destruct (values_app_nodup _ _ Pf Ps Ns) as [Nf _].
  assert (total f <= total block) as L; [|pose proof (total_pos _ Pf); nia].
  apply NoDup_incl_length with (l' := values block) in Nf; [|intros x X; apply V; assumption].
  rewrite !values_length in Nf by assumption. pose proof (total_pos _ Pf). lia.
Qed.

(** If all assumptions hold, the run-time values of a product P = (A, C) are those of copies of A: the
    copies at two coordinates of equal value of B are the same, and if neither A nor B repeats a value,
    P does not. Without negative strides, P(i, j) = A(i) + A*(B(j)), with the complement A*. [f] is what
    filter leaves of A, in order of stride, and [a] what coalescing leaves of A*. *)
Theorem dynamic_product_exact : forall block f b star a c, pos block -> pos f -> pos b ->
  (forall x, In x (values f) <-> In x (values block)) ->
  (* Ascends *) ascends f -> (* Divides *) dividing f 1 ->
  star = run_complement f [cdiv (total block * (reach b + 1)) (run_covered f)] ->
  pos a -> a <> [] -> (forall x, 0 <= x < total star -> feval a x = beval star x) ->
  (* Divides, DividesOrLess, Carries *) Forall (fun p => snd p = 0 \/ walk_assumes a (fst p) (snd p)) b ->
  (* Apart *) apart a (digit_sums a b) 0 1 ->
  c = run_values a b ->
  pos c /\ total (block ++ c) = total block * total b
  /\ (forall i j, 0 <= i < total b -> 0 <= j < total b -> beval b i = beval b j -> beval c i = beval c j)
  /\ (NoDup (values block) -> NoDup (values b) -> NoDup (values (block ++ c)))
  /\ (Forall (fun p => 0 <= snd p) b -> forall i j, 0 <= i < total block -> 0 <= j < total b ->
      beval (block ++ c) (i + total block * j) = beval block i + beval star (beval b j)).
Proof.
  intros block f b star a c P Pf Pb V A D -> Pa N Fa W Ap ->.
  set (m := total block * (reach b + 1)) in *.
  pose proof (reach_nonneg b Pb) as Rb.
  pose proof (total_pos _ P) as Tp. assert (1 <= m) as M by (unfold m; nia).
  destruct (dynamic_complement_exact block f m _ P Pf V A D M eq_refl) as (Ps & Ns & _ & Os & _ & Ts).
  set (star := run_complement f [cdiv m (run_covered f)]) in *.
  pose proof (copies_fit block f b P Pf Pb V A D) as Wi. fold m star in Wi.
  assert (pos (absolute b)) as Pab by (unfold pos, absolute in *; rewrite Forall_map; exact Pb).
  assert (Forall (fun p => 0 <= snd p) (absolute b)) as Fab.
  { unfold absolute. rewrite Forall_map. apply Forall_forall. intros p _. cbn. lia. }
  assert (Forall (fun p => snd p = 0 \/ walk_assumes a (fst p) (snd p)) (absolute b)) as Wab.
  { unfold absolute. rewrite Forall_map. eapply Forall_impl; [|exact W]. cbn [fst snd]. intros p [E|E]; [left; lia|right].
    apply walk_assumes_abs. assumption. }
  rewrite <- digit_sums_abs in Ap.
  set (g := beval (absolute b)).
  assert (forall k, 0 <= g k < total star) as G.
  { intro k. pose proof (beval_reach (absolute b) k Pab Fab) as B. rewrite reach_absolute in B. fold g in B. lia. }
  assert (forall k, 0 <= k -> beval (run_values a (absolute b)) k = beval star (g k)) as R.
  { intros k K. destruct (run_values_parts a (absolute b) Pa N Pab Fab Wab k K) as (E & X & Dg). rewrite E.
    pose proof (feval_sum a (parts (absolute b) k) 0 _ 0 1 Pa N X ltac:(lia) ltac:(lia) ltac:(lia) Dg Ap) as S.
    rewrite Z.mul_0_l, !Z.add_0_r in S. rewrite <- S, parts_sum. apply Fa, G. }
  assert (forall i j, beval (run_values a b) i - beval (run_values a b) j = beval star (g (mix b i j)) - beval star (g (mix b j i))) as Mx.
  { intros i j. rewrite <- !R by (apply mix_bound; assumption). apply run_values_mix; assumption. }
  assert (forall i j, beval b i - beval b j = g (mix b i j) - g (mix b j i)) as Bx by (intros; apply beval_mix; assumption).
  assert (forall x y, 0 <= x < total star -> 0 <= y < total star -> beval star x = beval star y -> x = y) as Inj.
  { intros x y X Y E. destruct (Z.lt_trichotomy x y) as [L|[L|L]]; [|assumption|].
    - specialize (Os x y). lia.
    - specialize (Os y x). lia. }
  destruct (run_values_pos a b Pa N Pb W) as [Pc Tc].
  split; [assumption|]. split; [rewrite total_app, Tc; reflexivity|]. split; [|split].
  - intros i j _ _ E. specialize (Mx i j). specialize (Bx i j). assert (g (mix b i j) = g (mix b j i)) as Eg by lia.
    rewrite Eg in Mx. lia.
  - intros Nb Nt. apply values_nodup in Nt; [|assumption]. apply sum_nodup; [assumption| |].
    + apply values_nodup; [assumption|]. intros i j I J E. rewrite Tc in I, J. apply Nt; try assumption.
      specialize (Mx i j). specialize (Bx i j).
      assert (g (mix b i j) = g (mix b j i)) by (apply Inj; try apply G; lia). lia.
    + intros u u' v v' U U' Iv Iv' E. apply values_in in Iv, Iv'; try assumption.
      destruct Iv as (i & _ & <-). destruct Iv' as (j & _ & <-). specialize (Mx i j).
      apply V in U, U'.
      destruct (values_app_unique f star Ns u u' (beval star (g (mix b i j))) (beval star (g (mix b j i)))) as [_ H];
        try assumption; try (apply values_in; [assumption|]; eexists; split; [apply G|reflexivity]); lia.
  - intros F i j I J. rewrite beval_app by assumption. rewrite <- (beval_mod block) by assumption.
    rewrite digit_mod, digit_div by assumption. f_equal.
    assert (absolute b = b) as Eb.
    { clear - F. unfold absolute. induction F as [|[s d] b B _ IH]; [reflexivity|]. cbn [map fst snd] in *. rewrite IH. f_equal. f_equal. lia. }
    unfold g in R. rewrite Eb in R. apply R. lia.
Qed.
