(** Composition of layouts of which some leaves are static: whatever they are, the numbers of the result
    are a layout with the values that Dynamic.v speaks of. *)
From Cute Require Export Dynamic Mixed.

Lemma is_spec : forall x n, is x n = true -> fst x = n.
Proof. intros [v s] n H. unfold is in H. cbn in *. apply andb_prop in H. lia. Qed.

Lemma numbers_cons : forall p l, numbers (p :: l) = number_of p :: numbers l.
Proof. reflexivity. Qed.

Lemma numbers_app : forall l r, numbers (l ++ r) = numbers l ++ numbers r.
Proof. intros. apply map_app. Qed.

(** * Coalesce *)

(** Merging two modes, or dropping one of extent 1, changes no value. *)
Lemma mpush_cases : forall (P : list mleaf -> Prop) p back,
  (is (fst p) 1 = true -> P back) ->
  (forall s d, back = [(s, d)] -> is s 1 = true -> P [p]) ->
  (forall s d r, back = (s, d) :: r -> fst (fst p) * fst (snd p) = fst d -> is (fst p) 1 = false ->
    P ((kmul (fst p) s, snd p) :: r)) ->
  (is (fst p) 1 = false -> P (p :: back)) -> P (mpush p back).
Proof.
  intros P p back H1 H2 H3 H4. unfold mpush. destruct (is (fst p) 1) eqn:E; [auto|].
  assert (forall d, continues p d = true -> fst (fst p) * fst (snd p) = fst d) as C.
  { intros d C. unfold continues, equal in C. apply andb_prop in C. destruct C as [_ C]. cbn [kmul fst] in C. lia. }
  destruct back as [|[s d] [|q r]]; [auto| |].
  - destruct (is s 1) eqn:S; [eauto|]. destruct (snd s && continues p d) eqn:M; [|auto].
    apply andb_prop in M. destruct M as [_ M]. eauto.
  - destruct (snd s && continues p d) eqn:M; [|auto]. apply andb_prop in M. destruct M as [_ M]. eauto.
Qed.

Lemma mpush_same : forall p back i, 1 <= fst (fst p) -> pos (numbers back) ->
  pos (numbers (mpush p back)) /\ total (numbers (mpush p back)) = fst (fst p) * total (numbers back)
  /\ beval (numbers (mpush p back)) i = beval (numbers (p :: back)) i.
Proof.
  intros [x e] back i P B. cbn [fst] in *. apply mpush_cases; cbn [fst snd].
  - intro E. apply is_spec in E. rewrite numbers_cons. cbn [number_of fst snd beval]. rewrite E, Z.mod_1_r, Z.div_1_r.
    split; [assumption|]. split; lia.
  - intros s d -> E. apply is_spec in E. rewrite !numbers_cons. unfold number_of, numbers. cbn [map fst snd beval].
    rewrite E, !total_cons, total_nil, Z.mod_1_r. cbn [fst]. split; [repeat constructor; assumption|]. split; lia.
  - intros s d r -> E _. rewrite !numbers_cons in *. unfold number_of in *. cbn [fst snd kmul] in *.
    apply pos_cons in B. destruct B as [B1 B2]. cbn [fst] in B1. rewrite !total_cons. cbn [fst].
    split; [constructor; [cbn; nia|assumption]|]. split; [lia|]. cbn [beval].
    rewrite mod_split by lia. rewrite <- Z.div_div by lia. rewrite <- E. lia.
  - intros _. rewrite !numbers_cons. unfold number_of. cbn [fst snd]. rewrite total_cons. cbn [fst].
    split; [constructor; assumption|]. split; reflexivity.
Qed.

Lemma mmerged_cons : forall e p q r, mmerged e (p :: q :: r) = mpush p (mmerged e (q :: r)).
Proof. intros e [s d] q r. reflexivity. Qed.

Lemma mmerged_same : forall l i, pos (numbers l) ->
  pos (numbers (mmerged false l)) /\ total (numbers (mmerged false l)) = total (numbers l)
  /\ beval (numbers (mmerged false l)) i = beval (numbers l) i.
Proof.
  induction l as [|p [|q l] IH]; intros i P; [auto|destruct p; auto|].
  rewrite numbers_cons in P. apply pos_cons in P. destruct P as [P1 P2]. unfold number_of in P1. cbn [fst] in P1.
  rewrite mmerged_cons. destruct (IH (i / fst (fst p)) P2) as (A & B & C).
  destruct (mpush_same p (mmerged false (q :: l)) i P1 A) as (D & E & F). rewrite E, F, B.
  split; [assumption|]. rewrite !(numbers_cons p). unfold number_of. rewrite total_cons. cbn [fst beval]. rewrite C. auto.
Qed.

Lemma mones_numbers : forall l, forallb (fun p : mleaf => is (fst p) 1) l = true -> ones (numbers l) = true.
Proof.
  intros l H. unfold ones, numbers. induction l as [|p l IH]; [reflexivity|]. cbn [forallb map] in *.
  apply andb_prop in H. destruct H as [H1 H2]. apply is_spec in H1. unfold number_of at 1. cbn [fst].
  rewrite H1, IH by assumption. reflexivity.
Qed.

(** What is known of leaves decides which modes are merged, and the function is the same. *)
Lemma mcoalesced_same : forall l, pos (numbers l) ->
  pos (numbers (mcoalesced false l)) /\ total (numbers (mcoalesced false l)) = total (numbers l)
  /\ forall i, beval (numbers (mcoalesced false l)) i = beval (numbers l) i.
Proof.
  intros l P. unfold mcoalesced. destruct (forallb _ _) eqn:O.
  - apply mones_numbers in O. split; [repeat constructor; cbn; lia|].
    destruct (mmerged_same l 0 P) as (_ & T & _). split; [rewrite <- T, (ones_total _ O); reflexivity|].
    intro i. destruct (mmerged_same l i P) as (_ & _ & <-). rewrite (ones_beval _ _ O). cbn. lia.
  - split; [apply (mmerged_same l 0 P)|]. split; [apply (mmerged_same l 0 P)|]. intro i. apply (mmerged_same l i P).
Qed.

(** Extents that are not the static 1. *)
Definition not_one (l : list mleaf) : Prop := Forall (fun p => is (fst p) 1 = false) l.

Lemma kmul_one : forall x y, 1 <= fst x -> 1 <= fst y -> is (kmul x y) 1 = true -> is x 1 = true.
Proof.
  intros [x a] [y b] X Y H. unfold is, kmul in *. cbn [fst snd] in *. apply andb_prop in H. destruct H as [H1 H2].
  assert (x = 1) by nia. subst x. unfold is in H1. cbn [fst snd] in *. replace (y =? 0) with false in H1 by lia.
  destruct a; cbn in *; [reflexivity|]. rewrite andb_false_r in H1. cbn in H1. discriminate.
Qed.

Lemma mpush_extended : forall p back i, 1 <= fst (fst p) -> pos (numbers back) -> not_one back -> back <> [] ->
  pos (numbers (mpush p back)) /\ not_one (mpush p back) /\ mpush p back <> []
  /\ feval (numbers (mpush p back)) i = feval (numbers (p :: back)) i.
Proof.
  intros [x e] back i P B O N. cbn [fst] in *.
  assert (numbers back <> []) as N' by (destruct back; [congruence|discriminate]).
  rewrite (numbers_cons (x, e)). unfold number_of. cbn [fst snd].
  apply mpush_cases; cbn [fst snd].
  - intro E. apply is_spec in E. rewrite feval_cons by assumption. rewrite E, Z.mod_1_r, Z.div_1_r. repeat split; auto; lia.
  - intros s d -> E. inversion_clear O. cbn [fst] in *. congruence.
  - intros s d r -> E F. inversion_clear O as [|? ? O1 O2]. cbn [fst] in O1. rewrite numbers_cons in *.
    unfold number_of in B. cbn [fst snd] in *. apply pos_cons in B. destruct B as [B1 B2]. cbn [fst] in B1.
    rewrite !numbers_cons. unfold number_of. cbn [fst snd kmul].
    split; [constructor; [cbn; nia|assumption]|]. split; [|split; [discriminate|]].
    + constructor; [|assumption]. cbn [fst]. destruct (is (kmul x s) 1) eqn:K; [|reflexivity].
      apply kmul_one in K; [congruence|assumption|assumption].
    + destruct (numbers r) as [|q k].
      * rewrite (feval_cons (fst x) (fst e)) by discriminate. cbn [feval]. pose proof (Z.div_mod i (fst x)). nia.
      * rewrite !feval_cons by discriminate. rewrite mod_split by lia. rewrite <- Z.div_div by lia. rewrite <- E. lia.
  - intro E. rewrite numbers_cons. unfold number_of. cbn [fst snd].
    split; [constructor; assumption|]. split; [constructor; assumption|]. split; [discriminate|reflexivity].
Qed.

Lemma mmerged_extended : forall l i, pos (numbers l) -> l <> [] ->
  pos (numbers (mmerged true l)) /\ not_one (mmerged true l) /\ mmerged true l <> []
  /\ feval (numbers (mmerged true l)) i = feval (numbers l) i.
Proof.
  induction l as [|p [|q l] IH]; intros i P N; [congruence| |].
  - destruct p as [s d]. cbn [mmerged]. unfold numbers, number_of in *. cbn [map fst snd] in *.
    apply pos_cons in P. destruct P as [P _]. cbn [fst] in P.
    destruct (is s 1) eqn:E; cbn [andb fixed fst]; repeat split; try discriminate; repeat constructor; cbn; try lia; assumption.
  - rewrite numbers_cons in P. apply pos_cons in P. destruct P as [P1 P2]. unfold number_of in P1. cbn [fst] in P1.
    rewrite mmerged_cons. destruct (IH (i / fst (fst p)) P2 ltac:(discriminate)) as (A & B & C & D).
    destruct (mpush_extended p (mmerged true (q :: l)) i P1 A B C) as (E & F & G & H).
    repeat split; try assumption. rewrite H, !(numbers_cons p). unfold number_of. cbn [fst snd].
    rewrite !feval_cons.
    + rewrite D. reflexivity.
    + discriminate.
    + destruct (mmerged true (q :: l)); [congruence|discriminate].
Qed.

(** [coalesce_extended]: the same function past the size too. *)
Lemma mcoalesced_extended : forall l, pos (numbers l) ->
  pos (numbers (mcoalesced true l)) /\ mcoalesced true l <> []
  /\ forall i, feval (numbers (mcoalesced true l)) i = feval (numbers l) i.
Proof.
  intros l P. destruct l as [|p l].
  { cbn. split; [repeat constructor; cbn; lia|]. split; [discriminate|]. intro i. lia. }
  assert (mcoalesced true (p :: l) = mmerged true (p :: l)) as ->.
  { unfold mcoalesced. destruct (mmerged_extended (p :: l) 0 P ltac:(discriminate)) as (_ & O & N & _).
    destruct (mmerged true (p :: l)) as [|q k]; [congruence|]. inversion_clear O as [|? ? O1 _].
    cbn [forallb]. rewrite O1. reflexivity. }
  split; [apply (mmerged_extended (p :: l) 0 P); discriminate|].
  split; [apply (mmerged_extended (p :: l) 0 P); discriminate|]. intro i. apply mmerged_extended; [assumption|discriminate].
Qed.

(** * Composition *)

Lemma walk_values_pos : forall a rest step, pos a -> 1 <= rest -> step <> 0 -> pos (walk_values a rest step).
Proof.
  induction a as [|[s d] a IH]; intros rest step P R S; [constructor|].
  apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1. destruct a as [|q a]; [repeat constructor; assumption|].
  remember (q :: a) as a' eqn:Ea.
  assert (walk_values ((s, d) :: a') rest step
          = (Z.min (cdiv s (Z.abs step)) rest, d * step)
              :: walk_values a' (Z.quot rest (Z.min (cdiv s (Z.abs step)) rest)) (cdiv (Z.abs step) s * Z.sgn step)) as ->
    by (subst a'; reflexivity).
  pose proof (cdiv_ge_1 s (Z.abs step) P1 ltac:(lia)). pose proof (cdiv_ge_1 (Z.abs step) s ltac:(lia) P1).
  constructor; [cbn; lia|]. apply IH; [assumption| |nia]. rewrite quot_div by lia. apply Z.div_le_lower_bound; lia.
Qed.

Lemma run_values_pos' : forall a bl, pos a -> pos bl -> pos (run_values a bl).
Proof.
  intros a bl P B. induction B as [|[s d] bl B1 _ IH]; [constructor|]. unfold run_values in *. cbn [flat_map fst snd].
  apply pos_app. split; [|assumption]. destruct (Z.eqb_spec d 0); [repeat constructor|apply walk_values_pos]; assumption.
Qed.

(** A mode that is left out has one element. *)
Lemma mcompose_int_same : forall a rest step empty r, pos (numbers a) -> a <> [] -> 1 <= fst rest -> fst step <> 0 ->
  mcompose_int a rest step empty = Some r ->
  pos (numbers r) /\ total (numbers r) = total (walk_values (numbers a) (fst rest) (fst step))
  /\ forall i, beval (numbers r) i = beval (walk_values (numbers a) (fst rest) (fst step)) i.
Proof.
  induction a as [|[s d] a IH]; intros rest step empty r P N R S H; [congruence|].
  rewrite numbers_cons in *. unfold number_of in P. cbn [fst snd] in P.
  apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1. destruct a as [|q a].
  - cbn [mcompose_int] in H. cbn [numbers map walk_values number_of fst snd].
    destruct (empty || negb (is rest 1)) eqn:E; injection H as <-.
    + unfold numbers. cbn [map number_of fst snd kmul]. split; [repeat constructor; assumption|]. split; reflexivity.
    + apply orb_false_elim in E. destruct E as [_ E]. apply negb_false_iff, is_spec in E. rewrite E.
      split; [constructor|]. split; [reflexivity|]. intro i. cbn. rewrite Z.mod_1_r. lia.
  - assert (q :: a <> []) as N' by discriminate. remember (q :: a) as a' eqn:Ea in *.
    assert (walk_values (number_of (s, d) :: numbers a') (fst rest) (fst step)
            = (Z.min (cdiv (fst s) (Z.abs (fst step))) (fst rest), fst d * fst step)
                :: walk_values (numbers a') (Z.quot (fst rest) (Z.min (cdiv (fst s) (Z.abs (fst step))) (fst rest)))
                     (cdiv (Z.abs (fst step)) (fst s) * Z.sgn (fst step))) as -> by (subst a'; reflexivity).
    assert (mcompose_int ((s, d) :: a') rest step empty =
      if snd step && snd s && negb (Z.rem (fst step) (fst s) =? 0) && (fst s <=? fst step) then None
      else
        let magnitude := kabs step in
        let next_shape := kcdiv s magnitude in
        let next_step := kmul (kcdiv magnitude s) (ksgn step) in
        if negb (is next_shape 1) && negb (is rest 1) then
          let taken := kmin next_shape rest in
          if snd rest && snd taken && negb (Z.rem (fst rest) (fst taken) =? 0) then None
          else do r <- mcompose_int a' (kdiv rest taken) next_step false; Some ((taken, kmul d step) :: r)
        else mcompose_int a' rest next_step empty) as U by (subst a'; reflexivity).
    pose proof (eq_trans (eq_sym U) H) as H'. clear H U. rename H' into H. destruct (snd step && snd s && _ && _); [discriminate|]. cbv zeta in H.
    pose proof (cdiv_ge_1 (fst s) (Z.abs (fst step)) P1 ltac:(lia)) as C1.
    pose proof (cdiv_ge_1 (Z.abs (fst step)) (fst s) ltac:(lia) P1) as C2.
    assert (cdiv (Z.abs (fst step)) (fst s) * Z.sgn (fst step) <> 0) as S' by nia.
    destruct (negb (is (kcdiv s (kabs step)) 1) && negb (is rest 1)) eqn:E.
    + destruct (snd rest && _ && _); [discriminate|]. apply bind_some in H. destruct H as (r' & H & K). injection K as <-.
      apply IH in H; [|assumption|assumption| |exact S'].
      2: { cbn [kdiv kmin kcdiv kabs fst]. rewrite quot_div by lia. apply Z.div_le_lower_bound; lia. }
      cbn [kdiv kmin kcdiv kabs kmul ksgn fst] in H. destruct H as (A & B & C).
      rewrite numbers_cons. unfold number_of. cbn [fst snd kmul kmin kcdiv kabs].
      split; [constructor; [cbn; lia|assumption]|]. rewrite !total_cons, B. split; [reflexivity|].
      intro i. cbn [beval]. rewrite C. reflexivity.
    + assert (Z.min (cdiv (fst s) (Z.abs (fst step))) (fst rest) = 1) as M.
      { apply andb_false_elim in E. destruct E as [E|E]; apply negb_false_iff, is_spec in E; cbn [kcdiv kabs fst] in E; lia. }
      rewrite M, Z.quot_1_r. apply IH in H; [|assumption|assumption|assumption|exact S'].
      cbn [kdiv kmin kcdiv kabs kmul ksgn fst] in H. destruct H as (A & B & C).
      split; [assumption|]. rewrite total_cons. cbn [fst]. split; [lia|]. intro i. cbn [beval]. rewrite C, Z.mod_1_r, Z.div_1_r. lia.
Qed.

(** One element is not divided. *)
Lemma mcompose_int_one : forall a rest step r, is rest 1 = true -> fst step = 0 ->
  mcompose_int a rest step true = Some r -> numbers r = [(1, 0)].
Proof.
  induction a as [|[s d] a IH]; intros rest step r R S H; [discriminate|]. destruct a as [|q a].
  - cbn [mcompose_int orb] in H. injection H as <-. unfold numbers, number_of. cbn [map fst snd kmul].
    rewrite (is_spec _ _ R), S, Z.mul_0_r. reflexivity.
  - remember (q :: a) as a' eqn:Ea.
    assert (mcompose_int ((s, d) :: a') rest step true =
      if snd step && snd s && negb (Z.rem (fst step) (fst s) =? 0) && (fst s <=? fst step) then None
      else mcompose_int a' rest (kmul (kcdiv (kabs step) s) (ksgn step)) true) as U.
    { subst a'. cbn [mcompose_int]. rewrite R, andb_false_r. reflexivity. }
    pose proof (eq_trans (eq_sym U) H) as H'. destruct (_ && _); [discriminate|].
    eapply IH; [exact R| |exact H']. cbn [kmul kcdiv kabs ksgn fst]. rewrite S. cbn [Z.sgn]. lia.
Qed.

(** [Assumption::Nonzero]: only the modes of A before its last one are divided by a stride, and only where
    there may be more than one element. Elsewhere a stride may be 0 at run time. *)
Definition nonzero (a : list mleaf) (p : mleaf) : Prop :=
  snd (snd p) = true \/ fst (snd p) <> 0 \/ (length a <= 1)%nat \/ is (fst p) 1 = true.

Lemma mcompose_modes_same : forall a b c, pos (numbers a) -> a <> [] -> pos (numbers (leaves b)) ->
  Forall (nonzero a) (leaves b) -> mcompose_modes a b = Some c ->
  pos (numbers (leaves c)) /\ total (numbers (leaves c)) = total (run_values (numbers a) (numbers (leaves b)))
  /\ forall i, beval (numbers (leaves c)) i = beval (run_values (numbers a) (numbers (leaves b))) i.
Proof.
  intros a b c A N. revert c. induction b as [p | ms IH] using tree_induction; intros c P Z0 H.
  - cbn [mcompose_modes leaves] in *. unfold mcompose_leaf in H. inversion_clear Z0 as [|? ? Z1 _].
    unfold numbers at 1 in P. cbn [map] in P. apply pos_cons in P. destruct P as [P _].
    assert (run_values (numbers a) (numbers [p])
            = if fst (snd p) =? 0 then [number_of p] else walk_values (numbers a) (fst (fst p)) (fst (snd p))) as ->.
    { unfold run_values, numbers. cbn [map flat_map number_of fst snd]. apply app_nil_r. }
    destruct (is (snd p) 0) eqn:E.
    + injection H as <-. apply is_spec in E. rewrite E. cbn [leaves numbers map].
      split; [repeat constructor; assumption|]. split; reflexivity.
    + apply bind_some in H. destruct H as (r & H & K). injection K as <-. rewrite flat_tree_leaves.
      destruct (Z.eqb_spec (fst (snd p)) 0) as [D|D]; [|apply mcompose_int_same in H; assumption].
      destruct (is (fst p) 1) eqn:O.
      { rewrite (mcompose_int_one _ _ _ _ O D H). unfold number_of. rewrite (is_spec _ _ O), D.
        split; [repeat constructor; cbn; lia|]. split; reflexivity. }
      assert (exists s d, a = [(s, d)]) as (s & d & ->).
      { destruct a as [|[s d] [|q a]]; [congruence|eauto|]. destruct Z1 as [Z1|[Z1|[Z1|Z1]]]; [|contradiction|cbn in Z1; lia|congruence].
        unfold is in E. rewrite Z1, D in E. discriminate. }
      cbn [mcompose_int orb] in H. injection H as <-. unfold numbers, number_of in *. cbn [map fst snd kmul] in *.
      rewrite D, Z.mul_0_r. split; [repeat constructor; assumption|]. split; reflexivity.
  - cbn [mcompose_modes] in H. apply bind_some in H. destruct H as (cs & H & K). injection K as <-.
    rewrite !leaves_node in *. revert cs H. induction IH as [|m ms Hm _ IHms]; intros cs H.
    + injection H as <-. split; [constructor|]. split; reflexivity.
    + cbn [traverse] in H. apply bind_some in H. destruct H as (c & H1 & H). apply bind_some in H.
      destruct H as (r & H2 & K). injection K as <-. cbn [flat_map] in *. rewrite !numbers_app in *.
      apply pos_app in P. destruct P as [P1 P2]. apply Forall_app in Z0. destruct Z0 as [Z1 Z2].
      destruct (Hm c P1 Z1 H1) as (X1 & X2 & X3). destruct (IHms P2 Z2 r H2) as (Y1 & Y2 & Y3).
      split; [apply pos_app; auto|].
      assert (run_values (numbers a) (numbers (leaves m) ++ numbers (flat_map leaves ms))
              = run_values (numbers a) (numbers (leaves m)) ++ run_values (numbers a) (numbers (flat_map leaves ms))) as ->
        by (unfold run_values; apply flat_map_app).
      rewrite !total_app, X2, Y2. split; [reflexivity|]. intro i. rewrite beval_app by assumption. rewrite X2, X3, Y3.
      symmetry. apply beval_app. apply run_values_pos'; assumption.
Qed.

(** The numbers of a layout at run time. *)
Definition at_run_time (l : mlayout) : layout := tmap number_of l.

Lemma tmap_leaves : forall {A B} (f : A -> B) t, leaves (tmap f t) = map f (leaves t).
Proof.
  intros A B f. induction t as [a | ms IH] using tree_induction; [reflexivity|].
  cbn [tmap]. rewrite !leaves_node. induction IH as [|m ms Hm _ IHms]; [reflexivity|].
  cbn [map flat_map]. rewrite map_app, Hm, IHms. reflexivity.
Qed.

Lemma at_run_time_leaves : forall l, leaves (at_run_time l) = numbers (leaves l).
Proof. intro l. apply tmap_leaves. Qed.

(** Composition, whichever leaves are static: if what Rust assumes of the dynamic ones holds, then
    C(i) = A(B(i)). *)
Theorem mixed_composition_exact : forall a b c, pos (leaves (at_run_time a)) -> pos (leaves (at_run_time b)) ->
  mcompose a b = Some c ->
  Forall (fun p => 0 <= snd p) (leaves (at_run_time b)) ->
  (* Within *) reach (leaves (at_run_time b)) < size (at_run_time a) ->
  let steps := mcoalesced true (leaves a) in
  (* Nonzero *) Forall (nonzero steps) (leaves b) ->
  (* Divides, DividesOrLess, Carries *)
  Forall (fun p => snd p = 0 \/ walk_assumes (numbers steps) (fst p) (snd p)) (leaves (at_run_time b)) ->
  (* Apart *) apart (numbers steps) (digit_sums (numbers steps) (leaves (at_run_time b))) 0 1 ->
  pos (leaves (at_run_time c)) /\ size (at_run_time c) = size (at_run_time b)
  /\ forall i, 0 <= i < size (at_run_time b) -> eval (at_run_time c) i = eval (at_run_time a) (eval (at_run_time b) i).
Proof.
  intros a b c A B H U W steps Nz D Ap. unfold size in *. rewrite !at_run_time_leaves in *.
  destruct (mcoalesced_extended (leaves a) A) as (Ps & Ns & Fs). fold steps in Ps, Ns, Fs.
  assert (numbers steps <> []) as Ns' by (destruct steps; [congruence|discriminate]).
  destruct (mcompose_modes_same steps b c Ps Ns B Nz H) as (Pc & Tc & Vc).
  assert (forall i, 0 <= i < total (numbers (leaves b)) ->
          beval (run_values (numbers steps) (numbers (leaves b))) i = eval (at_run_time a) (beval (numbers (leaves b)) i)) as E.
  { intros i I. apply (dynamic_composition_exact (at_run_time a)); try assumption.
    - intros x X. unfold size in X. rewrite at_run_time_leaves in X. rewrite Fs, feval_beval by assumption.
      rewrite eval_leaves; rewrite ?at_run_time_leaves; [reflexivity|assumption|]. unfold size. rewrite at_run_time_leaves. assumption.
    - unfold size. rewrite at_run_time_leaves. assumption. }
  destruct (run_values_pos (numbers steps) (numbers (leaves b)) Ps Ns' B D) as [_ Tr].
  split; [assumption|]. split; [lia|]. intros i I.
  rewrite !(eval_leaves (at_run_time b)), (eval_leaves (at_run_time c)); unfold size; rewrite ?at_run_time_leaves; try assumption; try lia.
  rewrite Vc. apply E. assumption.
Qed.
