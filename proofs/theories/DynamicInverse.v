(** Inverses of layouts with dynamic leaves (ops/inverse.rs). Which modes an inverse has depends on what is
    static; that it inverts does not. *)
From Cute Require Export DynamicComplement Inverse.

(** * The right inverse *)

(** The loop of [right_inverse_of] for modes with static strides, beside which is whether the extent is
    static: a stride is compared with `next` only where that is static. *)
Fixpoint run_right_chain (l : list (mode * bool)) (next : Z) : list leaf :=
  match l with
  | [] => []
  | ((s, d, p), is_static) :: r =>
      if d =? next then (s, p) :: (if is_static then run_right_chain r (s * d) else []) else run_right_chain r next
  end.

(** The digits of an index. *)
Fixpoint run_chain_digits (l : list (mode * bool)) (next i : Z) : list (mode * Z) :=
  match l with
  | [] => []
  | ((s, d, p), is_static) :: r =>
      if d =? next then
        ((s, d, p), i mod s)
          :: (if is_static then run_chain_digits r (s * d) (i / s) else map (fun m => (fst m, 0)) r)
      else ((s, d, p), 0) :: run_chain_digits r next i
  end.

Lemma run_chain_digits_modes : forall l next i, map fst (run_chain_digits l next i) = map fst l.
Proof.
  induction l as [|[[[s d] p] b] l IH]; intros next i; [reflexivity|]. cbn [run_chain_digits map fst].
  destruct (d =? next); cbn [map fst]; f_equal; try apply IH. destruct b; [apply IH|]. rewrite map_map. reflexivity.
Qed.

Lemma zero_digits : forall l : list (mode * bool), value_of (map (fun m => (fst m, 0)) l) = 0 /\ index_of (map (fun m => (fst m, 0)) l) = 0.
Proof.
  induction l as [|m l [V X]]; [split; reflexivity|]. unfold value_of, index_of in *. cbn [map fold_right fst snd]. lia.
Qed.

Lemma zero_digits_chosen : forall l : list mode, modes_pos' l -> chosen (map (fun m => (m, 0)) l).
Proof. intros l P. unfold chosen. rewrite Forall_map. eapply Forall_impl; [|exact P]. cbn. lia. Qed.

Lemma run_chain_digits_chosen : forall l next i, modes_pos' (map fst l) -> chosen (run_chain_digits l next i).
Proof.
  induction l as [|[[[s d] p] b] l IH]; intros next i P; [constructor|]. inversion_clear P as [|? ? P1 P2]. cbn [fst] in P1.
  cbn [run_chain_digits]. destruct (d =? next); constructor; try (apply IH; assumption); cbn [fst snd].
  - apply mod_bound. assumption.
  - destruct b; [apply IH; assumption|]. rewrite <- (map_map fst (fun m : mode => (m, 0))). apply zero_digits_chosen. assumption.
  - lia.
Qed.

Lemma run_right_chain_pos : forall l next, modes_pos' (map fst l) -> pos (run_right_chain l next).
Proof.
  induction l as [|[[[s d] p] b] l IH]; intros next P; [constructor|]. inversion_clear P as [|? ? P1 P2]. cbn [fst] in P1.
  cbn [run_right_chain]. destruct (d =? next); [|apply IH; assumption]. constructor; [assumption|].
  destruct b; [apply IH; assumption|constructor].
Qed.

Lemma run_chain_digits_sums : forall l next i, modes_pos' (map fst l) -> 0 <= i < total (run_right_chain l next) ->
  value_of (run_chain_digits l next i) = next * i /\ index_of (run_chain_digits l next i) = beval (run_right_chain l next) i.
Proof.
  induction l as [|[[[s d] p] b] l IH]; intros next i P I.
  - cbn [run_right_chain] in *. rewrite total_nil in I. assert (i = 0) as -> by lia. cbn. split; lia.
  - inversion_clear P as [|? ? P1 P2]. cbn [fst] in P1. cbn [run_right_chain run_chain_digits] in *.
    destruct (Z.eqb_spec d next) as [->|N].
    + rewrite total_cons in I. cbn [fst] in I. cbn [beval].
      set (tail := if b then run_chain_digits l (s * next) (i / s) else map (fun m => (fst m, 0)) l).
      set (rest := if b then run_right_chain l (s * next) else []) in *.
      assert (value_of tail = s * next * (i / s) /\ index_of tail = beval rest (i / s)) as [V X].
      { unfold tail, rest in *. destruct b.
        - apply IH; [assumption|]. split; [apply div_nonneg; lia|apply div_lt; lia].
        - destruct (zero_digits l) as [-> ->]. rewrite total_nil in I. cbn [beval]. rewrite Z.div_small by lia. lia. }
      change (i mod s * next + value_of tail = next * i /\ i mod s * p + index_of tail = i mod s * p + beval rest (i / s)).
      rewrite V, X. split; [|reflexivity]. pose proof (Z.div_mod i s). nia.
    + destruct (IH next i P2 I) as [V X].
      change (0 * d + value_of (run_chain_digits l next i) = next * i /\
              0 * p + index_of (run_chain_digits l next i) = beval (run_right_chain l next) i). lia.
Qed.

(** Nothing is assumed: R(i) is an index of L, and L(R(i)) = i, for all i below the size of R. [a] is what
    coalescing leaves of L, [ms] are its modes with static strides in any order, and [dropped] those with
    dynamic ones. *)
Theorem dynamic_right_inverse_exact : forall (l : layout) a ms dropped r, pos (leaves l) ->
  pos a -> total a = size l -> (forall i, 0 <= i < size l -> beval a i = eval l i) ->
  Permutation (map fst ms ++ dropped) (positions a 1) ->
  r = run_right_chain ms 1 ->
  pos r /\ forall i, 0 <= i < total r -> 0 <= beval r i < size l /\ eval l (beval r i) = i.
Proof.
  intros l a ms dropped r P A T F Q ->. pose proof (positions_modes a 1 A) as M. unfold modes_pos' in M.
  rewrite <- Q in M. apply Forall_app in M. destruct M as [M1 M2]. split; [apply run_right_chain_pos; assumption|].
  intros i I. destruct (run_chain_digits_sums ms 1 i M1 I) as [V X].
  set (cs := run_chain_digits ms 1 i ++ map (fun m => (m, 0)) dropped).
  assert (map fst cs = map fst ms ++ dropped) as Mc.
  { unfold cs. rewrite map_app, run_chain_digits_modes, map_map. f_equal. apply map_id. }
  assert (chosen cs) as C.
  { apply Forall_app. split; [apply run_chain_digits_chosen|apply zero_digits_chosen]; assumption. }
  assert (value_of cs = i /\ index_of cs = beval (run_right_chain ms 1) i) as [Vc Xc].
  { assert (forall (f : mode * Z -> Z) u v, (forall m, f (m, 0) = 0) ->
      fold_right (fun p sum => f p + sum) 0 (u ++ map (fun m => (m, 0)) v) = fold_right (fun p sum => f p + sum) 0 u) as Z0.
    { clear. intros f u v H. induction u as [|p u IH]; cbn [app fold_right]; [|lia].
      induction v as [|m v IHv]; [reflexivity|]. cbn [map fold_right]. rewrite H. lia. }
    unfold value_of, index_of, cs in *. rewrite !Z0 by (intros; cbn [fst snd]; lia). split; [lia|assumption]. }
  destruct (reorder _ _ Q cs Mc) as (cs' & Mc' & Pc).
  assert (chosen cs') as C' by (unfold chosen; rewrite <- Pc; exact C).
  destruct (positions_eval a 1 cs' A ltac:(lia) Mc' C') as (j & J & Xj & Vj).
  destruct (sums_perm _ _ Pc) as [Ev Ex].
  assert (beval (run_right_chain ms 1) i = j) as -> by lia.
  split; [lia|]. rewrite <- F by lia. lia.
Qed.

(** * The left inverse *)

(** [Assumption::Apart] of the loop of [left_inverse_of]: what the smaller strides reach is below each stride. *)
Fixpoint left_apart (l : list mode) (reached : Z) : Prop :=
  match l with
  | [] => True
  | (s, d, p) :: r => if d =? 0 then left_apart r reached else reached < d /\ left_apart r (reached + (s - 1) * d)
  end.

(** [Assumption::Single] *)
Definition left_single (l : list mode) : Prop := Forall (fun m : mode => mode_stride m = 0 -> fst (fst m) = 1) l.

(** The result of [left_inverse_of] before it is coalesced: gaps, and an extent that extends. *)
Definition run_left_inverse (ms : list mode) (gs : list Z) (last : Z) : list leaf :=
  combine (gs ++ [last]) (0 :: left_strides ms).

Lemma left_digits : forall ms gs covered reached c p0 last cs, left_gaps ms covered = Some gs ->
  left_apart ms reached -> left_single ms -> modes_pos' ms -> 1 <= covered -> 0 <= c -> c * covered <= reached ->
  map fst cs = ms -> chosen cs ->
  exists v, value_of cs = v * covered
    /\ feval (combine (gs ++ [last]) (p0 :: left_strides ms)) (c + v) = c * p0 + index_of cs.
Proof.
  induction ms as [|[[s d] p] ms IH]; intros gs covered reached c p0 last cs G A S P C C0 R M Ch.
  - destruct cs; [|discriminate]. injection G as <-. exists 0. split; [cbn; lia|].
    change (feval [(last, p0)] (c + 0) = c * p0 + 0). cbn [feval]. lia.
  - destruct cs as [|[m x] cs]; [discriminate|]. cbn [map fst] in M. injection M as -> M.
    inversion_clear S as [|? ? S1 S2]. inversion_clear P as [|? ? P1 P2]. inversion_clear Ch as [|? ? Ch1 Ch2].
    cbn [fst snd] in *. cbn [left_gaps left_apart] in G, A.
    change (value_of ((s, d, p, x) :: cs)) with (x * d + value_of cs).
    change (index_of ((s, d, p, x) :: cs)) with (x * p + index_of cs).
    assert (left_strides ((s, d, p) :: ms) = if d =? 0 then left_strides ms else p :: left_strides ms) as ->.
    { unfold left_strides. cbn [filter]. unfold mode_stride. cbn [fst snd]. destruct (d =? 0); reflexivity. }
    destruct (Z.eqb_spec d 0) as [->|Nd].
    + unfold mode_stride in S1. cbn [fst snd] in S1. assert (x = 0) as -> by lia.
      destruct (IH gs covered reached c p0 last cs G A S2 P2 C C0 R M Ch2) as (v & V & E).
      exists v. split; [lia|]. rewrite E. lia.
    + apply bind_some in G. destruct G as (u & G & H). apply guard_some in G. apply andb_prop in G. destruct G as [_ G].
      apply bind_some in H. destruct H as (gs' & H & E). injection E as <-. destruct A as [A1 A2].
      assert (d = covered * Z.quot d covered) as D by (pose proof (Z.quot_rem d covered); lia).
      set (g := Z.quot d covered) in *. rewrite <- D in H. assert (1 <= g) as Gp by nia.
      destruct (IH gs' d (reached + (s - 1) * d) x p last cs H A2 S2 P2 ltac:(lia) ltac:(lia) ltac:(nia) M Ch2) as (v & V & E).
      exists (g * (x + v)). split; [nia|].
      change (combine ((g :: gs') ++ [last]) (p0 :: p :: left_strides ms))
        with ((g, p0) :: combine (gs' ++ [last]) (p :: left_strides ms)).
      rewrite feval_cons by (destruct gs'; discriminate).
      assert (0 <= c < g) as Cg by nia. rewrite digit_mod, digit_div by assumption. rewrite E. lia.
Qed.

(** The converse of [positions_eval]: the digits of an index. *)
Lemma positions_digits : forall l q i, pos l -> 0 <= i < total l ->
  exists cs, map fst cs = positions l q /\ chosen cs /\ value_of cs = beval l i /\ index_of cs = q * i.
Proof.
  induction l as [|[s d] l IH]; intros q i P I.
  - rewrite total_nil in I. assert (i = 0) as -> by lia. exists []. split; [reflexivity|]. split; [constructor|]. cbn. split; [reflexivity|lia].
  - apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1. rewrite total_cons in I. cbn [fst] in I.
    destruct (IH (q * s) (i / s) P2) as (cs & M & C & V & X); [split; [apply div_nonneg; lia|apply div_lt; lia]|].
    exists ((s, d, q, i mod s) :: cs). cbn [map fst positions]. rewrite M. split; [reflexivity|].
    split; [constructor; [cbn [fst snd]; apply mod_bound; assumption|assumption]|].
    change (value_of ((s, d, q, i mod s) :: cs)) with (i mod s * d + value_of cs).
    change (index_of ((s, d, q, i mod s) :: cs)) with (i mod s * q + index_of cs).
    rewrite V, X. cbn [beval]. split; [reflexivity|]. pose proof (Z.div_mod i s). nia.
Qed.

(** If all assumptions hold, L(A(i)) = i. [a] is what coalescing leaves of A, and [ms] are its modes by
    stride; strides are static, so that Rust has checked that the gaps [gs] are whole. *)
Theorem dynamic_left_inverse_exact : forall (l : layout) a ms gs last q, pos (leaves l) ->
  pos a -> total a = size l -> (forall i, 0 <= i < size l -> beval a i = eval l i) ->
  Permutation ms (positions a 1) -> left_gaps ms 1 = Some gs ->
  (* Apart *) left_apart ms 0 -> (* Single *) left_single ms ->
  q = run_left_inverse ms gs last ->
  forall i, 0 <= i < size l -> feval q (eval l i) = i.
Proof.
  intros l a ms gs last q P A T F Q G Ap S -> i I.
  destruct (positions_digits a 1 i A ltac:(lia)) as (cs & M & C & V & X).
  destruct (reorder (positions a 1) ms (Permutation_sym Q) cs M) as (cs' & M' & Pc).
  destruct (sums_perm _ _ Pc) as [Ev Ex].
  assert (chosen cs') as C' by (unfold chosen; rewrite <- Pc; exact C).
  assert (modes_pos' ms) as Mp by (unfold modes_pos'; rewrite Q; apply positions_modes; assumption).
  destruct (left_digits ms gs 1 0 0 0 last cs' G Ap S Mp ltac:(lia) ltac:(lia) ltac:(lia) M' C') as (v & Vv & E).
  rewrite <- F by assumption. unfold run_left_inverse.
  replace (beval a i) with (0 + v) by lia. rewrite E. lia.
Qed.
