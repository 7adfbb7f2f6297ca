(** Complement: images meet only in 0, and together the layouts reach every index below the cotarget. *)
From Cute Require Export Image.

(** * Strides that step over what the smaller ones reach *)

Lemma steps_spread : forall l reached, pos l -> 0 <= reached -> steps_over l reached = true ->
  forall i j, 0 <= i < j -> j < total l -> reached < beval l j - beval l i.
Proof.
  induction l as [|[s d] l IH]; intros reached P R H i j IJ J; [rewrite total_nil in J; lia|].
  apply pos_cons in P. destruct P as [P1 P2]. rewrite total_cons in J. cbn [fst steps_over] in *.
  apply andb_prop in H. destruct H as [H1 H2].
  pose proof (Z.div_mod i s) as Ei. pose proof (Z.div_mod j s) as Ej.
  pose proof (mod_bound i s P1) as Bi. pose proof (mod_bound j s P1) as Bj.
  assert (0 <= i / s) as Qi by (apply div_nonneg; lia).
  assert (j / s < total l) as Qj by (apply div_lt; lia).
  cbn [beval]. destruct (Z.lt_ge_cases (i / s) (j / s)) as [L|L].
  - specialize (IH (d * (s - 1) + reached) P2 ltac:(nia) H2 (i / s) (j / s) ltac:(lia) Qj). nia.
  - assert (i / s = j / s) as E by nia. rewrite E in *. nia.
Qed.

Lemma steps_one_to_one : forall l, pos l -> steps_over l 0 = true -> NoDup (values l).
Proof.
  intros l P H. apply values_nodup; [assumption|]. intros i j I J E.
  destruct (Z.lt_trichotomy i j) as [L|[L|L]]; [|assumption|].
  - pose proof (steps_spread l 0 P ltac:(lia) H i j ltac:(lia) ltac:(lia)). lia.
  - pose proof (steps_spread l 0 P ltac:(lia) H j i ltac:(lia) ltac:(lia)). lia.
Qed.

(** * The gaps *)

(** Modes and gaps, in turn, step over one another. *)
Lemma gaps_step : forall l covered reached gs covered', pos l -> 1 <= covered -> 0 <= reached < covered ->
  gaps l covered = Some (gs, covered') -> pos gs ->
  exists w reached', Permutation w (gs ++ l) /\ 0 <= reached' < covered' /\ 1 <= covered'
    /\ forall tail, steps_over (w ++ tail) reached = steps_over tail reached'.
Proof.
  induction l as [|[s d] l IH]; intros covered reached gs covered' P C R H G.
  - injection H as <- <-. exists [], reached. repeat split; try lia. constructor.
  - apply pos_cons in P. destruct P as [P1 P2]. cbn [fst gaps] in *.
    apply bind_some in H. destruct H as (u & _ & H). apply bind_some in H.
    destruct H as ([gs' c'] & H & E). injection E as <- <-.
    apply pos_cons in G. destruct G as [G1 G2]. cbn [fst] in G1.
    assert (covered <= d) as D.
    { destruct (Z.lt_ge_cases d covered) as [L|]; [|assumption]. exfalso.
      destruct (Z.le_gt_cases 0 d).
      - rewrite Z.quot_small in G1 by lia. lia.
      - assert (Z.quot d covered <= 0); [|lia].
        replace d with (- - d) by lia. rewrite Z.quot_opp_l by lia.
        pose proof (Z.quot_pos (- d) covered). lia. }
    rewrite quot_div in * by lia. set (free := d / covered) in *.
    assert (free * covered <= d) as F by (pose proof (Z.mul_div_le d covered ltac:(lia)); unfold free; lia).
    assert (covered * (free - 1) + reached < d) as R1 by nia.
    destruct (IH (d * s) (d * (s - 1) + (covered * (free - 1) + reached)) gs' c' P2 ltac:(nia) ltac:(nia) H G2)
      as (w & r' & W & R' & C' & S).
    exists ((free, covered) :: (s, d) :: w), r'. split.
    { cbn [app]. constructor. rewrite W. apply Permutation_middle. }
    split; [assumption|]. split; [assumption|]. intro tail. cbn [app steps_over].
    replace (reached <? covered) with true by lia. replace (covered * (free - 1) + reached <? d) with true by lia.
    cbn [andb]. apply S.
Qed.

(** The gaps alone step over one another too, in their own order. *)
Lemma gaps_ascend : forall l covered reached gs covered', pos l -> 1 <= covered -> 0 <= reached < covered ->
  gaps l covered = Some (gs, covered') -> pos gs ->
  exists reached', 0 <= reached' < covered' /\ forall tail, steps_over (gs ++ tail) reached = steps_over tail reached'.
Proof.
  induction l as [|[s d] l IH]; intros covered reached gs covered' P C R H G.
  - injection H as <- <-. exists reached. auto.
  - apply pos_cons in P. destruct P as [P1 P2]. cbn [fst gaps] in *.
    apply bind_some in H. destruct H as (u & _ & H). apply bind_some in H.
    destruct H as ([gs' c'] & H & E). injection E as <- <-.
    apply pos_cons in G. destruct G as [G1 G2]. cbn [fst] in G1.
    assert (covered <= d) as D.
    { destruct (Z.lt_ge_cases d covered) as [L|]; [|assumption]. exfalso.
      destruct (Z.le_gt_cases 0 d).
      - rewrite Z.quot_small in G1 by lia. lia.
      - assert (Z.quot d covered <= 0); [|lia].
        replace d with (- - d) by lia. rewrite Z.quot_opp_l by lia.
        pose proof (Z.quot_pos (- d) covered). lia. }
    rewrite quot_div in * by lia. set (free := d / covered) in *.
    assert (free * covered <= d) as F by (pose proof (Z.mul_div_le d covered ltac:(lia)); unfold free; lia).
    destruct (IH (d * s) (covered * (free - 1) + reached) gs' c' P2 ltac:(nia) ltac:(nia) H G2) as (r' & R' & S).
    exists r'. split; [assumption|]. intro tail. cbn [app steps_over].
    replace (reached <? covered) with true by lia. cbn [andb]. apply S.
Qed.

(** * Filter keeps the image *)

Lemma filter_zeros_pos : forall l, pos l -> pos (filter_zeros l).
Proof.
  unfold filter_zeros, pos. intros l P. rewrite Forall_map. eapply Forall_impl; [|exact P].
  intros [s d] H. cbn [fst snd] in *. destruct (d =? 0); lia.
Qed.

Lemma coalesced_values : forall l, pos l -> values (coalesced false l) = values l.
Proof.
  intros l P. rewrite !values_beval; [|assumption|apply coalesced_false_pos; assumption].
  rewrite coalesced_false_total. apply map_ext. intro i. apply coalesced_false_beval. assumption.
Qed.

Lemma filtered_pos : forall l, pos l -> pos (filtered l).
Proof. intros. apply coalesced_false_pos, filter_zeros_pos. assumption. Qed.

Lemma filtered_values : forall l, pos l -> values (filtered l) = values (filter_zeros l).
Proof. intros. apply coalesced_values, filter_zeros_pos. assumption. Qed.

Theorem filter_image : forall l x, pos l -> In x (values (filtered l)) <-> In x (values l).
Proof.
  intros l x P. rewrite filtered_values by assumption. revert x P.
  induction l as [|[s d] l IH]; intros x P; [reflexivity|].
  apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1. unfold filter_zeros in *. cbn [map fst snd].
  destruct (Z.eqb_spec d 0) as [->|N].
  - rewrite values_one, IH by assumption. cbn [values]. rewrite in_flat_map. split.
    + intro H. exists x. split; [assumption|]. apply in_map_iff. exists 0. rewrite zseq_in. split; lia.
    + intros (v & V & H). apply in_map_iff in H. destruct H as (c & <- & _).
      replace (c * 0 + v) with v by lia. assumption.
  - cbn [values]. rewrite !in_flat_map. split; intros (v & V & H); exists v; split; try assumption; apply IH; assumption.
Qed.

(** * The complement *)

Lemma from_flat_some : forall l c, from_flat l = Some c -> pos l /\ leaves c = l.
Proof.
  intros l c H. unfold from_flat in H. apply bind_some in H. destruct H as (u & G & E).
  injection E as <-. apply guard_some in G. split; [apply positive_pos; assumption|apply flat_tree_leaves].
Qed.

Lemma make_layout_int_some : forall n c, make_layout_int n = Some c ->
  1 <= n /\ leaves c = [(n, if n =? 1 then 0 else 1)].
Proof.
  intros n c H. unfold make_layout_int in H. apply from_flat_some in H. destruct H as [P E].
  apply pos_cons in P. destruct P as [P _]. auto.
Qed.

(** An extent of 1 may have any stride. *)
Lemma values_last_one : forall l d e, values (l ++ [(1, d)]) = values (l ++ [(1, e)]).
Proof. intros. rewrite !values_app, !values_one. reflexivity. Qed.

(** A stride of 0 is left in one layout only, 1:0. *)
Lemma push_zeros : forall p back, (snd p = 0 -> fst p = 1) -> Forall (fun q => snd q = 0 -> fst q = 1) back ->
  Forall (fun q => snd q = 0 -> fst q = 1) (push p back).
Proof.
  intros p back P B. push_cases p back; rewrite ?Forall_cons_iff in *; cbn [fst snd] in *; intuition.
Qed.

Lemma filtered_zeros : forall l, Forall (fun q => snd q = 0 -> fst q = 1) (filtered l).
Proof.
  intro l. unfold filtered, coalesced. destruct (ones _); [repeat constructor|].
  assert (Forall (fun q => snd q = 0 -> fst q = 1) (filter_zeros l)) as H.
  { unfold filter_zeros. apply Forall_map. apply Forall_forall. intros [s d] _. cbn [fst snd].
    intros ->. reflexivity. }
  induction H as [|[s d] k H K IH]; [constructor|]. destruct k as [|q k].
  - cbn [merged andb]. constructor; [assumption|constructor].
  - rewrite merged_cons. apply push_zeros; assumption.
Qed.

(** What is known of the modes before they are coalesced. *)
Lemma gaps_and_rest_steps : forall l cotarget c, pos l -> (forall s, l = [(s, 0)] -> s = 1) ->
  gaps_and_rest l cotarget = Some c ->
  pos (leaves c) /\ NoDup (values (l ++ leaves c)) /\
  exists c', steps_over c' 0 = true /\ pos c' /\ total c' = total (leaves c)
             /\ forall i, 0 <= i -> beval c' i = beval (leaves c) i.
Proof.
  intros l cotarget c P One H.
  assert ((exists s, l = [(s, 0)] /\ make_layout_int (product cotarget) = Some c) \/
          (do (gs, covered) <- gaps (sort by_stride l) 1;
           do rest <- ceil_div cotarget covered;
           from_flat (gs ++ [(product rest, if product rest =? 1 then 0 else covered)])) = Some c) as K.
  { destruct l as [|[s [|d|d]] [|q l]]; try (right; exact H). left. eauto. }
  clear H. destruct K as [(s & -> & K)|K].
  - apply make_layout_int_some in K. destruct K as [N ->]. rewrite (One s eq_refl). clear One P s.
    set (n := product cotarget) in *. clearbody n.
    split; [repeat constructor; assumption|]. split.
    + cbn [app]. rewrite values_one. destruct (Z.eqb_spec n 1) as [->|].
      * repeat constructor. intros [].
      * apply steps_one_to_one; [repeat constructor; assumption|reflexivity].
    + exists [(n, 1)]. split; [reflexivity|]. split; [repeat constructor; assumption|]. split; [reflexivity|].
      intros i I. cbn [beval]. destruct (Z.eqb_spec n 1) as [->|]; [rewrite Z.mod_1_r; lia|reflexivity].
  - apply bind_some in K. destruct K as ([gs covered] & G & K). apply bind_some in K. destruct K as (rest & _ & K).
    apply from_flat_some in K. destruct K as [Pc ->]. split; [assumption|].
    apply pos_app in Pc. destruct Pc as [Pg Pr]. pose proof Pr as Pr'. apply pos_cons in Pr'. destruct Pr' as [Pr' _]. cbn [fst] in Pr'.
    assert (pos (sort by_stride l)) as Ps by (eapply pos_perm; [symmetry; apply sort_perm|assumption]).
    set (n := product rest) in *. clearbody n.
    assert (values (gs ++ [(n, if n =? 1 then 0 else covered)]) = values (gs ++ [(n, covered)])) as V.
    { destruct (Z.eqb_spec n 1) as [E|]; [rewrite E; apply values_last_one|reflexivity]. }
    assert (pos [(n, covered)]) as Pn by (repeat constructor; assumption).
    split.
    + destruct (gaps_step _ 1 0 gs covered Ps ltac:(lia) ltac:(lia) G Pg) as (w & r' & W & R' & C' & S).
      specialize (S [(n, covered)]). cbn [steps_over] in S. replace (r' <? covered) with true in S by lia.
      cbn [andb] in S.
      assert (Permutation (w ++ [(n, covered)]) (l ++ gs ++ [(n, covered)])) as Q.
      { rewrite W, (sort_perm by_stride l), app_assoc. apply Permutation_app_tail, Permutation_app_comm. }
      rewrite values_app, V, <- values_app.
      eapply Permutation_NoDup; [apply values_perm; exact Q|]. apply steps_one_to_one; [|exact S].
      eapply pos_perm; [symmetry; exact Q|]. apply pos_app. split; [assumption|]. apply pos_app. auto.
    + destruct (gaps_ascend _ 1 0 gs covered Ps ltac:(lia) ltac:(lia) G Pg) as (r' & R' & S).
      specialize (S [(n, covered)]). cbn [steps_over] in S. replace (r' <? covered) with true in S by lia.
      exists (gs ++ [(n, covered)]). split; [exact S|]. split; [apply pos_app; auto|].
      rewrite !total_app. split; [reflexivity|]. intros i I. rewrite !beval_app by assumption. f_equal.
      cbn [beval]. destruct (Z.eqb_spec n 1) as [E|]; [rewrite E, Z.mod_1_r; lia|reflexivity].
Qed.

Lemma filtered_one : forall l s, filtered l = [(s, 0)] -> s = 1.
Proof.
  intros l s E. pose proof (filtered_zeros l) as H. rewrite E in H. inversion_clear H as [|? ? H1 _]. apply H1. reflexivity.
Qed.

Lemma complement_some : forall l cotarget c, complement l cotarget = Some c ->
  exists r, gaps_and_rest (filtered (leaves l)) cotarget = Some r /\ leaves c = coalesced false (leaves r).
Proof.
  intros l cotarget c H. unfold complement, complement_of_filtered in H. apply bind_some in H.
  destruct H as (r & H & E). injection E as <-. exists r. split; [assumption|apply flat_tree_leaves].
Qed.

Theorem complement_pos : forall l cotarget c, pos (leaves l) -> complement l cotarget = Some c -> pos (leaves c).
Proof.
  intros l cotarget c P H. apply complement_some in H. destruct H as (r & H & ->).
  apply coalesced_false_pos. eapply gaps_and_rest_steps; [|apply filtered_one|exact H].
  apply filtered_pos. assumption.
Qed.

(** A layout without its repetitions and its complement are injective together: a sum of a value of
    each has one pair of summands. This holds whatever the policy. *)
Theorem complement_one_to_one : forall l cotarget c, pos (leaves l) -> complement l cotarget = Some c ->
  NoDup (values (filtered (leaves l) ++ leaves c)).
Proof.
  intros l cotarget c P H. apply complement_some in H. destruct H as (r & H & ->).
  destruct (gaps_and_rest_steps _ _ _ (filtered_pos _ P) (filtered_one _) H) as (Pr & N & _).
  rewrite values_app, coalesced_values, <- values_app by assumption. exact N.
Qed.

(** Images meet only in 0. *)
Theorem complement_disjoint : forall l cotarget c, pos (leaves l) -> complement l cotarget = Some c ->
  forall x, In x (image l) -> In x (image c) -> x = 0.
Proof.
  intros l cotarget c P H x X Y. pose proof (complement_pos _ _ _ P H) as C.
  rewrite image_values in X, Y by assumption. apply filter_image in X; [|assumption].
  destruct (values_app_unique _ _ (complement_one_to_one _ _ _ P H) x 0 0 x); try assumption; try lia.
  - apply values_0, filtered_pos. assumption.
  - apply values_0. assumption.
Qed.

(** The complement is ordered, and therefore injective. *)
Theorem complement_ordered : forall l cotarget c, pos (leaves l) -> complement l cotarget = Some c ->
  forall i j, 0 <= i < j -> j < size c -> eval c i < eval c j.
Proof.
  intros l cotarget c P H i j I J. pose proof (complement_pos _ _ _ P H) as C.
  rewrite !eval_leaves by (assumption || lia). apply complement_some in H. destruct H as (r & H & E).
  unfold size in J. rewrite E in *.
  destruct (gaps_and_rest_steps _ _ _ (filtered_pos _ P) (filtered_one _) H) as (Pr & _ & c' & S & P' & T & V).
  rewrite coalesced_false_total, <- T in J. rewrite !coalesced_false_beval by assumption.
  rewrite <- !V by lia. pose proof (steps_spread c' 0 P' ltac:(lia) S i j I J). lia.
Qed.

(** What strict accepts covers: every index below an integer cotarget is the sum of a value of the
    layout and a value of the complement. The images may reach beyond, since sizes are rounded up. *)
Theorem complement_covers : forall l m c, pos (leaves l) -> strict_complement l (Leaf m) = Some c ->
  forall x, 0 <= x < m -> exists u v, In u (image l) /\ In v (image c) /\ x = u + v.
Proof.
  intros l m c P H x X. unfold strict_complement in H. apply bind_some in H. destruct H as (c' & H & K).
  apply bind_some in K. destruct K as (w & G & E). injection E as <-. apply guard_some in G.
  pose proof (complement_pos _ _ _ P H) as C.
  assert (pos (filtered (leaves l) ++ leaves c')) as Q by (apply pos_app; auto using filtered_pos).
  assert (In x (values (filtered (leaves l) ++ leaves c'))) as I by (apply filled_covers; [assumption|lia]).
  apply values_app_in in I. destruct I as (u & v & U & V & ->). exists u, v.
  rewrite !image_values by assumption. rewrite filter_image in U by assumption. auto.
Qed.

(** Without a cotarget, the same up to the largest value. *)
Theorem complement_in_cosize_covers : forall l c, pos (leaves l) -> strict_complement_in_cosize l = Some c ->
  forall x, 0 <= x < reach (filtered (leaves l)) + 1 -> exists u v, In u (image l) /\ In v (image c) /\ x = u + v.
Proof.
  intros l c P H. apply complement_covers; [assumption|].
  unfold strict_complement_in_cosize, complement_in_cosize in H. exact H.
Qed.

(** The sizes of both cover the cotarget. *)
Corollary complement_size : forall l m c, pos (leaves l) -> strict_complement l (Leaf m) = Some c ->
  m <= total (filtered (leaves l)) * size c.
Proof.
  intros l m c P H. pose proof H as H'. unfold strict_complement in H'. apply bind_some in H'.
  destruct H' as (c' & C & K). apply bind_some in K. destruct K as (w & _ & E). injection E as ->.
  pose proof (complement_pos _ _ _ P C) as Pc. pose proof (filtered_pos _ P) as Pf.
  assert (pos (filtered (leaves l) ++ leaves c)) as Q by (apply pos_app; auto).
  pose proof (total_pos _ Q) as T. rewrite total_app in T. fold (size c) in T.
  assert (incl (zseq m) (values (filtered (leaves l) ++ leaves c))) as I.
  { intros x X. apply zseq_in in X. destruct (complement_covers _ _ _ P H x X) as (u & v & U & V & ->).
    apply values_app_in. exists u, v. rewrite image_values in U, V by assumption. rewrite filter_image by assumption. auto. }
  apply NoDup_incl_length in I; [|apply zseq_nodup].
  rewrite zseq_length, values_length, total_app in I by assumption. fold (size c) in I. lia.
Qed.

(** * Where everything divides *)

(** Each stride is a multiple of what the smaller ones reach; this is [Assumption::Divides]. *)
Fixpoint dividing (l : list leaf) (covered : Z) : Prop :=
  match l with
  | [] => True
  | (s, d) :: r => Z.rem d covered = 0 /\ dividing r (d * s)
  end.

Lemma dividing_gaps : forall l covered gs covered', pos l -> 1 <= covered ->
  gaps l covered = Some (gs, covered') -> pos gs -> dividing l covered ->
  total l * total gs * covered = covered' /\ reach l + reach gs = covered' - covered
  /\ Forall (fun p => 0 <= snd p) l /\ Forall (fun p => 0 <= snd p) gs /\ 1 <= covered'.
Proof.
  induction l as [|[s d] l IH]; intros covered gs covered' P C H G D.
  - injection H as <- <-. rewrite total_nil. cbn [reach fold_right]. repeat split; try constructor; lia.
  - apply pos_cons in P. destruct P as [P1 P2]. cbn [fst gaps dividing] in *. destruct D as [D1 D2].
    apply bind_some in H. destruct H as (u & _ & H). apply bind_some in H.
    destruct H as ([gs' c'] & H & E). injection E as <- <-.
    apply pos_cons in G. destruct G as [G1 G2]. cbn [fst] in G1.
    assert (d = Z.quot d covered * covered) as Q by (pose proof (Z.quot_rem d covered); lia).
    set (free := Z.quot d covered) in *.
    assert (1 <= d) as D0 by nia.
    destruct (IH (d * s) gs' c' P2 ltac:(nia) H G2 D2) as (T & R & F1 & F2 & C').
    rewrite !total_cons. cbn [fst].
    change (reach ((s, d) :: l)) with ((s - 1) * Z.abs d + reach l).
    change (reach ((free, covered) :: gs')) with ((free - 1) * Z.abs covered + reach gs').
    repeat split; try (constructor; [cbn; lia|assumption]); try assumption; nia.
Qed.

(** If all quotients are exact, the layout without its repetitions and its complement are together a
    bijection onto [0, M). *)
Theorem complement_exact : forall l m c gs covered, pos (leaves l) -> 1 <= m ->
  complement l (Leaf m) = Some c ->
  gaps (sort by_stride (filtered (leaves l))) 1 = Some (gs, covered) -> dividing (sort by_stride (filtered (leaves l))) 1 ->
  Z.rem m covered = 0 ->
  Permutation (values (filtered (leaves l) ++ leaves c)) (zseq m) /\ total (filtered (leaves l)) * size c = m.
Proof.
  intros l m c gs covered P M H G D Mc.
  pose proof (complement_one_to_one l _ c P H) as N. pose proof (complement_pos l _ c P H) as Pc.
  pose proof (filtered_pos _ P) as Pf. set (f := filtered (leaves l)) in *.
  assert (Permutation (sort by_stride f) f) as Sp by apply sort_perm.
  assert (pos (sort by_stride f)) as Ps by (eapply pos_perm; [symmetry; exact Sp|assumption]).
  apply complement_some in H. destruct H as (r & H & Er). fold f in H.
  enough (total f * total (leaves r) = m /\ forall x, In x (values (f ++ leaves r)) -> 0 <= x < m) as [T B].
  { assert (pos (leaves r)) as Pr by (eapply gaps_and_rest_steps; [exact Pf|apply filtered_one|exact H]).
    assert (total f * size c = m) as Tc by (unfold size; rewrite Er, coalesced_false_total; assumption).
    split; [|assumption]. apply NoDup_Permutation_bis; [assumption| |].
    - rewrite zseq_length, values_length by (apply pos_app; auto). rewrite total_app. unfold size in Tc. lia.
    - intros x X. apply zseq_in. apply B. rewrite Er in X.
      rewrite values_app, coalesced_values, <- values_app in X by assumption. assumption. }
  assert ((exists s, f = [(s, 0)] /\ make_layout_int (product (Leaf m)) = Some r) \/
          (do (gs, covered) <- gaps (sort by_stride f) 1;
           do rest <- ceil_div (Leaf m) covered;
           from_flat (gs ++ [(product rest, if product rest =? 1 then 0 else covered)])) = Some r) as K.
  { unfold gaps_and_rest in H. destruct f as [|[s [|d|d]] [|q k]]; try (right; exact H). left. eauto. }
  destruct K as [(s & Ef & K)|K].
  - assert (s = 1) as -> by (apply (filtered_one (leaves l)); exact Ef). apply make_layout_int_some in K.
    destruct K as [_ K]. assert (product (Leaf m) = m) as Em by (cbn; lia). rewrite Em in K. rewrite Ef, K.
    split; [rewrite !total_cons, !total_nil; cbn [fst]; lia|]. intros x X. cbn [app] in X. rewrite values_one in X.
    apply values_in in X; [|repeat constructor; assumption]. destruct X as (i & I & <-).
    rewrite total_cons, total_nil in I. cbn [fst] in I. cbn [beval]. rewrite Z.mod_small by lia.
    destruct (Z.eqb_spec m 1); lia.
  - rewrite G in K. cbn [bind] in K. apply bind_some in K. destruct K as (rest & Cd & K).
    apply from_flat_some in K. destruct K as [Pr Er']. apply pos_app in Pr. destruct Pr as [Pg Pn].
    destruct (dividing_gaps _ 1 _ _ Ps (Z.le_refl 1) G Pg D) as (T & R & F1 & F2 & C1).
    rewrite (total_perm _ _ Sp) in T.
    cbn [ceil_div bind] in Cd. apply bind_some in Cd. destruct Cd as (u & _ & Cd). injection Cd as <-.
    assert (product (Leaf (cdiv m covered)) = cdiv m covered) as Ep by (cbn; lia). rewrite Ep in *.
    assert (m = Z.quot m covered * covered) as Mq by (pose proof (Z.quot_rem m covered); lia).
    set (n := Z.quot m covered) in *. assert (1 <= n) as N1 by nia.
    assert (cdiv m covered = n) as En.
    { rewrite Mq at 1. rewrite cdiv_pos by nia. replace (n * covered - 1) with ((covered - 1) + covered * (n - 1)) by lia.
      rewrite digit_div; lia. }
    rewrite En in *. rewrite Er'. rewrite !total_app, total_cons, total_nil. cbn [fst]. split; [nia|].
    intros x X.
    assert (reach f = reach (sort by_stride f)) as Rf.
    { clear - Sp. induction Sp as [|p a b _ IH|p q a|a b e _ IH1 _ IH2]; unfold reach in *; cbn [fold_right] in *; lia. }
    assert (Forall (fun p => 0 <= snd p) f) as Ff by (rewrite <- Sp; assumption).
    apply values_in in X; [|apply pos_app; split; [assumption|apply pos_app; auto]]. destruct X as (i & _ & <-).
    assert (reach (f ++ gs ++ [(n, if n =? 1 then 0 else covered)]) <= m - 1) as Rm.
    { assert (forall a b, reach (a ++ b) = reach a + reach b) as Ra.
      { induction a as [|p a IHa]; intro b; [reflexivity|]. unfold reach in *. cbn [app fold_right]. rewrite IHa. lia. }
      rewrite !Ra, Rf. change (reach [(n, if n =? 1 then 0 else covered)]) with ((n - 1) * Z.abs (if n =? 1 then 0 else covered) + 0).
      destruct (Z.eqb_spec n 1); nia. }
    pose proof (beval_reach (f ++ gs ++ [(n, if n =? 1 then 0 else covered)]) i) as Br.
    assert (0 <= beval (f ++ gs ++ [(n, if n =? 1 then 0 else covered)]) i
                <= reach (f ++ gs ++ [(n, if n =? 1 then 0 else covered)])); [apply Br|lia].
    + apply pos_app. split; [assumption|]. apply pos_app. auto.
    + apply Forall_app. split; [assumption|]. apply Forall_app. split; [assumption|].
      constructor; [cbn; destruct (n =? 1); lia|constructor].
Qed.
