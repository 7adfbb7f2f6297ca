(** Composition of layouts with dynamic leaves: what the run-time values are, and that they satisfy the
    equation if the assumptions do (ops/composition.rs, [Assumption] of int.rs).

    Rust computes the same numbers whether leaves are static or not, but checks only static ones, and
    makes an [Assumption] of the others. Where it knows that a mode has one element, it leaves it out;
    here every mode is there. MixedComposition.v shows that this makes no difference. *)
From Cute Require Export Image.

(** [compose_int] without its checks. *)
Fixpoint walk_values (a : list leaf) (rest step : Z) : list leaf :=
  match a with
  | [] => []
  | [(_, d)] => [(rest, d * step)]
  | (s, d) :: a =>
      let taken := Z.min (cdiv s (Z.abs step)) rest in
      (taken, d * step) :: walk_values a (Z.quot rest taken) (cdiv (Z.abs step) s * Z.sgn step)
  end.

(** [Assumption::Divides], [DividesOrLess] and [Carries] of the same walk. *)
Fixpoint walk_assumes (a : list leaf) (rest step : Z) : Prop :=
  match a with
  | [] | [_] => True
  | (s, d) :: a =>
      let taken := Z.min (cdiv s (Z.abs step)) rest in
      let rest' := Z.quot rest taken in
      let steps := Z.abs step * Z.sgn (rest' - 1) in
      Z.rem rest taken = 0
      /\ (steps < s \/ Z.rem steps s = 0)
      /\ (steps = 0 \/ Z.rem steps s = 0 \/ Z.rem s steps = 0)
      /\ walk_assumes a rest' (cdiv (Z.abs step) s * Z.sgn step)
  end.

(** How far the walk reaches in each mode but the last. *)
Fixpoint walk_digits (a : list leaf) (rest step : Z) : list Z :=
  match a with
  | [] | [_] => []
  | (s, d) :: a =>
      let taken := Z.min (cdiv s (Z.abs step)) rest in
      (taken - 1) * Z.abs step :: walk_digits a (Z.quot rest taken) (cdiv (Z.abs step) s * Z.sgn step)
  end.

(** [Digits::sums]: [Assumption::Apart] where the next mode does not continue this one. *)
Fixpoint apart (a : list leaf) (ds : list Z) (sum size : Z) : Prop :=
  match a, ds with
  | (s, d) :: ((_, e) :: _) as a, x :: ds =>
      let sum' := sum + x * size in
      let size' := size * s in
      sum' * Z.sgn (Z.abs (e - s * d)) < size' /\ apart a ds sum' size'
  | _, _ => True
  end.

Lemma apart_cons : forall s d t e a x ds sum size, apart ((s, d) :: (t, e) :: a) (x :: ds) sum size <->
  (sum + x * size) * Z.sgn (Z.abs (e - s * d)) < size * s /\ apart ((t, e) :: a) ds (sum + x * size) (size * s).
Proof. reflexivity. Qed.

(** * One mode of the right operand *)

Lemma walk_values_exact : forall a rest step, pos a -> a <> [] -> 1 <= rest -> 1 <= step -> walk_assumes a rest step ->
  pos (walk_values a rest step) /\ total (walk_values a rest step) = rest
  /\ forall c, 0 <= c < rest ->
     feval a (c * step) = beval (walk_values a rest step) c
     /\ Forall2 Z.le (digits_of a (c * step)) (walk_digits a rest step).
Proof.
  induction a as [|[s d] a IH]; intros rest step P N R S H; [congruence|].
  apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1. destruct a as [|q a].
  - cbn [walk_values]. split; [repeat constructor; assumption|]. split; [rewrite total_cons, total_nil; cbn [fst]; lia|].
    intros c C. cbn [feval beval digits_of walk_digits]. split; [rewrite Z.mod_small by lia; lia|constructor].
  - assert (q :: a <> []) as N' by discriminate. specialize (IH) with (2 := N'). remember (q :: a) as a' eqn:Ea.
    assert (walk_values ((s, d) :: a') rest step
            = (Z.min (cdiv s step) rest, d * step)
                :: walk_values a' (Z.quot rest (Z.min (cdiv s step) rest)) (cdiv step s)) as ->.
    { subst a'. cbn [walk_values]. replace (Z.abs step) with step by lia. replace (Z.sgn step) with 1 by lia.
      rewrite Z.mul_1_r. reflexivity. }
    assert (walk_digits ((s, d) :: a') rest step
            = (Z.min (cdiv s step) rest - 1) * step
                :: walk_digits a' (Z.quot rest (Z.min (cdiv s step) rest)) (cdiv step s)) as ->.
    { subst a'. cbn [walk_digits]. replace (Z.abs step) with step by lia. replace (Z.sgn step) with 1 by lia.
      rewrite Z.mul_1_r. reflexivity. }
    assert (Z.rem rest (Z.min (cdiv s step) rest) = 0
            /\ (step * Z.sgn (Z.quot rest (Z.min (cdiv s step) rest) - 1) < s
                \/ Z.rem (step * Z.sgn (Z.quot rest (Z.min (cdiv s step) rest) - 1)) s = 0)
            /\ (step * Z.sgn (Z.quot rest (Z.min (cdiv s step) rest) - 1) = 0
                \/ Z.rem (step * Z.sgn (Z.quot rest (Z.min (cdiv s step) rest) - 1)) s = 0
                \/ Z.rem s (step * Z.sgn (Z.quot rest (Z.min (cdiv s step) rest) - 1)) = 0)
            /\ walk_assumes a' (Z.quot rest (Z.min (cdiv s step) rest)) (cdiv step s)) as (H1 & H2 & H3 & H4).
    { subst a'. cbn [walk_assumes] in H. replace (Z.abs step) with step in H by lia.
      replace (Z.sgn step) with 1 in H by lia. rewrite Z.mul_1_r in H. exact H. }
    clear H. pose proof (cdiv_ge_1 s step P1 S) as K.
    set (taken := Z.min (cdiv s step) rest) in *. assert (1 <= taken) as T by (unfold taken; lia).
    rewrite rem_mod in H1 by lia. rewrite !quot_div in * by lia.
    assert (rest = taken * (rest / taken)) as D by (pose proof (Z.div_mod rest taken); lia).
    set (rounds := rest / taken) in *. assert (1 <= rounds) as R1 by nia.
    pose proof (cdiv_ge_1 step s S P1) as S'.
    destruct (IH rounds (cdiv step s) P2 R1 S' H4) as (Pw & Tw & Vw).
    split; [constructor; assumption|]. split; [rewrite total_cons; cbn [fst]; lia|]. intros c C.
    pose proof (Z.div_mod c taken ltac:(lia)) as C'. pose proof (mod_bound c taken T) as C0.
    assert (0 <= c / taken < rounds) as C1 by (split; [apply div_nonneg; lia|apply div_lt; lia]).
    set (c0 := c mod taken) in *. set (c1 := c / taken) in *.
    destruct (Vw c1 C1) as [V B].
    assert (digits_of ((s, d) :: a') (c * step) = (c * step) mod s :: digits_of a' (c * step / s)) as -> by (subst a'; reflexivity).
    rewrite feval_cons by (subst a'; discriminate). cbn [beval]. fold c0 c1.
    (* The digit is c0 * step, and the next mode sees c1 steps. *)
    assert ((c * step) mod s = c0 * step /\ c * step / s = c1 * cdiv step s) as [-> ->].
    { assert (exists x, (c * step = c0 * step + s * x) /\ 0 <= c0 * step < s /\ x = c1 * cdiv step s) as (x & X1 & X2 & ->).
      { destruct (Z.lt_ge_cases step s) as [L|L].
        - rewrite (cdiv_small step s) by lia. exists c1.
          assert (taken <= cdiv s step /\ (taken < rest -> taken = cdiv s step)) as [TK TE] by (unfold taken; lia).
          rewrite (cdiv_pos s step) in TK, TE by lia.
          pose proof (Z.mul_div_le (s - 1) step ltac:(lia)) as Q1. set (q1 := (s - 1) / step) in *.
          assert ((taken - 1) * step <= s - 1) as W by nia.
          split; [|split; [nia|lia]].
          destruct (Z.eq_dec rounds 1) as [E|E]; [assert (c1 = 0) by lia; nia|].
          replace (Z.sgn (rounds - 1)) with 1 in * by lia. rewrite Z.mul_1_r in *.
          assert (Z.rem s step = 0) as M.
          { destruct H3 as [H3|[H3|H3]]; [lia| |assumption]. rewrite rem_mod, Z.mod_small in H3 by lia. lia. }
          rewrite rem_mod in M by lia.
          assert (s = step * (s / step)) as Ds by (pose proof (Z.div_mod s step); lia).
          assert (q1 + 1 = s / step) as Q2.
          { unfold q1. rewrite <- (cdiv_pos s step) by lia. rewrite Ds at 1. rewrite Z.mul_comm. apply cdiv_exact; nia. }
          assert (taken = s / step) as Et by (rewrite <- Q2; apply TE; nia).
          assert (taken * step = s) as Ts by nia. nia.
        - assert (cdiv s step = 1) as E1 by (apply cdiv_small; lia).
          assert (taken = 1) as Et by (unfold taken; lia).
          assert (c0 = 0) as Z0 by (unfold c0; rewrite Et; apply Z.mod_1_r).
          assert (c1 = c) as Zc by (unfold c1; rewrite Et; apply Z.div_1_r).
          rewrite Z0, Zc. exists (c * cdiv step s). split; [|split; lia].
          destruct (Z.eq_dec rounds 1) as [E|E]; [assert (c = 0) by lia; nia|].
          replace (Z.sgn (rounds - 1)) with 1 in * by lia. rewrite Z.mul_1_r in *.
          assert (step mod s = 0) as M.
          { destruct H2 as [H2|H2]; [lia|]. rewrite rem_mod in H2 by lia. assumption. }
          assert (step = step / s * s) as Ds by (pose proof (Z.div_mod step s); lia).
          assert (cdiv step s = step / s) as ->; [|nia].
          rewrite Ds at 1. apply cdiv_exact; nia. }
      rewrite X1, digit_mod, digit_div by lia. auto. }
    rewrite V. split; [nia|]. constructor; [nia|assumption].
Qed.

(** A negative stride takes the same steps backwards. *)
Lemma walk_values_opp : forall a s d, walk_values a s (- d) = map (fun p => (fst p, - snd p)) (walk_values a s d).
Proof.
  induction a as [|[x e] a IH]; intros s d; [reflexivity|]. destruct a as [|q a].
  - cbn [walk_values map fst snd]. f_equal. f_equal. lia.
  - remember (q :: a) as a' eqn:Ea.
    assert (forall s d, walk_values ((x, e) :: a') s d
            = (Z.min (cdiv x (Z.abs d)) s, e * d)
                :: walk_values a' (Z.quot s (Z.min (cdiv x (Z.abs d)) s)) (cdiv (Z.abs d) x * Z.sgn d)) as U
      by (intros; subst a'; reflexivity).
    rewrite !U. cbn [map fst snd]. rewrite Z.abs_opp, Z.sgn_opp, <- IH. f_equal; [f_equal; lia|]. f_equal. lia.
Qed.

Lemma walk_assumes_opp : forall a s d, walk_assumes a s (- d) <-> walk_assumes a s d.
Proof.
  induction a as [|[x e] a IH]; intros s d; [reflexivity|]. destruct a as [|q a]; [reflexivity|].
  remember (q :: a) as a' eqn:Ea.
  assert (forall s d, walk_assumes ((x, e) :: a') s d <->
          let taken := Z.min (cdiv x (Z.abs d)) s in
          let rest' := Z.quot s taken in
          let steps := Z.abs d * Z.sgn (rest' - 1) in
          Z.rem s taken = 0 /\ (steps < x \/ Z.rem steps x = 0) /\ (steps = 0 \/ Z.rem steps x = 0 \/ Z.rem x steps = 0)
          /\ walk_assumes a' rest' (cdiv (Z.abs d) x * Z.sgn d)) as U by (intros; subst a'; reflexivity).
  rewrite !U. cbv zeta. rewrite Z.abs_opp, Z.sgn_opp.
  replace (cdiv (Z.abs d) x * - Z.sgn d) with (- (cdiv (Z.abs d) x * Z.sgn d)) by lia. rewrite IH. reflexivity.
Qed.

Lemma walk_digits_opp : forall a s d, walk_digits a s (- d) = walk_digits a s d.
Proof.
  induction a as [|[x e] a IH]; intros s d; [reflexivity|]. destruct a as [|q a]; [reflexivity|].
  remember (q :: a) as a' eqn:Ea.
  assert (forall s d, walk_digits ((x, e) :: a') s d
          = (Z.min (cdiv x (Z.abs d)) s - 1) * Z.abs d
              :: walk_digits a' (Z.quot s (Z.min (cdiv x (Z.abs d)) s)) (cdiv (Z.abs d) x * Z.sgn d)) as U
    by (intros; subst a'; reflexivity).
  rewrite !U, Z.abs_opp, Z.sgn_opp. f_equal.
  replace (cdiv (Z.abs d) x * - Z.sgn d) with (- (cdiv (Z.abs d) x * Z.sgn d)) by lia. apply IH.
Qed.

Lemma abs_cases : forall d, Z.abs d = d \/ Z.abs d = - d.
Proof. lia. Qed.

Lemma walk_assumes_abs : forall a s d, walk_assumes a s (Z.abs d) <-> walk_assumes a s d.
Proof. intros a s d. destruct (abs_cases d) as [->| ->]; [reflexivity|apply walk_assumes_opp]. Qed.

(** * Sums whose carries stay in one mode *)

Definition sumz (xs : list Z) : Z := fold_right Z.add 0 xs.

Fixpoint sum_digits (a : list leaf) (xs : list Z) : list Z :=
  match a with
  | [] | [_] => []
  | (s, _) :: a => sumz (map (fun x => x mod s) xs) :: sum_digits a (map (fun x => x / s) xs)
  end.

Lemma sum_split : forall s xs, 1 <= s ->
  sumz xs = sumz (map (fun x => x mod s) xs) + s * sumz (map (fun x => x / s) xs).
Proof.
  intros s xs S. induction xs as [|x xs IH]; [cbn; lia|].
  change (x + sumz xs = x mod s + sumz (map (fun x => x mod s) xs) + s * (x / s + sumz (map (fun x => x / s) xs))).
  pose proof (Z.div_mod x s). lia.
Qed.

Lemma sumz_nonneg : forall xs, Forall (Z.le 0) xs -> 0 <= sumz xs.
Proof. intros xs H. induction H; [cbn; lia|]. change (0 <= x + sumz l). lia. Qed.

(** The value of a sum is the sum of the values, where each carry is 0 or into a mode that continues the
    one before it. *)
Lemma feval_sum : forall a xs c ds sum size, pos a -> a <> [] -> Forall (Z.le 0) xs -> 0 <= c -> 1 <= size ->
  c * size <= sum -> Forall2 Z.le (sum_digits a xs) ds -> apart a ds sum size ->
  feval a (sumz xs + c) = sumz (map (feval a) xs) + c * snd (hd (0, 0) a).
Proof.
  induction a as [|[s d] a IH]; intros xs c ds sum size P N X C Z1 Cs D A; [congruence|].
  apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1. destruct a as [|[t e] a].
  - cbn [feval hd snd]. clear. induction xs as [|x xs IH]; [cbn; lia|].
    change ((x + sumz xs + c) * d = x * d + sumz (map (fun i => i * d) xs) + c * d). lia.
  - assert ((t, e) :: a <> []) as N' by discriminate.
    change (sum_digits ((s, d) :: (t, e) :: a) xs)
      with (sumz (map (fun x => x mod s) xs) :: sum_digits ((t, e) :: a) (map (fun x => x / s) xs)) in D.
    destruct ds as [|u ds']; [inversion D|]. 
    assert (sumz (map (fun x => x mod s) xs) <= u /\ Forall2 Z.le (sum_digits ((t, e) :: a) (map (fun x => x / s) xs)) ds')
      as [D1 D2] by (inversion D; auto). apply apart_cons in A. destruct A as [A1 A2].
    set (m := sumz (map (fun x => x mod s) xs)) in *.
    assert (0 <= m) as M.
    { apply sumz_nonneg. clear - P1. induction xs; constructor; [apply mod_bound; assumption|assumption]. }
    set (k := (m + c) / s).
    assert (0 <= k) as K by (apply div_nonneg; lia).
    assert (s * k <= m + c) as Kl by (apply Z.mul_div_le; lia).
    assert (k * (e - s * d) = 0) as Kz.
    { destruct (Z.eq_dec (e - s * d) 0) as [E|E]; [rewrite E; lia|].
      replace (Z.sgn (Z.abs (e - s * d))) with 1 in A1 by lia.
      assert (k < 1) as L by nia. assert (k = 0) as -> by lia. lia. }
    assert (Forall (Z.le 0) (map (fun x => x / s) xs)) as X'.
    { rewrite Forall_map. eapply Forall_impl; [|exact X]. cbn. intros y Y. apply div_nonneg; lia. }
    assert (sumz xs + c = (m + c) mod s + s * (sumz (map (fun x => x / s) xs) + k)) as E.
    { rewrite (sum_split s xs) by assumption. fold m. pose proof (Z.div_mod (m + c) s). unfold k. lia. }
    rewrite E, feval_cons by discriminate. rewrite digit_mod, digit_div by (apply mod_bound; assumption).
    rewrite (IH _ k ds' (sum + u * size) (size * s) P2 N' X' K ltac:(nia) ltac:(nia) D2 A2).
    assert (sumz (map (feval ((s, d) :: (t, e) :: a)) xs)
            = m * d + sumz (map (feval ((t, e) :: a)) (map (fun x => x / s) xs))) as ->.
    { unfold m. clear. induction xs as [|x xs IH]; [cbn; lia|]. cbn [map].
      change (sumz (feval ((s, d) :: (t, e) :: a) x :: map (feval ((s, d) :: (t, e) :: a)) xs))
        with (feval ((s, d) :: (t, e) :: a) x + sumz (map (feval ((s, d) :: (t, e) :: a)) xs)).
      rewrite IH, feval_cons by discriminate.
      change (sumz (x mod s :: map (fun x => x mod s) xs)) with (x mod s + sumz (map (fun x => x mod s) xs)).
      change (sumz (feval ((t, e) :: a) (x / s) :: map (feval ((t, e) :: a)) (map (fun x => x / s) xs)))
        with (feval ((t, e) :: a) (x / s) + sumz (map (feval ((t, e) :: a)) (map (fun x => x / s) xs))). lia. }
    cbn [hd snd]. pose proof (Z.div_mod (m + c) s ltac:(lia)). unfold k in *. nia.
Qed.

Lemma sum_digits_cons : forall a x xs, sum_digits a (x :: xs) = add_digits (digits_of a x) (sum_digits a xs).
Proof.
  induction a as [|[s d] a IH]; intros x xs; [reflexivity|]. destruct a as [|q a]; [reflexivity|].
  rewrite digits_of_cons.
  change (sum_digits ((s, d) :: q :: a) xs)
    with (sumz (map (fun x => x mod s) xs) :: sum_digits (q :: a) (map (fun x => x / s) xs)).
  change (sum_digits ((s, d) :: q :: a) (x :: xs))
    with (x mod s + sumz (map (fun x => x mod s) xs) :: sum_digits (q :: a) (x / s :: map (fun x => x / s) xs)).
  rewrite IH. reflexivity.
Qed.

Lemma sum_digits_nil : forall a, sum_digits a [] = map (fun _ => 0) (walked a).
Proof.
  induction a as [|[s d] a IH]; [reflexivity|]. destruct a as [|q a]; [reflexivity|].
  rewrite walked_cons. change (sum_digits ((s, d) :: q :: a) []) with (0 :: sum_digits (q :: a) []).
  rewrite IH. reflexivity.
Qed.

(** * All modes of the right operand *)

(** The result of [compose], at run time. A static stride of 0 is left as it is. *)
Definition run_values (a bl : list leaf) : list leaf :=
  flat_map (fun p => if snd p =? 0 then [p] else walk_values a (fst p) (snd p)) bl.

(** The digits of all modes together. *)
Definition digit_sums (a bl : list leaf) : list Z :=
  fold_right (fun p ds => add_digits (if snd p =? 0 then map (fun _ => 0) (walked a) else walk_digits a (fst p) (snd p)) ds)
             (map (fun _ => 0) (walked a)) bl.

(** What each mode adds to the index. *)
Fixpoint parts (bl : list leaf) (i : Z) : list Z :=
  match bl with
  | [] => []
  | (s, d) :: r => i mod s * d :: parts r (i / s)
  end.

Lemma parts_sum : forall bl i, sumz (parts bl i) = beval bl i.
Proof.
  induction bl as [|[s d] bl IH]; intro i; [reflexivity|].
  change (i mod s * d + sumz (parts bl (i / s)) = i mod s * d + beval bl (i / s)). rewrite IH. reflexivity.
Qed.

Lemma run_values_parts : forall a bl, pos a -> a <> [] -> pos bl -> Forall (fun p => 0 <= snd p) bl ->
  Forall (fun p => snd p = 0 \/ walk_assumes a (fst p) (snd p)) bl ->
  forall i, 0 <= i ->
  beval (run_values a bl) i = sumz (map (feval a) (parts bl i))
  /\ Forall (Z.le 0) (parts bl i) /\ Forall2 Z.le (sum_digits a (parts bl i)) (digit_sums a bl).
Proof.
  intros a bl P N B. induction B as [|[s d] bl B1 B2 IH]; intros U W i I.
  - cbn [run_values flat_map beval parts map]. split; [reflexivity|]. split; [constructor|].
    rewrite sum_digits_nil. unfold digit_sums. cbn [fold_right].
    clear. induction (walked a); constructor; [lia|assumption].
  - inversion_clear U as [|? ? U1 U2]. inversion_clear W as [|? ? W1 W2]. cbn [fst snd] in *.
    destruct (IH U2 W2 (i / s) (div_nonneg i s I B1)) as (V & X & D). pose proof (mod_bound i s B1) as M.
    unfold run_values in *. cbn [flat_map fst snd parts]. rewrite sum_digits_cons. unfold digit_sums in *. cbn [fold_right fst snd].
    destruct (Z.eqb_spec d 0) as [->|Nd].
    + split; [|split].
      * cbn [app beval]. rewrite V. rewrite Z.mul_0_r. cbn [map]. rewrite feval_0. reflexivity.
      * constructor; [lia|assumption].
      * apply add_le; [|assumption]. rewrite Z.mul_0_r, digits_of_0. clear. induction (walked a); constructor; [lia|assumption].
    + destruct W1 as [W1|W1]; [contradiction|].
      destruct (walk_values_exact a s d P N B1 ltac:(lia) W1) as (Pw & Tw & Vw). destruct (Vw (i mod s) M) as [Ve De].
      split; [|split].
      * rewrite beval_app by assumption. rewrite <- (beval_mod (walk_values a s d)) by assumption. rewrite Tw, V. cbn [map].
        change (sumz (feval a (i mod s * d) :: map (feval a) (parts bl (i / s))))
          with (feval a (i mod s * d) + sumz (map (feval a) (parts bl (i / s)))). lia.
      * constructor; [nia|assumption].
      * apply add_le; assumption.
Qed.

Lemma run_values_pos : forall a bl, pos a -> a <> [] -> pos bl ->
  Forall (fun p => snd p = 0 \/ walk_assumes a (fst p) (snd p)) bl ->
  pos (run_values a bl) /\ total (run_values a bl) = total bl.
Proof.
  intros a bl P N B. induction B as [|[s d] bl B1 B2 IH]; intro W; [split; [constructor|reflexivity]|].
  inversion_clear W as [|? ? W1 W2]. cbn [fst snd] in *. destruct (IH W2) as [Q T].
  unfold run_values in *. cbn [flat_map fst snd]. rewrite total_app, total_cons, T. cbn [fst].
  destruct (Z.eqb_spec d 0) as [->|Nd].
  - split; [|rewrite total_cons, total_nil; cbn [fst]; lia]. apply pos_app. split; [repeat constructor|]; assumption.
  - destruct W1 as [W1|W1]; [contradiction|]. apply walk_assumes_abs in W1.
    destruct (walk_values_exact a s (Z.abs d) P N B1 ltac:(lia) W1) as (Pw & Tw & _).
    assert (pos (walk_values a s d) /\ total (walk_values a s d) = s) as [Pv Tv].
    { destruct (abs_cases d) as [E|E]; rewrite E in *; [auto|]. rewrite walk_values_opp in Pw, Tw.
      unfold pos, total in *. rewrite Forall_map in Pw. rewrite map_map in Tw. auto. }
    split; [apply pos_app; auto|]. rewrite Tv. reflexivity.
Qed.

(** If all assumptions hold, the run-time values satisfy (A o B)(i) = A(B(i)). [a] is what coalescing
    leaves of A, which may be any flat layout that is the same function on the domain. *)
Theorem dynamic_composition_exact : forall (l : layout) a bl, pos a -> a <> [] ->
  (forall x, 0 <= x < size l -> feval a x = eval l x) ->
  pos bl -> Forall (fun p => 0 <= snd p) bl ->
  (* Within *) reach bl < size l ->
  (* Divides, DividesOrLess, Carries *) Forall (fun p => snd p = 0 \/ walk_assumes a (fst p) (snd p)) bl ->
  (* Apart *) apart a (digit_sums a bl) 0 1 ->
  forall i, 0 <= i < total bl -> beval (run_values a bl) i = eval l (beval bl i).
Proof.
  intros l a bl P N F B U W H A i I.
  destruct (run_values_parts a bl P N B U H i ltac:(lia)) as (V & X & D).
  rewrite V. pose proof (feval_sum a (parts bl i) 0 _ 0 1 P N X ltac:(lia) ltac:(lia) ltac:(lia) D A) as E.
  rewrite Z.mul_0_l, !Z.add_0_r in E. rewrite <- E, parts_sum. apply F.
  pose proof (beval_reach bl i B U). lia.
Qed.
