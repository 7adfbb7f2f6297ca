(** Composition by mode. *)
From Cute Require Export Composition.

Section TileInduction.
  Variable P : tile -> Prop.
  Hypothesis at_layout : forall l, P (TLayout l).
  Hypothesis at_int : forall n, P (TInt n).
  Hypothesis at_underscore : P TUnderscore.
  Hypothesis at_modes : forall ts, Forall P ts -> P (TModes ts).
  Fixpoint tile_induction (t : tile) : P t :=
    match t with
    | TLayout l => at_layout l
    | TInt n => at_int n
    | TUnderscore => at_underscore
    | TModes ts =>
        at_modes ts
          ((fix go l : Forall P l :=
              match l with
              | [] => Forall_nil P
              | m :: r => Forall_cons m (tile_induction m) (go r)
              end) ts)
    end.
End TileInduction.

(** The layouts of a tile have positive extents. *)
Fixpoint tile_pos (t : tile) : Prop :=
  match t with
  | TLayout l => pos (leaves l)
  | TInt _ | TUnderscore => True
  | TModes ts => (fix go ts := match ts with [] => True | t :: ts => tile_pos t /\ go ts end) ts
  end.

Lemma tile_pos_modes : forall ts, tile_pos (TModes ts) <-> Forall tile_pos ts.
Proof.
  intro ts. cbn [tile_pos]. induction ts as [|t ts IH]; [split; constructor|].
  rewrite IH, Forall_cons_iff. reflexivity.
Qed.

Lemma modes_pos : forall a, pos (leaves a) -> Forall (fun m => pos (leaves m)) (modes a).
Proof.
  intros [p | ms] P; cbn [modes]; [constructor; [exact P|constructor]|]. rewrite leaves_node in P.
  induction ms as [|m ms IH]; constructor; cbn [flat_map] in P; apply pos_app in P; destruct P; auto.
Qed.

(** [c] is the composition of [a] and the tile: mode by mode, and modes without a tile are dropped. *)
Fixpoint composed_by (a : layout) (t : tile) (c : layout) : Prop :=
  match t with
  | TLayout b => size c = size b /\ forall i, 0 <= i < size b -> eval c i = eval a (eval b i)
  | TInt n => size c = n /\ forall i, 0 <= i < n -> eval c i = eval a i
  | TUnderscore => c = a
  | TModes ts =>
      exists cs, c = Node cs /\
        (fix go (ts : list tile) (ms cs : list layout) {struct ts} : Prop :=
           match ts, ms, cs with
           | [], _, [] => True
           | t :: ts, m :: ms, c :: cs => composed_by m t c /\ go ts ms cs
           | _, _, _ => False
           end) ts (modes a) cs
  end.

Lemma identity_spec : forall n b, identity n = Some b -> b = Leaf (n, 1) /\ 1 <= n.
Proof.
  intros n b H. unfold identity, from_flat in H. apply bind_some in H. destruct H as (u & H & E).
  injection E as <-. apply guard_some in H. cbn in H. split; [reflexivity|lia].
Qed.

Lemma size_leaf : forall p, size (Leaf p) = fst p.
Proof. intro p. unfold size. cbn [leaves]. rewrite total_cons, total_nil. lia. Qed.

Lemma composed_by_mode : forall t a c, pos (leaves a) -> tile_pos t -> strict_compose a t = true ->
  compose_tile a t = Some c -> composed_by a t c.
Proof.
  induction t as [b | n | | ts IH] using tile_induction; intros a c A T S H.
  - cbn [strict_compose compose_tile tile_pos composed_by] in *.
    split; [exact (proj2 (compose_size a b c A T H))|exact (composition_exact a b c A T S H)].
  - cbn [strict_compose compose_tile composed_by] in *.
    destruct (identity n) as [b|] eqn:I; [|discriminate]. cbn [bind] in H.
    apply identity_spec in I. destruct I as [-> N].
    assert (pos (leaves (Leaf (n, 1)))) as B by (repeat constructor; assumption).
    destruct (compose_size _ _ _ A B H) as [_ E]. rewrite size_leaf in E. split; [exact E|].
    intros i I. rewrite (composition_exact _ _ _ A B S H i); [|rewrite size_leaf; exact I].
    cbn [eval]. rewrite Z.mul_1_r. reflexivity.
  - cbn in H. injection H as <-. reflexivity.
  - cbn [compose_tile] in H. apply bind_some in H. destruct H as (cs & H & E). injection E as <-.
    cbn [strict_compose composed_by] in *. exists cs. split; [reflexivity|].
    apply tile_pos_modes in T. apply modes_pos in A. revert S cs H. generalize (modes a) A. clear a A.
    induction IH as [|t ts Ht _ IHts]; intros ms A S cs H.
    + destruct ms; injection H as <-; exact I.
    + destruct ms as [|m ms]; [discriminate|].
      inversion_clear A as [|? ? A1 A2]. inversion_clear T as [|? ? T1 T2].
      apply andb_prop in S. destruct S as [S1 S2].
      apply bind_some in H. destruct H as (c & H1 & H). apply bind_some in H. destruct H as (r & H2 & E).
      injection E as <-. split; [apply Ht; assumption|]. apply IHts; assumption.
Qed.

(** Composition, by mode: if strict accepts, each mode of the result is the composition of the mode of
    A with its tile. *)
Theorem composition_by_mode_exact : forall a t c, pos (leaves a) -> tile_pos t ->
  composition a t = Some c -> composed_by a t c.
Proof.
  intros a t c A T H. unfold composition in H. apply bind_some in H. destruct H as (u & G & H).
  apply guard_some in G. apply composed_by_mode; assumption.
Qed.

(** The sum over modes of A_j(B_j(i_j)). *)
Fixpoint sum_of_modes (ms bs : list layout) (is : list Z) : Z :=
  match ms, bs, is with
  | m :: ms, b :: bs, i :: is => eval m (eval b i) + sum_of_modes ms bs is
  | _, _, _ => 0
  end.

(** For one layout per mode: (A o [B_0; ..; B_k])(i_0, .., i_k) = sum of A_j(B_j(i_j)). *)
Corollary composition_of_modes : forall ms bs c is, pos (leaves (Node ms)) -> Forall (fun b => pos (leaves b)) bs ->
  composition (Node ms) (TModes (map TLayout bs)) = Some c ->
  Forall2 (fun b i => 0 <= i < size b) bs is ->
  eval_at (Node (map (fun i => Leaf (Some i)) is)) c = Some (sum_of_modes ms bs is).
Proof.
  intros ms bs c is A B H I.
  apply composition_by_mode_exact in H; [|assumption|].
  2: { apply tile_pos_modes. apply Forall_forall. intros t X. apply in_map_iff in X.
       destruct X as (b & <- & X). rewrite Forall_forall in B. apply B. assumption. }
  cbn [composed_by modes] in H. destruct H as (cs & -> & H).
  change (eval_at_modes (map (fun i => Leaf (Some i)) is) cs = Some (sum_of_modes ms bs is)).
  clear A B. revert ms cs H. induction I as [|b i bs is Hi _ IH]; intros ms cs H.
  - cbn in H. destruct cs; [destruct ms; reflexivity|destruct ms; contradiction].
  - cbn [map] in H. destruct ms as [|m ms]; [contradiction|]. destruct cs as [|c cs]; [contradiction|].
    destruct H as [[_ E] H]. cbn [map eval_at_modes eval_at sum_of_modes]. cbn [bind].
    rewrite (IH ms cs H). cbn [bind]. rewrite E by assumption. reflexivity.
Qed.
