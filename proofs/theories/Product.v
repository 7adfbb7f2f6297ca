(** Products: the block repeated where the tiler puts the copies. *)
From Cute Require Export Divide.

(** * What [injective] decides *)

Definition absolute (l : list leaf) : list leaf := map (fun p => (fst p, Z.abs (snd p))) l.

(** The least value. *)
Definition lowest (l : list leaf) : Z := fold_right (fun p sum => Z.min 0 ((fst p - 1) * snd p) + sum) 0 l.

Lemma zseq_reverse : forall n, Permutation (zseq n) (map (fun c => n - 1 - c) (zseq n)).
Proof.
  intro n. apply NoDup_Permutation_bis; [apply zseq_nodup|rewrite map_length; lia|].
  intros c C. apply zseq_in in C. apply in_map_iff. exists (n - 1 - c). rewrite zseq_in. lia.
Qed.

(** Signs of strides shift the image only. *)
Lemma values_absolute : forall l, pos l -> Permutation (values l) (map (fun v => v + lowest l) (values (absolute l))).
Proof.
  induction l as [|[s d] l IH]; intro P; [reflexivity|]. apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1.
  unfold absolute in *. cbn [map fst snd values].
  change (lowest ((s, d) :: l)) with (Z.min 0 ((s - 1) * d) + lowest l).
  rewrite (Permutation_flat_map _ (IH P2)), flat_map_map.
  rewrite !flat_map_concat_map, concat_map, map_map, <- !flat_map_concat_map.
  apply flat_map_perm. intro v. rewrite map_map. destruct (Z.le_gt_cases 0 d).
  - rewrite Z.min_l by nia. rewrite Z.abs_eq by assumption.
    replace (map (fun c => c * d + (v + lowest l)) (zseq s)) with (map (fun c => c * d + v + (0 + lowest l)) (zseq s));
      [reflexivity|]. apply map_ext. intro. lia.
  - rewrite Z.min_r by nia. rewrite Z.abs_neq by lia. rewrite (zseq_reverse s) at 1. rewrite map_map.
    replace (map (fun c => (s - 1 - c) * d + (v + lowest l)) (zseq s))
      with (map (fun c => c * - d + v + ((s - 1) * d + lowest l)) (zseq s)); [reflexivity|].
    apply map_ext. intro. nia.
Qed.

Lemma values_absolute_nodup : forall l, pos l -> NoDup (values (absolute l)) -> NoDup (values l).
Proof.
  intros l P N. eapply Permutation_NoDup; [symmetry; apply values_absolute; assumption|].
  apply map_nodup; [assumption|]. intros. lia.
Qed.

Lemma nodupb_spec : forall l, nodupb l = true -> NoDup l.
Proof.
  induction l as [|x l IH]; intro H; [constructor|]. cbn [nodupb] in H. apply andb_prop in H. destruct H as [H1 H2].
  constructor; [|apply IH; assumption]. intro I. apply negb_true_iff in H1. revert H1. apply not_false_iff_true.
  apply existsb_exists. exists x. split; [assumption|apply Z.eqb_refl].
Qed.

Lemma wider_values : forall l, pos l -> values (filter (fun p => 1 <? fst p) l) = values l.
Proof.
  induction l as [|[s d] l IH]; intro P; [reflexivity|]. apply pos_cons in P. destruct P as [P1 P2]. cbn [fst] in P1.
  cbn [filter fst]. destruct (Z.ltb_spec 1 s).
  - cbn [values]. rewrite IH by assumption. reflexivity.
  - assert (s = 1) as -> by lia. rewrite values_one. apply IH. assumption.
Qed.

Theorem injective_distinct : forall l, pos l -> injective l = Some true -> NoDup (values l).
Proof.
  intros l P H. unfold injective in H. set (ms := filter (fun p => 1 <? fst p) l) in *.
  destruct (existsb _ ms); [discriminate|].
  assert (pos ms) as Pm by (apply pos_filter; assumption).
  destruct (steps_over _ 0) eqn:S.
  - assert (values ms = values l) as <- by (apply wider_values; assumption).
    apply values_absolute_nodup; [assumption|].
    eapply Permutation_NoDup; [apply values_perm; apply (sort_perm by_stride_and_extent)|].
    apply steps_one_to_one; [|exact S]. eapply pos_perm; [symmetry; apply sort_perm|].
    unfold pos, absolute in *. rewrite Forall_map. exact Pm.
  - destruct (total l <=? max_tried); [|discriminate]. injection H as H. apply nodupb_spec. assumption.
Qed.

(** * Products *)

Lemma sum_nodup : forall a b, NoDup (values a) -> NoDup (values b) ->
  (forall u u' v v', In u (values a) -> In u' (values a) -> In v (values b) -> In v' (values b) ->
   u + v = u' + v' -> v = v') ->
  NoDup (values (a ++ b)).
Proof.
  intros a b A B U. rewrite values_app. revert U. induction B as [|v vs N _ IH]; intro U; [constructor|].
  cbn [flat_map].
  assert (NoDup (map (fun u => u + v) (values a))) as X by (apply map_nodup; [assumption|intros; lia]).
  assert (NoDup (flat_map (fun v => map (fun u => u + v) (values a)) vs)) as Y.
  { apply IH. intros u u' w w' H1 H2 H3 H4. apply U; try assumption; right; assumption. }
  assert (forall x, In x (map (fun u => u + v) (values a)) ->
                    ~ In x (flat_map (fun v => map (fun u => u + v) (values a)) vs)) as D.
  { intros x I J. apply in_map_iff in I. destruct I as (u & <- & I). apply in_flat_map in J.
    destruct J as (w & W & J). apply in_map_iff in J. destruct J as (u' & E & J). apply N.
    replace v with w; [assumption|]. symmetry. apply (U u u' v w); try assumption; [left; reflexivity|right; assumption|lia]. }
  revert X D. generalize (map (fun u => u + v) (values a)). intros l X D.
  induction X as [|x l X1 _ IHl]; [assumption|]. cbn [app]. constructor.
  - rewrite in_app_iff. intros [I|I]; [contradiction|]. apply (D x); [left; reflexivity|assumption].
  - apply IHl. intros y I. apply D. right. assumption.
Qed.

(** The product of [block] and [tiler] is [c]: mode 0 is the block, the copies at two coordinates of
    equal value of the tiler are the same, and if neither repeats a value, the product does not. *)
Definition products (block tiler c : layout) : Prop :=
  exists repeated, c = Node [block; repeated]
    /\ size c = size block * size tiler
    /\ (forall i j, 0 <= i < size tiler -> 0 <= j < size tiler -> eval tiler i = eval tiler j ->
        eval repeated i = eval repeated j)
    /\ (NoDup (image block) -> NoDup (image tiler) -> NoDup (image c)).

(** Where the sums of the tiler do not carry in the complement, the copies lie at its values there. *)
Theorem product_equation : forall block tiler places repeated, pos (leaves block) -> pos (leaves tiler) ->
  complement block (Leaf (size block * cosize tiler)) = Some places -> compose places tiler = Some repeated ->
  check places tiler = true ->
  forall i j, 0 <= i < size block -> 0 <= j < size tiler ->
  eval_at (Node [Leaf (Some i); Leaf (Some j)]) (Node [block; repeated])
  = Some (eval block i + eval places (eval tiler j)).
Proof.
  intros block tiler places repeated B T C H G i j I J. cbn [eval_at bind]. rewrite Z.add_0_r.
  rewrite (composition_exact places tiler repeated); try assumption; [reflexivity|].
  exact (complement_pos block _ places B C).
Qed.

Theorem product_exact : forall block tiler c, pos (leaves block) -> pos (leaves tiler) ->
  strict_product_of block tiler = true -> product_of block tiler = Some c -> products block tiler c.
Proof.
  intros block tiler c B T S H. unfold strict_product_of in S. rewrite H in S. unfold product_of in H.
  apply bind_some in H. destruct H as (places & C & H). apply bind_some in H. destruct H as (repeated & H & E).
  injection E as <-. rewrite C in S.
  pose proof (complement_pos block _ places B C) as P.
  destruct (compose_size _ _ _ P T H) as [R SR].
  exists repeated. split; [reflexivity|]. split; [rewrite pair_size, SR; reflexivity|].
  assert (pos (leaves (Node [block; repeated]))) as Pc by (rewrite pair_leaves; apply pos_app; auto).
  assert (NoDup (values (leaves repeated)) ->
          (forall u u' v v', In u (values (filtered (leaves block))) -> In u' (values (filtered (leaves block))) ->
           In v (values (leaves repeated)) -> In v' (values (leaves repeated)) -> u + v = u' + v' -> v = v') ->
          NoDup (image block) -> NoDup (image (Node [block; repeated]))) as Sum.
  { intros N U NB. rewrite image_values in * by assumption. rewrite pair_leaves. apply sum_nodup; try assumption.
    intros u u' v v' U1 U2 V1 V2. apply U; try assumption; apply filter_image; assumption. }
  destruct (check places tiler) eqn:G.
  - assert (forall i, 0 <= i < size tiler -> eval repeated i = eval places (eval tiler i)) as Eq.
    { intros i I. apply (composition_exact places tiler); assumption. }
    assert (forall i, 0 <= i < size tiler -> 0 <= eval tiler i < size places) as Reach.
    { intros i I. rewrite eval_leaves by assumption. unfold check in G. apply andb_prop in G. destruct G as [G _].
      apply (check_reach_spec places tiler P T G). assumption. }
    split; [intros i j I J E; rewrite !Eq by assumption; congruence|].
    intros NB NT. apply Sum; [| |assumption].
    + rewrite <- image_values by assumption. unfold image. rewrite SR. apply map_nodup; [apply zseq_nodup|].
      intros i j I J E. apply zseq_in in I, J. rewrite !Eq in E by assumption.
      assert (eval tiler i = eval tiler j) as E'.
      { destruct (Z.lt_trichotomy (eval tiler i) (eval tiler j)) as [L|[L|L]]; [|assumption|].
        - pose proof (complement_ordered block _ places B C (eval tiler i) (eval tiler j)).
          pose proof (Reach i I). pose proof (Reach j J). lia.
        - pose proof (complement_ordered block _ places B C (eval tiler j) (eval tiler i)).
          pose proof (Reach i I). pose proof (Reach j J). lia. }
      eapply (map_nodup_inv (eval tiler)); [exact NT|apply zseq_in; assumption|apply zseq_in; assumption|exact E'].
    + assert (forall v, In v (values (leaves repeated)) -> In v (values (leaves places))) as Sub.
      { intros v V. rewrite <- image_values in V by assumption. unfold image in V. apply in_map_iff in V.
        destruct V as (i & <- & I). apply zseq_in in I. rewrite SR in I. rewrite Eq by assumption.
        rewrite <- image_values by assumption. unfold image. apply in_map. apply zseq_in. apply Reach. assumption. }
      intros u u' v v' U1 U2 V1 V2 E.
      eapply (values_app_unique _ _ (complement_one_to_one block _ places B C)); [exact U1|exact U2| | |exact E];
        apply Sub; assumption.
  - destruct (injective (leaves tiler)) as [[|]|] eqn:IT; try discriminate.
    destruct (injective (filtered (leaves block) ++ leaves repeated)) as [[|]|] eqn:IR; try discriminate.
    apply injective_distinct in IT; [|assumption].
    apply injective_distinct in IR; [|apply pos_app; split; [apply filtered_pos; assumption|assumption]].
    split.
    + intros i j I J E. f_equal. rewrite !eval_leaves in E by assumption.
      apply values_nodup in IT; [|assumption]. apply IT; assumption.
    + intros NB _. apply Sum; [| |assumption].
      * eapply values_app_nodup; [| |exact IR]; [apply filtered_pos|]; assumption.
      * intros u u' v v' U1 U2 V1 V2 E. eapply (values_app_unique _ _ IR); [exact U1|exact U2|exact V1|exact V2|exact E].
Qed.

(** The product by a tile, mode by mode; modes without a tile stay. *)
Fixpoint produced_by (a : layout) (t : tile) (c : layout) : Prop :=
  match t with
  | TLayout b => products a b c
  | TInt n => products a (Leaf (n, if n =? 1 then 0 else 1)) c
  | TUnderscore => c = a
  | TModes ts =>
      exists cs, c = Node cs /\
        (fix go (ts : list tile) (ms cs : list layout) {struct ts} : Prop :=
           match ts, ms, cs with
           | [], ms, cs => cs = ms
           | t :: ts, m :: ms, c :: cs => produced_by m t c /\ go ts ms cs
           | _, _, _ => False
           end) ts (modes a) cs
  end.

Lemma produced_by_mode : forall t a c, pos (leaves a) -> tile_pos t -> strict_product a t = true ->
  product_tile a t = Some c -> produced_by a t c.
Proof.
  induction t as [b | n | | ts IH] using tile_induction; intros a c A T S H.
  - exact (product_exact a b c A T S H).
  - cbn [strict_product product_tile produced_by] in *.
    destruct (make_layout_int n) as [b|] eqn:I; [|discriminate]. cbn [bind] in H.
    apply make_layout_int_leaf in I. destruct I as [-> N].
    apply product_exact; try assumption. repeat constructor. assumption.
  - cbn in H. injection H as <-. reflexivity.
  - cbn [product_tile] in H. apply bind_some in H. destruct H as (cs & H & E). injection E as <-.
    cbn [strict_product produced_by] in *. exists cs. split; [reflexivity|].
    apply tile_pos_modes in T. apply modes_pos in A. revert S cs H. generalize (modes a) A. clear a A.
    induction IH as [|t ts Ht _ IHts]; intros ms A S cs H.
    + destruct ms; injection H as <-; reflexivity.
    + destruct ms as [|m ms]; [discriminate|].
      inversion_clear A as [|? ? A1 A2]. inversion_clear T as [|? ? T1 T2].
      apply andb_prop in S. destruct S as [S1 S2].
      apply bind_some in H. destruct H as (c & H1 & H). apply bind_some in H. destruct H as (r & H2 & E).
      injection E as <-. split; [apply Ht; assumption|]. apply IHts; assumption.
Qed.

(** What strict accepts of a product, whole or by mode, satisfies its equation. *)
Theorem logical_product_exact : forall a t c, pos (leaves a) -> tile_pos t ->
  logical_product a t = Some c -> produced_by a t c.
Proof.
  intros a t c A T H. unfold logical_product in H. apply bind_some in H. destruct H as (u & G & H).
  apply guard_some in G. apply produced_by_mode; assumption.
Qed.
