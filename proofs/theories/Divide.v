(** Divides: what strict accepts is a rearrangement, D(i, j) = A(T(i) + R(j)). *)
From Cute Require Export Complement.

Lemma pair_eval : forall x y i j, 0 <= i < size x -> 0 <= j ->
  eval (Node [x; y]) (i + size x * j) = eval x i + eval y j.
Proof.
  intros x y i j I J. rewrite eval_node, eval_modes_cons by discriminate.
  rewrite rem_mod, quot_div by nia. rewrite digit_mod, digit_div by assumption. reflexivity.
Qed.

Lemma pair_size : forall x y : layout, size (Node [x; y]) = size x * size y.
Proof. intros. rewrite !size_node_cons. change (size (Node [])) with 1. lia. Qed.

Lemma pair_leaves : forall x y : layout, leaves (Node [x; y]) = leaves x ++ leaves y.
Proof. intros. rewrite leaves_node. cbn [flat_map]. rewrite app_nil_r. reflexivity. Qed.

Lemma size_pos : forall l, pos (leaves l) -> 1 <= size l.
Proof. intros. apply total_pos. assumption. Qed.

(** Filter changes nothing where no value repeats by a stride of 0. *)
Lemma filter_zeros_same : forall l, pos l -> existsb (fun p => (snd p =? 0) && (1 <? fst p)) l = false ->
  filter_zeros l = l.
Proof.
  induction l as [|[s d] l IH]; intros P H; [reflexivity|]. apply pos_cons in P. destruct P as [P1 P2].
  cbn [existsb] in H. apply orb_false_elim in H. destruct H as [H1 H2]. unfold filter_zeros in *.
  cbn [map fst snd] in *. rewrite IH by assumption. f_equal. f_equal. destruct (d =? 0); cbn [andb] in H1; lia.
Qed.

(** Composition, for the whole image. *)
Lemma composition_image : forall a b c, pos (leaves a) -> pos (leaves b) -> check a b = true ->
  compose a b = Some c -> image c = map (eval a) (image b).
Proof.
  intros a b c A B G H. unfold image. rewrite map_map. destruct (compose_size _ _ _ A B H) as [_ ->].
  apply map_ext_in. intros i I. apply zseq_in in I. eapply composition_exact; eassumption.
Qed.

(** [c] is the divide of [a] by [t]: the tile and the rest reach every index of [a] once, and a value
    of [c] is the one of [a] at the sum of their values. *)
Definition divides (a t c : layout) : Prop :=
  exists r, rest_of a t = Some r
    /\ size c = size a
    /\ (forall i j, 0 <= i < size t -> 0 <= j < size r ->
        eval_at (Node [Leaf (Some i); Leaf (Some j)]) c = Some (eval a (eval t i + eval r j)))
    /\ Permutation (image (Node [t; r])) (zseq (size a))
    /\ Permutation (image c) (image a).

Lemma compose_pair : forall a x y c, compose a (Node [x; y]) = Some c ->
  exists c1 c2, c = Node [c1; c2] /\ compose a x = Some c1 /\ compose a y = Some c2.
Proof.
  intros a x y c H. unfold compose in *. cbn [compose_modes traverse] in H.
  apply bind_some in H. destruct H as (cs & H & E). apply bind_some in H. destruct H as (c1 & H1 & H).
  apply bind_some in H. destruct H as (r & H2 & X). apply bind_some in H2. destruct H2 as (c2 & H2 & Y).
  cbn [bind] in Y. injection Y as <-. injection X as <-. injection E as <-. eauto.
Qed.

Theorem divide_exact : forall a t c, pos (leaves a) -> pos (leaves t) ->
  strict_divide_by a t = true -> divide a t = Some c -> divides a t c.
Proof.
  intros a t c A T S H. unfold strict_divide_by, divide in *. destruct (rest_of a t) as [r|] eqn:R; [|discriminate].
  cbn [bind] in H. exists r. split; [exact R|].
  rewrite H in S. apply andb_prop in S. destruct S as [S S4]. apply andb_prop in S. destruct S as [S S3].
  apply andb_prop in S. destruct S as [S1 S2]. apply negb_true_iff in S2.
  assert (pos (leaves r)) as Pr by (exact (complement_pos t _ r T R)).
  assert (pos (leaves (Node [t; r]))) as B by (rewrite pair_leaves; apply pos_app; auto).
  destruct (compose_size _ _ _ A B H) as [C Sc].
  split; [lia|].
  assert (Permutation (image (Node [t; r])) (zseq (size a))) as Perm.
  { rewrite image_values by assumption. rewrite pair_leaves in *.
    rewrite existsb_app in S2. apply orb_false_elim in S2. destruct S2 as [Z1 _].
    apply NoDup_Permutation_bis.
    - pose proof (complement_one_to_one t _ r T R) as N.
      rewrite values_app, filtered_values, filter_zeros_same, <- values_app in N by assumption. exact N.
    - rewrite zseq_length, values_length by assumption. unfold size in S1 at 1. rewrite pair_leaves in S1. lia.
    - intros x X. apply values_in in X; [|assumption]. destruct X as (i & I & <-). apply zseq_in.
      unfold check in S3. apply andb_prop in S3. destruct S3 as [S3 _].
      destruct (check_reach_spec a (Node [t; r]) A ltac:(rewrite pair_leaves; assumption) S3) as [_ Reach].
      rewrite pair_leaves in Reach. apply Reach. unfold size. rewrite pair_leaves. assumption. }
  split; [|split; [exact Perm|]].
  - intros i j I J. pose proof H as H'. apply compose_pair in H'. destruct H' as (c1 & c2 & -> & H1 & H2).
    destruct (compose_size _ _ _ A T H1) as [_ E1]. destruct (compose_size _ _ _ A Pr H2) as [_ E2].
    cbn [eval_at bind]. rewrite Z.add_0_r. f_equal.
    rewrite <- pair_eval, <- pair_eval by lia. rewrite E1.
    apply (composition_exact a (Node [t; r]) _ A B S3 H). rewrite pair_size. nia.
  - rewrite (composition_image _ _ _ A B S3 H). rewrite (Permutation_map (eval a) Perm). reflexivity.
Qed.

(** The divide by a tile, mode by mode; modes without a tile stay. *)
Fixpoint divided_by (a : layout) (t : tile) (c : layout) : Prop :=
  match t with
  | TLayout b => divides a b c
  | TInt n => divides a (Leaf (n, if n =? 1 then 0 else 1)) c
  | TUnderscore => c = a
  | TModes ts =>
      exists cs, c = Node cs /\
        (fix go (ts : list tile) (ms cs : list layout) {struct ts} : Prop :=
           match ts, ms, cs with
           | [], ms, cs => cs = ms
           | t :: ts, m :: ms, c :: cs => divided_by m t c /\ go ts ms cs
           | _, _, _ => False
           end) ts (modes a) cs
  end.

Lemma make_layout_int_leaf : forall n b, make_layout_int n = Some b -> b = Leaf (n, if n =? 1 then 0 else 1) /\ 1 <= n.
Proof.
  intros n b H. unfold make_layout_int, from_flat in H. apply bind_some in H. destruct H as (u & G & E).
  injection E as <-. apply guard_some in G. cbn in G. split; [reflexivity|lia].
Qed.

Lemma divided_by_mode : forall t a c, pos (leaves a) -> tile_pos t -> strict_divide a t = true ->
  divide_tile a t = Some c -> divided_by a t c.
Proof.
  induction t as [b | n | | ts IH] using tile_induction; intros a c A T S H.
  - exact (divide_exact a b c A T S H).
  - cbn [strict_divide divide_tile divided_by] in *.
    destruct (make_layout_int n) as [b|] eqn:I; [|discriminate]. cbn [bind] in H.
    apply make_layout_int_leaf in I. destruct I as [-> N].
    apply divide_exact; try assumption. repeat constructor. assumption.
  - cbn in H. injection H as <-. reflexivity.
  - cbn [divide_tile] in H. apply bind_some in H. destruct H as (cs & H & E). injection E as <-.
    cbn [strict_divide divided_by] in *. exists cs. split; [reflexivity|].
    apply tile_pos_modes in T. apply modes_pos in A. revert S cs H. generalize (modes a) A. clear a A.
    induction IH as [|t ts Ht _ IHts]; intros ms A S cs H.
    + destruct ms; injection H as <-; reflexivity.
    + destruct ms as [|m ms]; [discriminate|].
      inversion_clear A as [|? ? A1 A2]. inversion_clear T as [|? ? T1 T2].
      apply andb_prop in S. destruct S as [S1 S2].
      apply bind_some in H. destruct H as (c & H1 & H). apply bind_some in H. destruct H as (r & H2 & E).
      injection E as <-. split; [apply Ht; assumption|]. apply IHts; assumption.
Qed.

(** What strict accepts of a divide, whole or by mode, satisfies its equation. *)
Theorem logical_divide_exact : forall a t c, pos (leaves a) -> tile_pos t ->
  logical_divide a t = Some c -> divided_by a t c.
Proof.
  intros a t c A T H. unfold logical_divide in H. apply bind_some in H. destruct H as (u & G & H).
  apply guard_some in G. apply divided_by_mode; assumption.
Qed.
