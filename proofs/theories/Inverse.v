(** Right and left inverses. *)
From Cute Require Export Product.

(** * The left inverse *)

Lemma coalesce_pos : forall l, pos (leaves l) -> pos (leaves (coalesce l)).
Proof. intros l P. unfold coalesce. rewrite flat_tree_leaves. apply coalesced_false_pos. assumption. Qed.

Lemma left_inverse_pos : forall l q, left_inverse l = Some q -> pos (leaves q).
Proof.
  intros l q H. unfold left_inverse in H. apply bind_some in H. destruct H as (gs & _ & H).
  apply bind_some in H. destruct H as (r & H & E). injection E as <-. apply from_flat_some in H. destruct H as [P E].
  apply coalesce_pos. rewrite E. exact P.
Qed.

(** What strict accepts of a left inverse: Q(L(i)) = i on the domain of L. *)
Theorem left_inverse_exact : forall l q, pos (leaves l) -> strict_left_inverse l = Some q ->
  forall i, 0 <= i < size l -> eval q (eval l i) = i.
Proof.
  intros l q P H i I. unfold strict_left_inverse in H. apply bind_some in H. destruct H as (q' & H & K).
  apply bind_some in K. destruct K as (u & G & E). injection E as <-. apply guard_some in G.
  apply andb_prop in G. destruct G as [G1 G2].
  destruct (coalesce_same_function l P) as [S F]. pose proof (left_inverse_pos _ _ H) as Q.
  pose proof (coalesce_pos _ P) as C. unfold is_identity in G2.
  destruct (compose q' (coalesce l)) as [c|] eqn:X; [|discriminate].
  destruct (compose_size _ _ _ Q C X) as [Pc Sc].
  rewrite <- F by assumption. rewrite <- (composition_exact _ _ _ Q C G1 X) by lia.
  destruct (coalesce_same_function c Pc) as [S' F'].
  rewrite S in *. apply orb_prop in G2. destruct G2 as [G2|G2].
  - assert (i = 0) as -> by lia. rewrite eval_leaves by (assumption || lia). apply beval_0.
  - rewrite <- F' by lia. destruct (coalesce c) as [[n d]|]; [|discriminate]. cbn [eval].
    apply andb_prop in G2. destruct G2 as [_ G2]. assert (d = 1) as -> by lia. lia.
Qed.

(** So what it accepts is injective. *)
Corollary left_inverse_injective : forall l q, pos (leaves l) -> strict_left_inverse l = Some q -> NoDup (image l).
Proof.
  intros l q P H. unfold image. apply map_nodup; [apply zseq_nodup|]. intros i j I J E. apply zseq_in in I, J.
  rewrite <- (left_inverse_exact l q P H i I), E. apply left_inverse_exact; assumption.
Qed.

(** * The right inverse *)

(** A choice of a digit for each of some modes: the value and the index that they add up to. *)
Definition value_of (l : list (mode * Z)) : Z := fold_right (fun p sum => snd p * mode_stride (fst p) + sum) 0 l.
Definition index_of (l : list (mode * Z)) : Z := fold_right (fun p sum => snd p * snd (fst p) + sum) 0 l.
Definition chosen (l : list (mode * Z)) : Prop := Forall (fun p => 0 <= snd p < fst (fst (fst p))) l.

(** With one digit for each mode, in order, the layout has that value at that index. *)
Lemma positions_eval : forall l q cs, pos l -> 1 <= q -> map fst cs = positions l q -> chosen cs ->
  exists i, 0 <= i < total l /\ index_of cs = q * i /\ value_of cs = beval l i.
Proof.
  induction l as [|[s d] l IH]; intros q cs P Q M C.
  - destruct cs; [|discriminate]. exists 0. cbn. repeat split; lia.
  - destruct cs as [|[m c] cs]; [discriminate|]. cbn [map fst positions] in M. injection M as -> M.
    apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1. inversion_clear C as [|? ? C1 C2]. cbn [fst snd] in C1.
    destruct (IH (q * s) cs P2 ltac:(nia) M C2) as (i & I & X & V). exists (c + s * i).
    rewrite total_cons. cbn [fst]. split; [nia|].
    change (index_of ((s, d, q, c) :: cs)) with (c * q + index_of cs).
    change (value_of ((s, d, q, c) :: cs)) with (c * d + value_of cs).
    cbn [beval]. rewrite digit_mod, digit_div by assumption. split; [rewrite X; lia|]. rewrite V. reflexivity.
Qed.

Lemma sums_perm : forall l l', Permutation l l' -> value_of l = value_of l' /\ index_of l = index_of l'.
Proof.
  intros l l' H. induction H as [|p l l' _ [IH1 IH2]|p q l|l l' l'' _ [A1 A2] _ [B1 B2]].
  - auto.
  - unfold value_of, index_of in *. cbn [fold_right]. split; lia.
  - unfold value_of, index_of. cbn [fold_right]. split; lia.
  - split; congruence.
Qed.

Lemma exchange_perm : forall l x m r, exchange x l = (m, r) -> Permutation (m :: r) (x :: l).
Proof.
  induction l as [|y l IH]; intros x m r H; cbn [exchange] in H.
  - injection H as <- <-. reflexivity.
  - destruct (mode_stride y <? mode_stride x).
    + destruct (exchange y l) as [m' r'] eqn:E. injection H as <- <-. apply IH in E.
      rewrite perm_swap, E. apply perm_swap || reflexivity.
    + destruct (exchange x l) as [m' r'] eqn:E. injection H as <- <-. apply IH in E.
      rewrite perm_swap, E. apply perm_swap.
Qed.

Lemma exchange_sort_perm : forall n l, Permutation (exchange_sort n l) l.
Proof.
  induction n as [|n IH]; intros [|x l]; try reflexivity. cbn [exchange_sort].
  destruct (exchange x l) as [m r] eqn:E. rewrite IH. apply exchange_perm. assumption.
Qed.

(** The modes that [right_chain] takes, with the digits of an index. *)
Fixpoint chain_digits (l : list mode) (next i : Z) : list (mode * Z) :=
  match l with
  | [] => []
  | (s, d, p) :: r =>
      if d =? next then (s, d, p, i mod s) :: chain_digits r (s * d) (i / s)
      else (s, d, p, 0) :: chain_digits r next i
  end.

Lemma chain_digits_modes : forall l next i, map fst (chain_digits l next i) = l.
Proof.
  induction l as [|[[s d] p] l IH]; intros next i; [reflexivity|]. cbn [chain_digits].
  destruct (d =? next); cbn [map fst]; rewrite IH; reflexivity.
Qed.

Definition modes_pos' (l : list mode) : Prop := Forall (fun m : mode => 1 <= fst (fst m)) l.

Lemma chain_digits_chosen : forall l next i, modes_pos' l -> chosen (chain_digits l next i).
Proof.
  induction l as [|[[s d] p] l IH]; intros next i P; [constructor|]. inversion_clear P as [|? ? P1 P2]. cbn [fst] in P1.
  cbn [chain_digits]. destruct (d =? next); constructor; try (apply IH; assumption); cbn [fst snd]; [apply mod_bound|]; lia.
Qed.

Lemma right_chain_pos : forall l next, modes_pos' l -> pos (right_chain l next).
Proof.
  induction l as [|[[s d] p] l IH]; intros next P; [constructor|]. inversion_clear P as [|? ? P1 P2]. cbn [fst] in P1.
  cbn [right_chain]. destruct (d =? next); [constructor; [assumption|]|]; apply IH; assumption.
Qed.

(** The value is the index times the first stride, and the index that of the inverse. *)
Lemma chain_digits_sums : forall l next i, modes_pos' l -> 0 <= i < total (right_chain l next) ->
  value_of (chain_digits l next i) = next * i /\ index_of (chain_digits l next i) = beval (right_chain l next) i.
Proof.
  induction l as [|[[s d] p] l IH]; intros next i P I.
  - cbn [right_chain] in *. rewrite total_nil in I. assert (i = 0) as -> by lia. cbn. split; lia.
  - inversion_clear P as [|? ? P1 P2]. cbn [fst] in P1. cbn [right_chain chain_digits] in *.
    destruct (Z.eqb_spec d next) as [->|N].
    + rewrite total_cons in I. cbn [fst] in I.
      destruct (IH (s * next) (i / s) P2) as [V X]; [split; [apply div_nonneg; lia|apply div_lt; lia]|].
      change (i mod s * next + value_of (chain_digits l (s * next) (i / s)) = next * i /\
              i mod s * p + index_of (chain_digits l (s * next) (i / s)) = beval ((s, p) :: right_chain l (s * next)) i).
      rewrite V, X. cbn [beval]. split; [|reflexivity]. pose proof (Z.div_mod i s). nia.
    + destruct (IH next i P2 I) as [V X].
      change (0 * d + value_of (chain_digits l next i) = next * i /\
              0 * p + index_of (chain_digits l next i) = beval (right_chain l next) i). lia.
Qed.

Lemma positions_modes : forall l q, pos l -> modes_pos' (positions l q).
Proof.
  induction l as [|[s d] l IH]; intros q P; [constructor|]. apply pos_cons in P. destruct P as [P1 P2].
  cbn [positions]. constructor; [assumption|apply IH; assumption].
Qed.

(** A list of digits in another order of modes. *)
Lemma reorder : forall (l l' : list mode), Permutation l l' -> forall cs, map fst cs = l ->
  exists cs' : list (mode * Z), map fst cs' = l' /\ Permutation cs cs'.
Proof.
  intros l l' H. induction H as [|m l l' _ IH|m m' l|l l' l'' _ IH _ IH']; intros cs E.
  - exists cs. auto.
  - destruct cs as [|[m' c] cs]; [discriminate|]. cbn [map fst] in E. injection E as -> E.
    destruct (IH cs E) as (cs' & E' & P). exists ((m, c) :: cs'). cbn [map fst]. split; [congruence|].
    constructor. assumption.
  - destruct cs as [|[a c] [|[b c'] cs]]; try discriminate. cbn [map fst] in E. injection E as -> -> E.
    exists ((m, c') :: (m', c) :: cs). cbn [map fst]. split; [congruence|apply perm_swap].
  - destruct (IH cs E) as (cs' & E' & P). destruct (IH' cs' E') as (cs'' & E'' & P').
    exists cs''. split; [assumption|]. etransitivity; eassumption.
Qed.

(** The right inverse, which Rust does not check: L(R(i)) = i for all i below its size. *)
Theorem right_inverse_exact : forall l r, pos (leaves l) -> right_inverse l = Some r ->
  forall i, 0 <= i < size r -> 0 <= eval r i < size l /\ eval l (eval r i) = i.
Proof.
  intros l r P H i I. unfold right_inverse in H. apply bind_some in H. destruct H as (f & H & E). injection E as <-.
  apply from_flat_some in H. destruct H as [Pf Ef].
  assert (pos (leaves f)) as Pf' by (rewrite Ef; exact Pf).
  destruct (coalesce_same_function f Pf') as [S F]. rewrite S in I. rewrite F by assumption.
  rewrite eval_leaves by assumption. unfold size in I. rewrite Ef in *.
  set (k := coalesced false (leaves l)) in *.
  assert (pos k) as Pk by (apply coalesced_false_pos; assumption).
  assert (Permutation (sort_by_stride (coalesced_modes l)) (positions k 1)) as Sp by apply exchange_sort_perm.
  set (ms := sort_by_stride (coalesced_modes l)) in *.
  assert (modes_pos' ms) as Pm.
  { unfold modes_pos'. rewrite Sp. apply positions_modes. assumption. }
  rewrite total_cons in I. cbn [fst] in I.
  assert (beval ((1, 0) :: right_chain ms 1) i = beval (right_chain ms 1) i) as ->.
  { cbn [beval]. rewrite Z.mod_1_r, Z.div_1_r. lia. }
  destruct (chain_digits_sums ms 1 i Pm ltac:(lia)) as [V X].
  destruct (reorder _ _ Sp (chain_digits ms 1 i) (chain_digits_modes _ _ _)) as (cs & Mc & Pc).
  assert (chosen cs) as Cc.
  { unfold chosen. rewrite <- Pc. apply chain_digits_chosen. assumption. }
  destruct (positions_eval k 1 cs Pk ltac:(lia) Mc Cc) as (j & J & Xj & Vj).
  destruct (sums_perm _ _ Pc) as [Ev Ex].
  assert (beval (right_chain ms 1) i = j) as -> by lia.
  assert (total k = size l) as T by apply coalesced_false_total.
  split; [lia|]. rewrite eval_leaves by (assumption || lia).
  rewrite <- coalesced_false_beval by assumption. fold k. lia.
Qed.
