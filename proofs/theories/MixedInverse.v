(** Inverses of layouts of which some leaves are static. *)
From Cute Require Export MixedComplement DynamicInverse.

(** The numbers of a mode. *)
Definition mode_at_run_time (m : mmode) : mode := (fst (fst (fst m)), fst (snd (fst m)), fst (snd m)).

Lemma msort_perm : forall l, Permutation (msort_by_stride l) l.
Proof.
  intro l. unfold msort_by_stride. cbv zeta.
  set (f := fun m : mode => match nth_error l (Z.to_nat (fst (fst m))) with Some m => [m] | None => [] end).
  set (g := fun im : nat * mmode => (Z.of_nat (fst im), fst (snd (fst (snd im))), 0)).
  assert (forall r pre, l = pre ++ r -> flat_map f (map g (combine (seq (length pre) (length r)) r)) = r) as F.
  { induction r as [|m r IH]; intros pre E; [reflexivity|]. cbn [length seq combine map flat_map].
    assert (f (g (length pre, m)) = [m]) as ->.
    { unfold f, g. cbn [fst snd]. rewrite Nat2Z.id, E, nth_error_app2, Nat.sub_diag by lia. reflexivity. }
    cbn [app]. f_equal. specialize (IH (pre ++ [m])). rewrite app_length, Nat.add_1_r in IH. apply IH.
    rewrite E, <- app_assoc. reflexivity. }
  specialize (F l [] eq_refl). cbn [length] in F. rewrite <- F at 3. apply Permutation_flat_map, exchange_sort_perm.
Qed.

Lemma mpositions_numbers : forall l p, map mode_at_run_time (mpositions l p) = positions (numbers l) (fst p).
Proof.
  induction l as [|[s d] l IH]; intro p; [reflexivity|]. cbn [mpositions map]. rewrite IH. rewrite numbers_cons. reflexivity.
Qed.

Lemma filter_perm : forall {A} (f : A -> bool) l, Permutation (filter f l ++ filter (fun x => negb (f x)) l) l.
Proof.
  intros A f l. induction l as [|x l IH]; [constructor|]. cbn [filter]. destruct (f x); cbn [negb].
  - constructor. exact IH.
  - rewrite <- Permutation_middle. constructor. exact IH.
Qed.

(** * The right inverse *)

Lemma mright_chain_none : forall l next, snd next = false -> mright_chain l next = [].
Proof.
  induction l as [|[[s d] p] l IH]; intros next N; [reflexivity|]. cbn [mright_chain]. unfold equal.
  rewrite N, andb_false_r. apply IH. assumption.
Qed.

Lemma mright_chain_numbers : forall l next, Forall (fun m => has_static_stride m = true) l ->
  modes_pos' (map mode_at_run_time l) -> snd next = true -> 1 <= fst next ->
  numbers (mright_chain l next) = run_right_chain (map (fun m => (mode_at_run_time m, snd (fst (fst m)))) l) (fst next).
Proof.
  induction l as [|[[s d] p] l IH]; intros next S P K N; [reflexivity|].
  inversion_clear S as [|? ? S1 S2]. inversion_clear P as [|? ? P1 P2]. unfold mode_at_run_time, has_static_stride in S1, P1.
  cbn [fst snd] in S1, P1. cbn [mright_chain map run_right_chain]. unfold mode_at_run_time at 1. cbn [fst snd].
  unfold equal. rewrite S1, K. cbn [andb]. destruct (Z.eqb_spec (fst d) (fst next)) as [E|E]; [|apply IH; assumption].
  rewrite numbers_cons. unfold number_of. cbn [fst snd]. f_equal. destruct (snd s) eqn:X.
  - rewrite IH; [reflexivity|assumption|assumption| |cbn [kmul fst]; nia]. unfold kmul. cbn [snd]. rewrite X, S1. reflexivity.
  - rewrite mright_chain_none; [reflexivity|]. unfold kmul, is. cbn [snd]. rewrite X. cbn [andb orb].
    rewrite S1. cbn [andb]. lia.
Qed.

(** Nothing is assumed, whichever leaves are static: R(i) is an index of L, and L(R(i)) = i. *)
Theorem mixed_right_inverse_exact : forall l r, pos (leaves (at_run_time l)) -> mright_inverse l = Some r ->
  let L := at_run_time l in let R := at_run_time r in
  pos (leaves R) /\ forall i, 0 <= i < size R -> 0 <= eval R i < size L /\ eval L (eval R i) = i.
Proof.
  intros l r P H L R. assert (pos (leaves L)) as PL by exact P. rewrite at_run_time_leaves in P.
  unfold mright_inverse in H. apply bind_some in H. destruct H as (c & H & K). injection K as <-.
  unfold mfrom_flat in H. apply bind_some in H. destruct H as (u & _ & K). injection K as <-.
  destruct (mcoalesced_same (leaves l) P) as (Pa & Ta & Va).
  set (a := mcoalesced false (leaves l)) in *.
  set (ms := msort_by_stride (filter has_static_stride (mcoalesced_modes l))) in *.
  assert (Forall (fun m => has_static_stride m = true) ms) as S.
  { unfold ms. rewrite msort_perm. apply Forall_forall. intros m I. apply filter_In in I. apply I. }
  assert (Permutation (map mode_at_run_time ms ++ map mode_at_run_time (filter (fun m => negb (has_static_stride m)) (mcoalesced_modes l)))
                      (positions (numbers a) 1)) as Q.
  { rewrite <- map_app. change 1 with (fst (fixed 1)). rewrite <- mpositions_numbers. apply Permutation_map.
    unfold ms. rewrite msort_perm. apply filter_perm. }
  assert (modes_pos' (map mode_at_run_time ms)) as Pm.
  { pose proof (positions_modes (numbers a) 1 Pa) as X. unfold modes_pos' in *. rewrite <- Q in X. apply Forall_app in X. apply X. }
  assert (map fst (map (fun m => (mode_at_run_time m, snd (fst (fst m)))) ms) = map mode_at_run_time ms) as Mf
    by (rewrite map_map; reflexivity).
  rewrite <- Mf in Q.
  assert (total (numbers a) = size L) as TL by (rewrite Ta; unfold L, size; rewrite at_run_time_leaves; reflexivity).
  assert (forall i, 0 <= i < size L -> beval (numbers a) i = eval L i) as FL.
  { intros i I. rewrite Va, eval_leaves by assumption. unfold L. rewrite at_run_time_leaves. reflexivity. }
  destruct (dynamic_right_inverse_exact L _ _ _ _ PL Pa TL FL Q eq_refl) as [Pc Ec].
  change 1 with (fst (fixed 1)) in Pc, Ec. rewrite <- (mright_chain_numbers ms (fixed 1) S Pm eq_refl ltac:(cbn; lia)) in Pc, Ec.
  assert (pos (numbers ((fixed 1, fixed 0) :: mright_chain ms (fixed 1)))) as Pq by (rewrite numbers_cons; constructor; [cbn; lia|assumption]).
  destruct (mcoalesced_same _ Pq) as (X1 & X2 & X3).
  assert (leaves R = numbers (mcoalesced false ((fixed 1, fixed 0) :: mright_chain ms (fixed 1)))) as LR
    by (unfold R; rewrite at_run_time_leaves, flat_tree_leaves; reflexivity).
  assert (pos (leaves R)) as PR by (rewrite LR; assumption).
  split; [assumption|]. intros i I. rewrite eval_leaves by assumption. unfold size in I. rewrite LR, X2 in I. rewrite LR, X3.
  rewrite numbers_cons in *. unfold number_of, fixed in *. cbn [fst snd] in *. rewrite total_cons in I. cbn [fst] in I.
  cbn [beval]. rewrite Z.mod_1_r, Z.div_1_r. rewrite Z.mul_0_l, Z.add_0_l. apply Ec. lia.
Qed.

(** * The left inverse *)

Lemma tmap_flat_tree : forall {A B} (f : A -> B) l, tmap f (flat_tree l) = flat_tree (map f l).
Proof. intros A B f [|a [|b l]]; [reflexivity|reflexivity|]. unfold flat_tree, of_leaves. cbn [map tmap]. rewrite !map_map. reflexivity. Qed.

Lemma mcoalesced_nonempty : forall e l, mcoalesced e l <> [].
Proof.
  intros e l. unfold mcoalesced. destruct (mmerged e l) as [|p r]; [discriminate|]. cbv zeta.
  match goal with |- (if ?x then _ else _) <> _ => destruct x end; discriminate.
Qed.

(** Coalescing leaves no extent that is a static 1, except for 1:0. *)
Lemma mmerged_not_one : forall l, pos (numbers l) -> l <> [] ->
  not_one (mmerged false l) \/ exists p, mmerged false l = [p] /\ is (fst p) 1 = true.
Proof.
  induction l as [|p [|q l] IH]; intros P N; [congruence| |].
  - destruct p as [s d]. cbn [mmerged andb]. destruct (is s 1) eqn:E; [right; eauto|left; repeat constructor; assumption].
  - rewrite numbers_cons in P. apply pos_cons in P. destruct P as [P1 P2]. unfold number_of in P1. cbn [fst] in P1.
    rewrite mmerged_cons. specialize (IH P2 ltac:(discriminate)). destruct (mmerged_same (q :: l) 0 P2) as (Pm & _).
    unfold mpush. destruct (is (fst p) 1) eqn:E; [exact IH|].
    destruct (mmerged false (q :: l)) as [|[s d] r]; [left; repeat constructor; assumption|].
    rewrite numbers_cons in Pm. apply pos_cons in Pm. destruct Pm as [Pm _]. unfold number_of in Pm. cbn [fst] in Pm.
    assert (forall k, not_one k -> not_one ((kmul (fst p) s, snd p) :: k)) as M.
    { intros k K. constructor; [|exact K]. cbn [fst]. destruct (is (kmul (fst p) s) 1) eqn:F; [|reflexivity].
      apply kmul_one in F; [congruence|assumption|assumption]. }
    destruct IH as [IH|(p' & E' & O)].
    + inversion_clear IH as [|? ? O1 O2]. cbn [fst] in O1. left. destruct r as [|q' r].
      * rewrite O1. destruct (snd s && continues p d); [apply M; constructor|repeat constructor; assumption].
      * destruct (snd s && continues p d); [apply M; assumption|]. constructor; [assumption|]. constructor; assumption.
    + injection E' as <- ->. cbn [fst] in O. rewrite O. left. repeat constructor. assumption.
Qed.

(** Where the last extent is not a static 1, coalescing keeps the function past the size. *)
Lemma mcoalesced_feval : forall l p i, pos (numbers (l ++ [p])) -> is (fst p) 1 = false ->
  pos (numbers (mcoalesced false (l ++ [p]))) /\ feval (numbers (mcoalesced false (l ++ [p]))) i = feval (numbers (l ++ [p])) i.
Proof.
  intros l p i P O.
  assert (mmerged false (l ++ [p]) = mmerged true (l ++ [p])) as E.
  { clear P. induction l as [|q l IH]; [destruct p as [s d]; cbn [app mmerged fst] in *; rewrite O; reflexivity|].
    cbn [app]. destruct (l ++ [p]) as [|q' k] eqn:F; [destruct l; discriminate|]. rewrite !mmerged_cons, IH. reflexivity. }
  destruct (mmerged_extended (l ++ [p]) i P ltac:(destruct l; discriminate)) as (A & B & C & D).
  unfold mcoalesced. rewrite E. destruct (mmerged true (l ++ [p])) as [|q k]; [congruence|].
  inversion_clear B as [|? ? B1 _]. cbn [forallb]. rewrite B1. cbn [andb]. auto.
Qed.

Lemma mleft_gaps_numbers : forall l c gs, Forall (fun m => has_static_stride m = true) l -> mleft_gaps l c = Some gs ->
  left_gaps (map mode_at_run_time l) (fst c) = Some (map fst gs)
  /\ map (fun m : mmode => fst (snd m)) (filter (fun m : mmode => negb (is (snd (fst m)) 0)) l) = left_strides (map mode_at_run_time l).
Proof.
  induction l as [|[[s d] p] l IH]; intros c gs S H; [injection H as <-; split; reflexivity|].
  inversion_clear S as [|? ? S1 S2]. unfold has_static_stride in S1. cbn [fst snd] in S1.
  cbn [mleft_gaps] in H. cbn [map]. unfold mode_at_run_time at 1 3. cbn [fst snd left_gaps filter].
  unfold left_strides. cbn [filter]. unfold mode_stride at 1. cbn [fst snd].
  assert (is d 0 = (fst d =? 0)) as E by (unfold is; rewrite S1; reflexivity). rewrite E in *.
  destruct (fst d =? 0); cbn [negb].
  - apply IH; assumption.
  - apply bind_some in H. destruct H as (u & G & H). apply bind_some in H. destruct H as (gs' & H & K). injection K as <-.
    rewrite G. cbn [bind]. apply IH in H; [|assumption]. destruct H as [H1 H2]. cbn [kmul kdiv fst] in H1.
    rewrite H1. cbn [bind map fst snd kdiv]. split; [reflexivity|]. f_equal. exact H2.
Qed.

Lemma numbers_combine : forall es ds, numbers (combine es ds) = combine (map fst es) (map fst ds).
Proof. induction es as [|e es IH]; intros [|d ds]; try reflexivity. cbn [combine map numbers]. f_equal. apply IH. Qed.

Lemma left_gaps_length : forall l c gs, left_gaps l c = Some gs -> length (left_strides l) = length gs.
Proof.
  induction l as [|[[s d] p] l IH]; intros c gs H; [injection H as <-; reflexivity|]. cbn [left_gaps] in H.
  unfold left_strides in *. cbn [filter]. unfold mode_stride at 1. cbn [fst snd]. destruct (d =? 0); cbn [negb]; [eauto|].
  apply bind_some in H. destruct H as (u & _ & H). apply bind_some in H. destruct H as (gs' & H & K). injection K as <-.
  cbn [map length]. f_equal. eauto.
Qed.

Lemma mleft_gaps_static : forall l c gs, Forall (fun m => has_static_stride m = true) l -> snd c = true ->
  mleft_gaps l c = Some gs -> Forall (fun g => snd g = true) gs.
Proof.
  induction l as [|[[s d] p] l IH]; intros c gs S C H; [injection H as <-; constructor|].
  inversion_clear S as [|? ? S1 S2]. unfold has_static_stride in S1. cbn [fst snd] in S1. cbn [mleft_gaps] in H.
  destruct (is d 0); [eauto|]. apply bind_some in H. destruct H as (u & _ & H). apply bind_some in H.
  destruct H as (gs' & H & K). injection K as <-.
  assert (snd (kdiv d c) = true) as G by (unfold kdiv; cbn [snd]; rewrite S1, C; reflexivity).
  constructor; [exact G|]. eapply IH; [assumption| |exact H]. unfold kmul. cbn [snd]. rewrite C, G. reflexivity.
Qed.

Lemma combine_last : forall {A B} (es : list A) (ds : list B) e, length ds = S (length es) ->
  exists d, combine (es ++ [e]) ds = combine es ds ++ [(e, d)].
Proof.
  intros A B. induction es as [|x es IH]; intros ds e L.
  - destruct ds as [|d [|d' ds]]; try discriminate. exists d. reflexivity.
  - destruct ds as [|d ds]; [discriminate|]. cbn [length] in L. destruct (IH ds e ltac:(lia)) as (d' & E).
    exists d'. cbn [app combine]. rewrite E. reflexivity.
Qed.

Lemma left_apart_nonneg : forall l reached, 0 <= reached -> modes_pos' l -> left_apart l reached ->
  Forall (fun m => 0 <= mode_stride m) l.
Proof.
  induction l as [|[[s d] p] l IH]; intros reached R P A; [constructor|]. inversion_clear P as [|? ? P1 P2].
  cbn [fst left_apart] in *. unfold mode_stride at 1. cbn [fst snd]. destruct (Z.eqb_spec d 0) as [->|N].
  - constructor; [cbn; lia|]. eapply IH; eassumption.
  - destruct A as [A1 A2]. constructor; [cbn; lia|]. eapply IH; [|exact P2|exact A2]. nia.
Qed.

Lemma positions_strides : forall l p, Forall (fun m => 0 <= mode_stride m) (positions l p) -> Forall (fun q => 0 <= snd q) l.
Proof.
  induction l as [|[s d] l IH]; intros p H; [constructor|]. cbn [positions] in H. inversion_clear H as [|? ? H1 H2].
  constructor; [exact H1|eauto].
Qed.

(** If what Rust assumes of dynamic extents holds, Q(L(i)) = i. *)
Theorem mixed_left_inverse_exact : forall l q, pos (leaves (at_run_time l)) -> mleft_inverse l = Some q ->
  let modes := map mode_at_run_time (msort_by_stride (mcoalesced_modes l)) in
  (* Apart *) left_apart modes 0 -> (* Single *) left_single modes ->
  let L := at_run_time l in let Q := at_run_time q in
  pos (leaves Q) /\ forall i, 0 <= i < size L -> eval Q (eval L i) = i.
Proof.
  intros l q P H modes Ap S L Q. assert (pos (leaves L)) as PL by exact P. rewrite at_run_time_leaves in P.
  unfold mleft_inverse in H. apply bind_some in H. destruct H as (u & St & H). apply guard_some in St.
  apply bind_some in H. destruct H as (gs & G & H). apply bind_some in H. destruct H as (c & H & K). injection K as <-.
  unfold mfrom_flat in H. apply bind_some in H. destruct H as (u' & Ck & K). injection K as <-. apply guard_some in Ck.
  destruct (mcoalesced_same (leaves l) P) as (Pa & Ta & Va).
  pose proof (msort_perm (mcoalesced_modes l)) as Sp. set (ms := msort_by_stride (mcoalesced_modes l)) in *.
  assert (Forall (fun m => has_static_stride m = true) ms) as Sm.
  { rewrite Sp. apply Forall_forall. rewrite forallb_forall in St. exact St. }
  destruct (mleft_gaps_numbers ms (fixed 1) gs Sm G) as [G' Str]. fold modes in G', Str.
  assert (Permutation modes (positions (numbers (mcoalesced false (leaves l))) 1)) as Pq.
  { unfold modes. change 1 with (fst (fixed 1)). rewrite <- mpositions_numbers. apply Permutation_map. exact Sp. }
  assert (total (numbers (mcoalesced false (leaves l))) = size L) as TL by (rewrite Ta; unfold L, size; rewrite at_run_time_leaves; reflexivity).
  assert (forall i, 0 <= i < size L -> beval (numbers (mcoalesced false (leaves l))) i = eval L i) as FL.
  { intros i I. rewrite Va, eval_leaves by assumption. unfold L. rewrite at_run_time_leaves. reflexivity. }
  set (a := mcoalesced false (leaves l)) in *.
  assert (modes_pos' modes) as Mp by (unfold modes_pos'; rewrite Pq; apply positions_modes; assumption).
  assert (Forall (fun q => 0 <= snd q) (numbers a)) as Na.
  { apply (positions_strides _ 1). rewrite <- Pq. apply (left_apart_nonneg modes 0); [lia|assumption|assumption]. }
  assert (exists m k, rev ms = m :: k) as (m & k & R).
  { destruct (rev ms) as [|m k] eqn:R; [|eauto]. exfalso. apply (f_equal (@rev _)) in R. rewrite rev_involutive in R. cbn in R.
    apply Permutation_sym in Sp. rewrite R in Sp. apply Permutation_sym, Permutation_nil in Sp. unfold mcoalesced_modes in Sp. fold a in Sp.
    pose proof (mcoalesced_nonempty false (leaves l)) as N. fold a in N. destruct a as [|[s d] a']; [congruence|discriminate]. }
  rewrite R in *. set (last := fst (fst m)) in *.
  set (strides := map snd (filter (fun m : mmode => negb (is (snd (fst m)) 0)) ms)) in *.
  assert (map fst strides = left_strides modes) as Es by (rewrite <- Str; unfold strides; rewrite map_map; reflexivity).
  assert (length strides = length gs) as Ln.
  { pose proof (f_equal (@length Z) Es) as X. rewrite (left_gaps_length _ _ _ G'), !map_length in X. exact X. }
  assert (In m ms) as Im by (apply in_rev; rewrite R; left; reflexivity).
  destruct (combine_last gs (fixed 0 :: strides) last ltac:(cbn [length]; lia)) as (dl & Cl).
  assert (numbers (combine (gs ++ [last]) (fixed 0 :: strides)) = run_left_inverse modes (map fst gs) (fst last)) as Eq.
  { rewrite numbers_combine, map_app. cbn [map fixed fst]. rewrite Es. reflexivity. }
  assert (pos (numbers (combine (gs ++ [last]) (fixed 0 :: strides)))) as Px.
  { assert (Forall (fun g : known => 1 <= fst g) (gs ++ [last])) as Pg.
    { apply Forall_app. split.
      - apply Forall_forall. intros g I. pose proof (mleft_gaps_static ms (fixed 1) gs Sm eq_refl G) as Sg.
        rewrite Forall_forall in Sg. specialize (Sg g I). rewrite Cl in Ck. unfold mchecked in Ck. rewrite forallb_app in Ck.
        apply andb_prop in Ck. destruct Ck as [Ck _]. rewrite forallb_forall in Ck.
        assert (exists d, In (g, d) (combine gs (fixed 0 :: strides))) as (d & Id).
        { clear - I Ln. assert (length gs <= length (fixed 0 :: strides))%nat as L by (cbn [length]; lia). revert L.
          generalize (fixed 0 :: strides). clear Ln. induction gs as [|x gs IH]; intros ds L; [destruct I|].
          destruct ds as [|d ds]; [cbn [length] in L; lia|]. destruct I as [->|I]; [exists d; left; reflexivity|].
          cbn [length] in L. destruct (IH I ds ltac:(lia)) as (d' & J). exists d'. right. exact J. }
        specialize (Ck _ Id). cbn [fst] in Ck. rewrite Sg in Ck. cbn [negb orb] in Ck. lia.
      - constructor; [|constructor]. unfold modes, modes_pos' in Mp. rewrite Forall_map, Forall_forall in Mp. exact (Mp m Im). }
    clear - Pg. generalize (fixed 0 :: strides). induction Pg as [|g k' G _ IH]; intros [|d ds]; try constructor; [exact G|apply IH]. }
  assert (forall i, 0 <= i < size L -> 0 <= eval L i) as NL.
  { intros i I. rewrite <- FL by assumption. apply beval_reach; assumption. }
  assert (leaves Q = numbers (mcoalesced false (combine (gs ++ [last]) (fixed 0 :: strides)))) as LQ
    by (unfold Q; rewrite at_run_time_leaves, flat_tree_leaves, R; reflexivity).
  assert (pos (leaves Q)) as PQ by (rewrite LQ; apply mcoalesced_same; assumption).
  split; [assumption|]. intros i I.
  destruct (Z.eq_dec (size L) 1) as [One|One].
  { assert (i = 0) as -> by lia. rewrite (eval_leaves L), beval_0 by assumption.
    rewrite eval_leaves, beval_0; [reflexivity|assumption|]. pose proof (total_pos _ PQ). unfold size. lia. }
  assert (is last 1 = false) as O.
  { assert (not_one a) as Oa.
    { unfold a, mcoalesced in TL |- *.
      match goal with |- not_one (if ?x then _ else _) => destruct x eqn:E end; [cbn in TL; lia|].
      assert (leaves l <> []) as Nl by (intro X; rewrite X in E; discriminate).
      destruct (mmerged_not_one (leaves l) P Nl) as [X|(p & X & Y)]; [assumption|].
      rewrite X in E. cbn [forallb] in E. rewrite Y in E. discriminate. }
    assert (forall l p, not_one l -> Forall (fun m : mmode => is (fst (fst m)) 1 = false) (mpositions l p)) as Op.
    { clear. induction l as [|[s d] l IH]; intros p H; [constructor|]. inversion_clear H. cbn [mpositions]. constructor; auto. }
    specialize (Op a (fixed 1) Oa). rewrite Forall_forall in Op. apply Op. apply (Permutation_in m Sp). exact Im. }
  rewrite Cl in *. destruct (mcoalesced_feval (combine gs (fixed 0 :: strides)) (last, dl) (eval L i) Px O) as [_ Fv].
  assert (no_empty Q) as NE.
  { assert (Q = flat_tree (numbers (mcoalesced false (combine gs (fixed 0 :: strides) ++ [(last, dl)])))) as ->.
    { unfold Q, at_run_time, numbers. rewrite R. fold last strides. rewrite Cl. apply tmap_flat_tree. }
    apply flat_tree_no_empty. intro N. apply map_eq_nil in N. apply mcoalesced_nonempty in N. assumption. }
  rewrite eval_leaves_extended by auto. rewrite LQ.
  refine (eq_trans Fv (eq_trans (f_equal (fun x => feval x (eval L i)) Eq) _)).
  eapply (dynamic_left_inverse_exact L (numbers a) modes); try eassumption. reflexivity.
Qed.
