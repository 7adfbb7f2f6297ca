(** Composition: what strict accepts satisfies (A o B)(i) = A(B(i)). *)
From Cute Require Export Coalesce.

(** * The quotients of the walk *)

Lemma cdiv_pos : forall a b, 1 <= a -> 1 <= b -> cdiv a b = (a - 1) / b + 1.
Proof.
  intros a b A B. unfold cdiv. destruct (Z.eqb_spec b 1) as [->|].
  - rewrite Z.div_1_r. lia.
  - replace (0 <? a) with true by lia. replace (0 <? b) with true by lia. reflexivity.
Qed.

Lemma cdiv_ge_1 : forall a b, 1 <= a -> 1 <= b -> 1 <= cdiv a b.
Proof. intros. rewrite cdiv_pos by assumption. pose proof (div_nonneg (a - 1) b). lia. Qed.

Lemma cdiv_small : forall a b, 1 <= a <= b -> cdiv a b = 1.
Proof. intros. rewrite cdiv_pos by lia. rewrite Z.div_small; lia. Qed.

Lemma cdiv_exact : forall q b, 1 <= q -> 1 <= b -> cdiv (q * b) b = q.
Proof.
  intros q b Q B. rewrite cdiv_pos by nia.
  replace (q * b - 1) with ((b - 1) + b * (q - 1)) by lia. rewrite digit_div; lia.
Qed.

(** * The result has the extents of the right operand *)

(** [compose_leaf], as a list of leaves. *)
Definition leaf_modes (a : list leaf) (p : leaf) : option (list leaf) :=
  if snd p =? 0 then Some [p] else compose_int a (fst p) (snd p) true.

Lemma compose_leaf_modes : forall a p c, compose_leaf a p = Some c ->
  exists l, leaf_modes a p = Some l /\ c = flat_tree l.
Proof.
  intros a p c H. unfold compose_leaf, leaf_modes in *. destruct (snd p =? 0).
  - injection H as <-. exists [p]. auto.
  - apply bind_some in H. destruct H as (l & H & E). injection E as <-. eauto.
Qed.

Lemma compose_int_total : forall a rest step empty l, pos a -> 1 <= rest -> step <> 0 ->
  compose_int a rest step empty = Some l -> pos l /\ total l = rest.
Proof.
  induction a as [|[s d] a IH]; intros rest step empty l P R S H; [discriminate|].
  apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1.
  destruct a as [|q a].
  - cbn [compose_int] in H. injection H as <-.
    destruct (empty || negb (rest =? 1)) eqn:E.
    + split; [repeat constructor; cbn; lia|]. rewrite total_cons, total_nil. cbn [fst]. lia.
    + apply orb_false_elim in E. destruct E as [_ E]. split; [constructor|]. rewrite total_nil. lia.
  - cbn [compose_int] in H. fold (compose_int (q :: a)) in H.
    destruct (negb (Z.rem step s =? 0) && (s <=? step)); [discriminate|].
    assert (1 <= Z.abs step) as M by lia.
    assert (cdiv (Z.abs step) s * Z.sgn step <> 0) as S'.
    { pose proof (cdiv_ge_1 (Z.abs step) s M P1). nia. }
    destruct (negb (cdiv s (Z.abs step) =? 1) && negb (rest =? 1)).
    + pose proof (cdiv_ge_1 s (Z.abs step) P1 M) as T.
      set (taken := Z.min (cdiv s (Z.abs step)) rest) in *.
      assert (1 <= taken) by (unfold taken; lia).
      destruct (Z.eqb_spec (Z.rem rest taken) 0) as [E|]; [|discriminate]. cbn [negb] in H.
      apply bind_some in H. destruct H as (r & H & X). injection X as <-.
      rewrite rem_mod in E by lia. rewrite quot_div in H by lia.
      assert (rest = taken * (rest / taken)) as D by (pose proof (Z.div_mod rest taken); lia).
      apply IH in H; try assumption; [|nia]. destruct H as [H1 H2].
      split; [constructor; assumption|]. rewrite total_cons. cbn [fst]. lia.
    + apply IH in H; assumption.
Qed.

Lemma leaf_modes_total : forall a p l, pos a -> 1 <= fst p -> leaf_modes a p = Some l -> pos l /\ total l = fst p.
Proof.
  intros a p l P E H. unfold leaf_modes in H. destruct (Z.eqb_spec (snd p) 0).
  - injection H as <-. split; [repeat constructor; assumption|]. rewrite total_cons, total_nil. lia.
  - eapply compose_int_total; eassumption.
Qed.

(** * Digits in the mixed radix of the left operand *)

Definition walked (a : list leaf) : list (Z * bool) := removelast (map (fun p => (fst p, snd p =? 0)) a).

(** The digits of [x] in all modes but the last. *)
Fixpoint digits_of (a : list leaf) (x : Z) : list Z :=
  match a with
  | [] | [_] => []
  | (s, _) :: r => x mod s :: digits_of r (x / s)
  end.

Lemma walked_cons : forall s d q a, walked ((s, d) :: q :: a) = (s, d =? 0) :: walked (q :: a).
Proof. reflexivity. Qed.

Lemma digits_of_cons : forall s d q a x, digits_of ((s, d) :: q :: a) x = x mod s :: digits_of (q :: a) (x / s).
Proof. reflexivity. Qed.

Lemma digits_of_length : forall a x, length (digits_of a x) = length (walked a).
Proof.
  induction a as [|[s d] a IH]; intro x; [reflexivity|]. destruct a as [|q a]; [reflexivity|].
  rewrite walked_cons, digits_of_cons. cbn [length]. rewrite IH. reflexivity.
Qed.

Lemma digits_of_nonneg : forall a x, pos a -> 0 <= x -> Forall (Z.le 0) (digits_of a x).
Proof.
  induction a as [|[s d] a IH]; intros x P H; [constructor|]. destruct a as [|q a]; [constructor|].
  apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1. rewrite digits_of_cons.
  constructor; [apply mod_bound; assumption|apply IH; [assumption|apply div_nonneg; assumption]].
Qed.

Lemma digits_of_0 : forall a, digits_of a 0 = map (fun _ => 0) (walked a).
Proof.
  induction a as [|[s d] a IH]; [reflexivity|]. destruct a as [|q a]; [reflexivity|].
  rewrite walked_cons, digits_of_cons, Zmod_0_l, Zdiv_0_l, IH. reflexivity.
Qed.

(** Digits whose sums stay below the radices. *)
Definition fits (ds : list Z) (w : list (Z * bool)) : Prop := Forall2 (fun d p => d < fst p) ds w.

(** Numbers whose digits do not carry add digit by digit. *)
Lemma feval_add : forall a x y, pos a -> 0 <= x -> 0 <= y ->
  fits (add_digits (digits_of a x) (digits_of a y)) (walked a) ->
  feval a (x + y) = feval a x + feval a y
  /\ digits_of a (x + y) = add_digits (digits_of a x) (digits_of a y).
Proof.
  induction a as [|[s d] a IH]; intros x y P X Y F; [cbn; auto|].
  destruct a as [|q a]; [cbn; split; [lia|reflexivity]|].
  apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1.
  rewrite walked_cons, !digits_of_cons in F. rewrite !digits_of_cons, !feval_cons by discriminate.
  cbn [add_digits combine map fst snd] in *. inversion F as [|? ? ? ? F1 F2]; subst. cbn [fst] in F1.
  pose proof (mod_bound x s P1) as B1. pose proof (mod_bound y s P1) as B2.
  assert (x + y = (x mod s + y mod s) + s * (x / s + y / s)) as E.
  { pose proof (Z.div_mod x s). pose proof (Z.div_mod y s). lia. }
  assert ((x + y) mod s = x mod s + y mod s) as -> by (rewrite E; apply digit_mod; lia).
  assert ((x + y) / s = x / s + y / s) as -> by (rewrite E; apply digit_div; lia).
  specialize (IH (x / s) (y / s) P2 (div_nonneg _ _ X P1) (div_nonneg _ _ Y P1) F2).
  destruct IH as [-> ->]. split; [lia|reflexivity].
Qed.

(** * One mode of the right operand *)

(** The result of [compose_int] and the bounds of [term_digits]. *)
Lemma walk_exact : forall a rest step empty l ds open, pos a -> 1 <= rest -> 1 <= step ->
  compose_int a rest step empty = Some l ->
  term_digits (walked a) rest step = (ds, open, Exact) ->
  forall c, 0 <= c < rest ->
  feval a (c * step) = beval l c /\ Forall2 Z.le (digits_of a (c * step)) ds.
Proof.
  induction a as [|[s d] a IH]; intros rest step empty l ds open P R S H T c C; [discriminate|].
  apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1.
  destruct (Z.eq_dec rest 1) as [E|N].
  { (* One element, at 0. *)
    assert (c = 0) as -> by lia. rewrite Z.mul_0_l, feval_0, beval_0, digits_of_0. split; [reflexivity|].
    replace ds with (map (fun _ : Z * bool => 0) (walked ((s, d) :: a))).
    - clear. induction (walked _); constructor; [lia|assumption].
    - destruct a as [|q a]; [cbn in T; injection T as <-; reflexivity|].
      rewrite walked_cons in *. cbn [term_digits] in T. replace (rest <=? 1) with true in T by lia.
      injection T as <-. reflexivity. }
  destruct a as [|q a].
  - cbn [compose_int walked map removelast term_digits] in *. injection T as <-. injection H as <-.
    replace (negb (rest =? 1)) with true by lia. rewrite orb_true_r.
    cbn [feval beval digits_of]. split; [|constructor]. rewrite Z.mod_small by lia. lia.
  - rewrite walked_cons in T. cbn [term_digits] in T. replace (rest <=? 1) with false in T by lia.
    cbn [compose_int] in H. fold (compose_int (q :: a)) in H.
    rewrite digits_of_cons, feval_cons by discriminate.
    rewrite rem_mod in T, H by lia. replace (Z.abs step) with step in H by lia.
    replace (Z.sgn step) with 1 in H by lia. rewrite Z.mul_1_r in H.
    destruct (Z.eqb_spec (step mod s) 0) as [M|M].
    + (* The mode is passed over. *)
      cbn [negb andb] in H. rewrite quot_div in T by lia.
      assert (step = step / s * s) as D by (pose proof (Z.div_mod step s); lia).
      assert (1 <= step / s) as Q by nia.
      rewrite (cdiv_small s step) in H by nia. cbn [Z.eqb negb andb] in H.
      rewrite D, (cdiv_exact (step / s) s) in H by assumption.
      destruct (term_digits (walked (q :: a)) rest (step / s)) as [[ds' open'] v] eqn:T'.
      injection T as <- <- ->.
      destruct (IH _ _ _ _ _ _ P2 R Q H T' c C) as [V B].
      assert (c * step = 0 + s * (c * (step / s))) as X by lia.
      rewrite X, digit_mod, digit_div by lia. split; [lia|]. constructor; [lia|assumption].
    + destruct (Z.ltb_spec s step) as [L|L]; [discriminate|].
      assert (step < s) as L'.
      { destruct (Z.eq_dec step s) as [->|]; [|lia]. rewrite Z.mod_same in M; lia. }
      replace (s <=? step) with false in H by lia. rewrite andb_false_r in H.
      rewrite (cdiv_small step s) in H by lia.
      rewrite (cdiv_pos s step) in H by lia.
      assert (1 <= (s - 1) / step) as N1 by (apply Z.div_le_lower_bound; lia).
      replace ((s - 1) / step + 1 =? 1) with false in H by lia.
      replace (rest =? 1) with false in H by lia. cbn [negb andb] in H.
      set (taken := Z.min ((s - 1) / step + 1) rest) in *.
      assert (1 <= taken) as K by (unfold taken; lia).
      rewrite rem_mod in T, H by lia.
      destruct (Z.eqb_spec (rest mod taken) 0) as [E|]; [|discriminate]. cbn [negb] in T, H.
      rewrite quot_div in T, H by lia.
      assert (rest = taken * (rest / taken)) as D by (pose proof (Z.div_mod rest taken); lia).
      set (rounds := rest / taken) in *.
      assert (1 <= rounds) as R1 by nia.
      apply bind_some in H. destruct H as (r & H & X). injection X as <-.
      set (drift := taken * step - s) in *.
      pose proof (Z.div_mod c taken ltac:(lia)) as C'.
      pose proof (mod_bound c taken K) as C0.
      assert (0 <= c / taken < rounds) as C1.
      { split; [apply div_nonneg; lia|apply div_lt; lia]. }
      set (c0 := c mod taken) in *. set (c1 := c / taken) in *.
      assert ((taken - 1) * step <= s - 1) as W.
      { assert (taken - 1 <= (s - 1) / step) by (unfold taken; lia).
        pose proof (Z.mul_div_le (s - 1) step ltac:(lia)). nia. }
      assert (c * step = (c0 * step + c1 * drift) + s * c1) as Y by (unfold drift; nia).
      (* What the branches of [term_digits] have in common. *)
      assert (exists ds' last, ds = last :: ds' /\ (exists o, term_digits (walked (q :: a)) rounds 1 = (ds', o, Exact))
              /\ 0 <= c0 * step + c1 * drift <= last /\ last < s /\ c1 * drift * d = 0)
        as (ds' & last & -> & (o & T') & B0 & B1 & Z0).
      { destruct ((1 <? rounds) && negb (drift =? 0)) eqn:G.
        - apply andb_prop in G. destruct G as [G1 G2].
          destruct (Z.eqb_spec d 0) as [D0|]; [|discriminate]. cbn [negb] in T.
          destruct (Z.ltb_spec ((rounds - 1) * drift + (taken - 1) * step) s) as [B|]; [|discriminate].
          destruct (term_digits (walked (q :: a)) rounds 1) as [[ds' o] v] eqn:T'.
          injection T as <- <- ->. exists ds', ((rounds - 1) * drift + (taken - 1) * step).
          split; [reflexivity|]. split; [eauto|].
          assert (0 <= drift).
          { assert (taken = (s - 1) / step + 1) as -> by (unfold taken in *; nia).
            unfold drift. pose proof (Z.mul_succ_div_gt (s - 1) step ltac:(lia)). nia. }
          split; [nia|]. split; [lia|]. subst d. lia.
        - destruct (term_digits (walked (q :: a)) rounds 1) as [[ds' o] v] eqn:T'.
          injection T as <- <- ->. exists ds', ((taken - 1) * step).
          split; [reflexivity|]. split; [eauto|].
          assert (c1 * drift = 0) as ->.
          { apply andb_false_elim in G. destruct G as [G|G]; [assert (c1 = 0) as -> by lia|assert (drift = 0) as -> by lia]; lia. }
          split; [nia|]. split; lia. }
      destruct (IH _ _ _ _ _ _ P2 R1 (Z.le_refl 1) H T' c1 C1) as [V B]. rewrite Z.mul_1_r in V, B.
      rewrite Y, digit_mod, digit_div by lia. cbn [beval]. fold c0 c1. rewrite V.
      split; [nia|]. constructor; [lia|assumption].
Qed.

(** * All modes of the right operand *)

Lemma carries_false : forall sums w, Forall (Z.le 0) sums -> Forall (fun p => 1 <= fst p) w ->
  length sums = length w -> carries sums w 0 = false -> fits sums w.
Proof.
  induction sums as [|d sums IH]; intros [|[s z] w] S W L H; try discriminate; [constructor|].
  inversion_clear S as [|? ? S1 S2]. inversion_clear W as [|? ? W1 W2]. cbn [fst] in W1.
  cbn [carries] in H. rewrite Z.add_0_r, quot_div in H by lia. apply orb_false_elim in H. destruct H as [H1 H2].
  assert (0 <= d / s) by (apply div_nonneg; assumption).
  assert (d / s = 0) as E by lia. rewrite E in H2.
  constructor; [|apply IH; try assumption; cbn [length] in L; lia].
  cbn [fst]. pose proof (Z.div_mod d s). pose proof (mod_bound d s W1). lia.
Qed.

Lemma walked_pos : forall a, pos a -> Forall (fun p : Z * bool => 1 <= fst p) (walked a).
Proof.
  induction a as [|[s d] a IH]; intro P; [constructor|]. destruct a as [|q a]; [constructor|].
  apply pos_cons in P. destruct P. rewrite walked_cons. constructor; [assumption|apply IH; assumption].
Qed.

Lemma le_zeros : forall ds w, Forall2 Z.le (map (fun _ : Z * bool => 0) w) ds -> Forall (Z.le 0) ds.
Proof.
  intros ds w. revert ds. induction w as [|p w IH]; intros ds H; inversion_clear H; constructor; auto.
Qed.

Lemma add_le : forall x y u v, Forall2 Z.le x u -> Forall2 Z.le y v -> Forall2 Z.le (add_digits x y) (add_digits u v).
Proof.
  intros x y u v H. revert y v. induction H as [|a b x u H _ IH]; intros y v K; [constructor|].
  destruct K as [|c e y v K1 K2]; [constructor|].
  cbn. constructor; [lia|]. apply IH. assumption.
Qed.

Lemma le_fits : forall x u w, Forall2 Z.le x u -> fits u w -> fits x w.
Proof.
  intros x u w H. revert w. induction H as [|a b x u H _ IH]; intros w F; inversion F; subst; constructor; [lia|].
  apply IH. assumption.
Qed.

Lemma add_zero_le : forall ds sums w, Forall (Z.le 0) ds -> length ds = length sums ->
  fits (add_digits ds sums) w -> fits sums w.
Proof.
  intros ds. induction ds as [|a ds IH]; intros [|b sums] w N L F; try discriminate; [assumption|].
  inversion_clear N. cbn in F. inversion F; subst. constructor; [cbn in *; lia|].
  eapply IH; [assumption|cbn in L; lia|assumption].
Qed.

Lemma Forall2_len : forall {A B} (R : A -> B -> Prop) x y, Forall2 R x y -> length x = length y.
Proof. intros A B R x y H. induction H; cbn; congruence. Qed.

(** A mode that the checks of reach accept: it does not step below 0. *)
Definition ascending (p : leaf) : Prop := 1 <= fst p /\ (0 <= snd p \/ fst p = 1).

Lemma one_mode : forall a p l ds open, pos a -> ascending p -> snd p <> 0 ->
  leaf_modes a p = Some l -> term_digits (walked a) (fst p) (snd p) = (ds, open, Exact) ->
  forall c, 0 <= c < fst p ->
  0 <= c * snd p /\ feval a (c * snd p) = beval l c /\ Forall2 Z.le (digits_of a (c * snd p)) ds.
Proof.
  intros a [s d] l ds open P [A1 A2] N H T c C. cbn [fst snd] in *. unfold leaf_modes in H. cbn [fst snd] in H.
  destruct (Z.eqb_spec d 0); [congruence|].
  destruct (Z.eq_dec s 1) as [->|].
  - assert (c = 0) as -> by lia. rewrite Z.mul_0_l, feval_0, beval_0, digits_of_0.
    split; [lia|]. split; [reflexivity|].
    destruct (walked a) as [|[r z] w]; cbn [term_digits] in T; injection T as <-; constructor; [lia|].
    clear. induction w; constructor; [lia|assumption].
  - split; [nia|]. eapply walk_exact; try eassumption; lia.
Qed.

Lemma all_modes_exact : forall a, pos a -> forall bl ls sums open, Forall ascending bl ->
  Forall2 (fun p l => leaf_modes a p = Some l) bl ls ->
  all_digits (walked a) (filter (fun p => negb (snd p =? 0)) bl) = (sums, open, Exact) ->
  Forall (Z.le 0) sums /\ length sums = length (walked a) /\
  (fits sums (walked a) ->
   forall i, 0 <= i < total bl ->
   0 <= beval bl i /\ feval a (beval bl i) = beval (concat ls) i
   /\ Forall2 Z.le (digits_of a (beval bl i)) sums).
Proof.
  intros a P bl ls sums open A L. revert sums open.
  induction L as [|[s d] l bl ls Hl _ IH]; intros sums open T.
  - cbn [filter all_digits] in T. injection T as <- <-.
    split; [clear; induction (walked a); constructor; [lia|assumption]|].
    split; [apply map_length|]. intros _ i _. cbn [beval concat]. rewrite feval_0, digits_of_0.
    split; [lia|]. split; [reflexivity|]. clear. induction (walked a); constructor; [lia|assumption].
  - inversion_clear A as [|? ? A1 A2]. specialize (IH A2).
    destruct (leaf_modes_total _ _ _ P (proj1 A1) Hl) as [Pl Tl]. cbn [fst] in Tl.
    pose proof (proj1 A1) as S1. cbn [fst] in S1.
    assert (pos bl) as Pb.
    { unfold pos. eapply Forall_impl; [|exact A2]. intros p [Q _]. exact Q. }
    assert (forall i, 0 <= i < total ((s, d) :: bl) -> 0 <= i / s < total bl) as I1.
    { intros i H. rewrite total_cons in H. cbn [fst] in H. split; [apply div_nonneg; lia|apply div_lt; lia]. }
    assert (forall i, beval (l ++ concat ls) i = beval l (i mod s) + beval (concat ls) (i / s)) as Split.
    { intro i. rewrite beval_app by assumption. rewrite <- (beval_mod l) by assumption. rewrite Tl. reflexivity. }
    cbn [filter snd] in T. destruct (Z.eqb_spec d 0) as [->|N]; cbn [negb] in T.
    + destruct (IH _ _ T) as (S & K & V). split; [assumption|]. split; [assumption|]. intros F i H.
      specialize (V F (i / s) (I1 i H)). cbn [beval concat]. rewrite Split, Z.mul_0_r, Z.add_0_l.
      unfold leaf_modes in Hl. cbn [snd Z.eqb] in Hl. injection Hl as <-. cbn [beval].
      rewrite Z.mul_0_r, !Z.add_0_l. exact V.
    + cbn [all_digits] in T. destruct (term_digits (walked a) s d) as [[ds o] v] eqn:T1.
      destruct v; try discriminate.
      destruct (all_digits _ _) as [[sums' o'] v'] eqn:T2. injection T as <- <- ->.
      destruct (IH _ _ eq_refl) as (S & K & V).
      pose proof (one_mode a (s, d) l ds o P A1 N Hl T1) as O. cbn [fst snd] in O.
      assert (Forall2 Z.le (map (fun _ => 0) (walked a)) ds) as Z0.
      { rewrite <- digits_of_0. apply (O 0). lia. }
      pose proof (le_zeros _ _ Z0) as D0. pose proof (Forall2_len _ _ _ Z0) as DL. rewrite map_length in DL.
      assert (length (add_digits ds sums') = length (walked a)) as AL.
      { unfold add_digits. rewrite map_length, combine_length. lia. }
      split.
      { clear - S D0. revert sums' S. induction D0 as [|x ds X _ IHd]; intros sums' S; [constructor|].
        destruct S as [|y sums' Y S]; [constructor|]. cbn. constructor; [lia|]. apply IHd. assumption. }
      split; [assumption|]. intros F i H.
      assert (fits sums' (walked a)) as F' by (eapply add_zero_le; [eassumption|congruence|eassumption]).
      destruct (V F' (i / s) (I1 i H)) as (V1 & V2 & V3).
      destruct (O (i mod s) (mod_bound i s S1)) as (O1 & O2 & O3).
      pose proof (add_le _ _ _ _ O3 V3) as Le.
      cbn [beval concat]. rewrite Split.
      destruct (feval_add a _ _ P O1 V1 (le_fits _ _ _ Le F)) as [E1 E2].
      split; [lia|]. split; [lia|]. rewrite E2. exact Le.
Qed.

(** * The whole right operand *)

Lemma compose_modes_leaves : forall a b c, compose_modes a b = Some c ->
  exists ls, Forall2 (fun p l => leaf_modes a p = Some l) (leaves b) ls /\ leaves c = concat ls.
Proof.
  intros a. induction b as [p | ms IH] using tree_induction; intros c H.
  - cbn [compose_modes] in H. apply compose_leaf_modes in H. destruct H as (l & H & ->).
    exists [l]. split; [repeat constructor; assumption|]. rewrite flat_tree_leaves. cbn. rewrite app_nil_r. reflexivity.
  - cbn [compose_modes] in H. apply bind_some in H. destruct H as (cs & H & X). injection X as <-.
    rewrite !leaves_node. revert cs H. induction IH as [|m ms Hm _ IHms]; intros cs H.
    + cbn in H. injection H as <-. exists []. split; constructor.
    + cbn [traverse] in H. apply bind_some in H. destruct H as (c & H1 & H).
      apply bind_some in H. destruct H as (r & H2 & X). injection X as <-.
      destruct (Hm _ H1) as (l1 & L1 & E1). destruct (IHms _ H2) as (l2 & L2 & E2).
      exists (l1 ++ l2). cbn [flat_map]. split; [apply Forall2_app; assumption|].
      rewrite concat_app. congruence.
Qed.

Lemma concat_total : forall a bl ls, pos a -> pos bl ->
  Forall2 (fun p l => leaf_modes a p = Some l) bl ls -> pos (concat ls) /\ total (concat ls) = total bl.
Proof.
  intros a bl ls P B H. induction H as [|p l bl ls Hl _ IH]; [split; [constructor|reflexivity]|].
  apply pos_cons in B. destruct B as [B1 B2]. destruct (IH B2) as [I1 I2].
  destruct (leaf_modes_total _ _ _ P B1 Hl) as [L1 L2].
  cbn [concat]. rewrite total_app, total_cons. split; [apply pos_app; auto|congruence].
Qed.

Lemma coalesce_extended_leaves : forall a, leaves (coalesce_extended a) = coalesced true (leaves a).
Proof. intro a. apply flat_tree_leaves. Qed.

(** The size of a composition is that of its right operand, whatever the policy. *)
Theorem compose_size : forall a b c, pos (leaves a) -> pos (leaves b) -> compose a b = Some c ->
  pos (leaves c) /\ size c = size b.
Proof.
  intros a b c A B H. unfold compose in H. rewrite coalesce_extended_leaves in H.
  apply compose_modes_leaves in H. destruct H as (ls & L & E). unfold size. rewrite E.
  eapply concat_total; [|eassumption|eassumption]. apply coalesced_true_pos. assumption.
Qed.

(** A tree whose leaves are refined: a leaf of extent s may be any tree of size s. *)
Inductive refines : layout -> layout -> Prop :=
| refines_leaf : forall p c, size c = fst p -> refines (Leaf p) c
| refines_node : forall bs cs, Forall2 refines bs cs -> refines (Node bs) (Node cs).

(** The result has the profile of the right operand. *)
Theorem compose_profile : forall a b c, pos (leaves a) -> pos (leaves b) -> compose a b = Some c -> refines b c.
Proof.
  intros a b c A. unfold compose. rewrite coalesce_extended_leaves.
  pose proof (coalesced_true_pos _ A) as P. clear A. revert c.
  induction b as [p | ms IH] using tree_induction; intros c B H.
  - cbn [compose_modes] in H. apply compose_leaf_modes in H. destruct H as (l & H & ->). constructor.
    unfold size. rewrite flat_tree_leaves. cbn [leaves] in B. apply pos_cons in B. destruct B as [B _].
    eapply leaf_modes_total; eassumption.
  - cbn [compose_modes] in H. apply bind_some in H. destruct H as (cs & H & X). injection X as <-. constructor.
    rewrite leaves_node in B. revert cs H. induction IH as [|m ms Hm _ IHms]; intros cs H.
    + cbn in H. injection H as <-. constructor.
    + cbn [flat_map] in B. apply pos_app in B. destruct B as [B1 B2]. cbn [traverse] in H.
      apply bind_some in H. destruct H as (c & H1 & H). apply bind_some in H. destruct H as (r & H2 & X).
      injection X as <-. constructor; [apply Hm; assumption|apply IHms; assumption].
Qed.

Lemma in_zseq : forall n i, 0 <= i < n -> In i (zseq n).
Proof.
  intros n i H. unfold zseq. apply in_map_iff. exists (Z.to_nat i). split; [lia|]. apply in_seq. lia.
Qed.

Lemma agrees_spec : forall a b c, compose a b = Some c -> agrees a b = true ->
  forall i, 0 <= i < size b -> eval c i = eval a (eval b i).
Proof.
  intros a b c H G i I. unfold agrees in G. rewrite H in G. apply andb_prop in G. destruct G as [_ G].
  rewrite forallb_forall in G. specialize (G i (in_zseq _ _ I)). lia.
Qed.

(** What [check_reach] establishes. *)
Lemma check_reach_spec : forall a b, pos (leaves a) -> pos (leaves b) -> check_reach a b = true ->
  Forall ascending (leaves b) /\ forall i, 0 <= i < size b -> 0 <= beval (leaves b) i < size a.
Proof.
  intros a b A B H. unfold check_reach in H. unfold terms in H. unfold size at 1.
  set (t := fun p : leaf => negb (snd p =? 0)) in *. set (bl := leaves b) in *.
  pose proof (total_pos _ A) as TA. fold (size a) in TA.
  set (f := fun (p : leaf) sum => (if 0 <? snd p then (fst p - 1) * snd p else 0) + sum) in *.
  assert (Forall ascending bl /\ fold_right f 0 (filter t bl) < size a) as [Up Reach].
  { destruct (filter t bl) as [|q ts] eqn:E.
    - split; [|cbn; lia]. rewrite Forall_forall. intros p I. unfold pos in B. rewrite Forall_forall in B.
      specialize (B p I). split; [assumption|]. left.
      assert (~ In p (filter t bl)) as N by (rewrite E; tauto). rewrite filter_In in N.
      destruct (Z.eqb_spec (snd p) 0) as [->|X]; [lia|]. exfalso. apply N. split; [assumption|]. unfold t. lia.
    - rewrite <- E in *. apply andb_prop in H. destruct H as [H1 H2]. split; [|lia].
      rewrite Forall_forall. intros p I. unfold pos in B. rewrite Forall_forall in B. specialize (B p I).
      split; [assumption|]. destruct (Z.ltb_spec (snd p) 0); [|left; assumption]. right.
      destruct (Z.ltb_spec 1 (fst p)) as [L|]; [|lia]. exfalso.
      apply negb_true_iff in H1. revert H1. apply not_false_iff_true. apply existsb_exists. exists p.
      split; [apply filter_In; split; [assumption|unfold t; lia]|lia]. }
  split; [assumption|]. intros i I.
  enough (0 <= beval bl i <= fold_right f 0 (filter t bl)) by lia. clear H Reach. clearbody bl. revert i I.
  induction bl as [|[s d] bl IH]; intros i I; [cbn; lia|].
  apply pos_cons in B. destruct B as [B1 B2]. inversion_clear Up as [|? ? U1 U2].
  rewrite total_cons in I. cbn [fst] in *. destruct U1 as [_ U1]. cbn [fst snd] in U1.
  pose proof (mod_bound i s B1) as M.
  assert (0 <= i / s < total bl) as D by (split; [apply div_nonneg; lia|apply div_lt; lia]).
  specialize (IH B2 U2 (i / s) D). cbn [beval filter]. change (t (s, d)) with (negb (d =? 0)).
  destruct (Z.eqb_spec d 0) as [->|N]; cbn [negb]; [lia|]. cbn [fold_right].
  change (f (s, d)) with (fun sum : Z => (if 0 <? d then (s - 1) * d else 0) + sum). cbv beta.
  destruct (Z.ltb_spec 0 d); [nia|].
  assert (s = 1) as -> by lia. assert (i mod 1 = 0) as -> by apply Z.mod_1_r. lia.
Qed.

Lemma digits_nil : forall ms, digits ms [] = Exact.
Proof.
  intros [|p ms]; [reflexivity|]. unfold digits. cbn [all_digits].
  assert (forall w, carries (map (fun _ : Z * bool => 0) w) w 0 = false) as E.
  { induction w as [|[r z] w IH]; [reflexivity|]. cbn [map carries]. rewrite Z.add_0_l. destruct r; exact IH. }
  rewrite E. reflexivity.
Qed.

(** Composition, whole: if strict accepts, (A o B)(i) = A(B(i)) for all i below size(B). *)
Theorem composition_exact : forall a b c, pos (leaves a) -> pos (leaves b) ->
  check a b = true -> compose a b = Some c ->
  forall i, 0 <= i < size b -> eval c i = eval a (eval b i).
Proof.
  intros a b c A B G H i I. unfold check in G. apply andb_prop in G. destruct G as [G1 G2].
  destruct (check_reach_spec a b A B G1) as [Up Reach].
  destruct (compose_size a b c A B H) as [C S].
  unfold check_carries in G2. rewrite coalesce_extended_leaves in G2.
  set (al := coalesced true (leaves a)) in *.
  assert (pos al) as PA by (apply coalesced_true_pos; assumption).
  assert (al <> []) as NA by apply coalesced_nonempty.
  assert (feval al (eval b i) = eval c i -> eval c i = eval a (eval b i)) as Done.
  { intro E. rewrite <- E. apply coalesce_extended_in_domain; [assumption|].
    rewrite eval_leaves by assumption. apply Reach. assumption. }
  assert (digits (map (fun p : leaf => (fst p, snd p =? 0)) al) (terms b) = Exact \/ agrees a b = true) as V.
  { destruct (terms b); [left; apply digits_nil|]. destruct (digits _ _); auto. discriminate. }
  destruct V as [V|V]; [|eapply agrees_spec; eassumption].
  apply Done. unfold compose in H. rewrite coalesce_extended_leaves in H. fold al in H.
  apply compose_modes_leaves in H. destruct H as (ls & L & E).
  rewrite (eval_leaves c), (eval_leaves b) by (assumption || (rewrite ?S; assumption)). rewrite E.
  unfold digits in V. destruct al as [|p0 al']; [congruence|]. cbn [map] in V.
  change (removelast ((fst p0, snd p0 =? 0) :: map (fun p : leaf => (fst p, snd p =? 0)) al')) with (walked (p0 :: al')) in V.
  destruct (all_digits (walked (p0 :: al')) (terms b)) as [[sums open] v] eqn:D.
  destruct v; try discriminate.
  destruct (carries sums (walked (p0 :: al')) 0) eqn:K; [destruct open; discriminate|].
  destruct (all_modes_exact _ PA _ _ _ _ Up L D) as (S0 & SL & Main).
  apply Main; [|assumption]. apply carries_false; try assumption. apply walked_pos. assumption.
Qed.
