(** The mixed-radix bijection: for a shape (M_0, .., M_n-1) of positive extents, the map
      x -> (x mod M_0, (x / M_0) mod M_1, .., (x / (M_0 .. M_i-1)) mod M_i, ..)
    is a bijection from [0, M_0 .. M_n-1) to the coordinates of the shape. With the last mode
    unbounded, it is one from all x >= 0. *)
From Cute Require Export Flat.

(** The equation of digit i, as it is written. *)
Definition digit (shape : list Z) (i : nat) (x : Z) : Z :=
  (x / prod (firstn i shape)) mod nth i shape 1.

Definition coordinate (shape : list Z) (x : Z) : list Z :=
  map (fun i => digit shape i x) (seq 0 (length shape)).

(** The same where the last digit is what is left. *)
Definition open_coordinate (shape : list Z) (x : Z) : list Z :=
  map (fun i => if (S i =? length shape)%nat then x / prod (firstn i shape) else digit shape i x)
      (seq 0 (length shape)).

(** The index of a coordinate: c_0 + M_0 (c_1 + M_1 (c_2 + ..)). *)
Fixpoint index (shape c : list Z) : Z :=
  match shape, c with
  | m :: shape, c :: cs => c + m * index shape cs
  | _, _ => 0
  end.

Definition extents_positive (shape : list Z) : Prop := Forall (fun m => 1 <= m) shape.

(** The coordinates of a shape. *)
Definition in_shape (shape c : list Z) : Prop := Forall2 (fun m c => 0 <= c < m) shape c.

(** The coordinates of a shape whose last mode has no end. *)
Fixpoint in_open_shape (shape c : list Z) : Prop :=
  match shape, c with
  | [], [] => True
  | [_], [c] => 0 <= c
  | m :: shape, c :: cs => 0 <= c < m /\ in_open_shape shape cs
  | _, _ => False
  end.

Lemma prod_pos : forall s, extents_positive s -> 1 <= prod s.
Proof.
  induction 1 as [|m s H _ IH]; [cbn; lia|]. change (1 <= m * prod s). nia.
Qed.

Lemma firstn_positive : forall i s, extents_positive s -> extents_positive (firstn i s).
Proof.
  intros i s H. unfold extents_positive in *. rewrite Forall_forall in *. intros m I.
  apply H. rewrite <- (firstn_skipn i s). apply in_or_app. left. assumption.
Qed.

Lemma digit_S : forall m s i x, 1 <= m -> extents_positive s -> digit (m :: s) (S i) x = digit s i (x / m).
Proof.
  intros m s i x M P. unfold digit. cbn [nth firstn]. change (prod (m :: firstn i s)) with (m * prod (firstn i s)).
  pose proof (prod_pos _ (firstn_positive i s P)). rewrite Z.div_div by lia. reflexivity.
Qed.

Lemma coordinate_cons : forall m s x, 1 <= m -> extents_positive s ->
  coordinate (m :: s) x = x mod m :: coordinate s (x / m).
Proof.
  intros m s x M P. unfold coordinate. cbn [length seq map]. f_equal.
  - unfold digit. cbn [firstn nth]. change (prod []) with 1. rewrite Z.div_1_r. reflexivity.
  - rewrite <- seq_shift, map_map. apply map_ext. intro i. apply digit_S; assumption.
Qed.

Lemma open_coordinate_cons : forall m s x, s <> [] -> 1 <= m -> extents_positive s ->
  open_coordinate (m :: s) x = x mod m :: open_coordinate s (x / m).
Proof.
  intros m s x N M P. unfold open_coordinate. cbn [length seq map]. f_equal.
  - destruct s as [|m' s]; [congruence|]. cbn [length Nat.eqb]. unfold digit. cbn [firstn nth].
    change (prod []) with 1. rewrite Z.div_1_r. reflexivity.
  - rewrite <- seq_shift, map_map. apply map_ext. intro i. cbn [Nat.eqb].
    rewrite digit_S by assumption. cbn [firstn]. change (prod (m :: firstn i s)) with (m * prod (firstn i s)).
    pose proof (prod_pos _ (firstn_positive i s P)). rewrite Z.div_div by lia. reflexivity.
Qed.

Lemma coordinate_in_shape : forall s x, extents_positive s -> in_shape s (coordinate s x).
Proof.
  induction s as [|m s IH]; intros x P; [constructor|].
  inversion_clear P as [|? ? M P']. rewrite coordinate_cons by assumption.
  constructor; [apply mod_bound; assumption|apply IH; assumption].
Qed.

Lemma index_in_range : forall s c, extents_positive s -> in_shape s c -> 0 <= index s c < prod s.
Proof.
  intros s c P H. revert P. induction H as [|m c s cs H _ IH]; intro P; [cbn; lia|].
  inversion_clear P as [|? ? M P']. specialize (IH P'). cbn [index].
  change (prod (m :: s)) with (m * prod s). nia.
Qed.

Lemma index_of_coordinate : forall s x, extents_positive s -> 0 <= x < prod s -> index s (coordinate s x) = x.
Proof.
  induction s as [|m s IH]; intros x P H; [cbn in *; lia|].
  inversion_clear P as [|? ? M P']. rewrite coordinate_cons by assumption. cbn [index].
  change (prod (m :: s)) with (m * prod s) in H.
  rewrite IH; [|assumption|split; [apply div_nonneg; lia|apply div_lt; lia]].
  pose proof (Z.div_mod x m). lia.
Qed.

Lemma coordinate_of_index : forall s c, extents_positive s -> in_shape s c -> coordinate s (index s c) = c.
Proof.
  intros s c P H. revert P. induction H as [|m c s cs H _ IH]; intro P; [reflexivity|].
  inversion_clear P as [|? ? M P']. cbn [index]. rewrite coordinate_cons by assumption.
  rewrite digit_mod, digit_div by assumption. rewrite IH by assumption. reflexivity.
Qed.

(** The theorem that one of the write-ups behind this project leaves open. *)
Theorem mixed_radix_bijection : forall shape, extents_positive shape ->
  (forall x, 0 <= x < prod shape -> in_shape shape (coordinate shape x)) /\
  (forall x y, 0 <= x < prod shape -> 0 <= y < prod shape -> coordinate shape x = coordinate shape y -> x = y) /\
  (forall c, in_shape shape c -> exists x, 0 <= x < prod shape /\ coordinate shape x = c).
Proof.
  intros s P. split; [|split].
  - intros. apply coordinate_in_shape. assumption.
  - intros x y X Y E. rewrite <- (index_of_coordinate s x), <- (index_of_coordinate s y) by assumption.
    congruence.
  - intros c H. exists (index s c).
    split; [apply index_in_range|apply coordinate_of_index]; assumption.
Qed.

Lemma in_open_shape_intro : forall m s c cs, s <> [] -> 0 <= c < m -> in_open_shape s cs ->
  in_open_shape (m :: s) (c :: cs).
Proof. intros m [|m' s] c cs N H H'; [congruence|]. exact (conj H H'). Qed.

Lemma open_coordinate_in_shape : forall s x, s <> [] -> extents_positive s -> 0 <= x ->
  in_open_shape s (open_coordinate s x).
Proof.
  induction s as [|m s IH]; intros x N P H; [congruence|]. inversion_clear P as [|? ? M P'].
  destruct s as [|m' s].
  - unfold open_coordinate. cbn. rewrite Z.div_1_r. assumption.
  - rewrite open_coordinate_cons by (assumption || discriminate).
    apply in_open_shape_intro; [discriminate|apply mod_bound; assumption|].
    apply IH; [discriminate|assumption|apply div_nonneg; assumption].
Qed.

Lemma in_open_shape_cons : forall m s c, s <> [] -> in_open_shape (m :: s) c ->
  exists c0 cs, c = c0 :: cs /\ 0 <= c0 < m /\ in_open_shape s cs.
Proof.
  intros m [|m' s] [|c0 cs] N H; try congruence; try contradiction.
  exists c0, cs. destruct H as [H1 H2]. auto.
Qed.

Lemma open_index_nonneg : forall s c, extents_positive s -> in_open_shape s c -> 0 <= index s c.
Proof.
  induction s as [|m s IH]; intros c P H; [cbn; lia|]. inversion_clear P as [|? ? M P'].
  destruct s as [|m' s].
  - destruct c as [|c [|? ?]]; cbn [in_open_shape] in H; try tauto. cbn in *. nia.
  - apply in_open_shape_cons in H; [|discriminate]. destruct H as (c0 & cs & -> & H & H').
    specialize (IH cs P' H'). remember (m' :: s) as s'. cbn [index]. nia.
Qed.

Lemma index_of_open_coordinate : forall s x, s <> [] -> extents_positive s -> 0 <= x ->
  index s (open_coordinate s x) = x.
Proof.
  induction s as [|m s IH]; intros x N P H; [congruence|]. inversion_clear P as [|? ? M P'].
  destruct s as [|m' s].
  - unfold open_coordinate. cbn. rewrite Z.div_1_r. lia.
  - rewrite open_coordinate_cons by (assumption || discriminate). remember (m' :: s) as s' eqn:E. cbn [index].
    rewrite IH; [|subst; discriminate|assumption|apply div_nonneg; lia].
    pose proof (Z.div_mod x m). lia.
Qed.

Lemma open_coordinate_of_index : forall s c, s <> [] -> extents_positive s -> in_open_shape s c ->
  open_coordinate s (index s c) = c.
Proof.
  induction s as [|m s IH]; intros c N P H; [congruence|]. inversion_clear P as [|? ? M P'].
  destruct s as [|m' s].
  - destruct c as [|c [|? ?]]; cbn [in_open_shape] in H; try tauto. unfold open_coordinate. cbn -[Z.mul Z.div].
    rewrite Z.div_1_r. f_equal. lia.
  - apply in_open_shape_cons in H; [|discriminate]. destruct H as (c0 & cs & -> & H & H').
    remember (m' :: s) as s' eqn:E. cbn [index].
    rewrite open_coordinate_cons; [|subst; discriminate|assumption|assumption].
    rewrite digit_mod, digit_div by assumption. rewrite IH; [reflexivity|subst; discriminate|assumption|assumption].
Qed.

(** The same where the last mode has no end, as in CuTe. *)
Theorem mixed_radix_bijection_open : forall shape, shape <> [] -> extents_positive shape ->
  (forall x, 0 <= x -> in_open_shape shape (open_coordinate shape x)) /\
  (forall x y, 0 <= x -> 0 <= y -> open_coordinate shape x = open_coordinate shape y -> x = y) /\
  (forall c, in_open_shape shape c -> exists x, 0 <= x /\ open_coordinate shape x = c).
Proof.
  intros s N P. split; [|split].
  - intros. apply open_coordinate_in_shape; assumption.
  - intros x y X Y E. rewrite <- (index_of_open_coordinate s x), <- (index_of_open_coordinate s y) by assumption.
    congruence.
  - intros c H. exists (index s c).
    split; [apply open_index_nonneg|apply open_coordinate_of_index]; assumption.
Qed.

(** * The functions of ops/coords.rs *)

Definition idx2crd_modes :=
  fix go (ms : list (tree Z)) (rest : Z) : list (tree Z) :=
    match ms with
    | [] => []
    | [m] => [idx2crd rest m]
    | m :: r => idx2crd (Z.rem rest (product m)) m :: go r (Z.quot rest (product m))
    end.

Lemma coordinate_app : forall s t x, extents_positive s -> extents_positive t ->
  coordinate (s ++ t) x = coordinate s x ++ coordinate t (x / prod s).
Proof.
  induction s as [|m s IH]; intros t x P Q.
  - cbn [app]. change (prod []) with 1. rewrite Z.div_1_r. reflexivity.
  - inversion_clear P as [|? ? M P']. cbn [app].
    rewrite !coordinate_cons; try assumption; [|apply Forall_app; split; assumption].
    rewrite IH by assumption. cbn [app]. change (prod (m :: s)) with (m * prod s).
    pose proof (prod_pos s P'). rewrite Z.div_div by lia. reflexivity.
Qed.

Lemma coordinate_mod : forall s x, extents_positive s -> coordinate s (x mod prod s) = coordinate s x.
Proof.
  induction s as [|m s IH]; intros x P; [reflexivity|]. inversion_clear P as [|? ? M P'].
  rewrite !coordinate_cons by assumption. change (prod (m :: s)) with (m * prod s).
  pose proof (prod_pos s P'). rewrite mod_mul, div_mul by lia. rewrite IH by assumption. reflexivity.
Qed.

(** [idx2crd] takes an index below the size of a nested shape to its mixed-radix digits. *)
Theorem idx2crd_is_mixed_radix : forall shape x, extents_positive (leaves shape) -> 0 <= x < product shape ->
  leaves (idx2crd x shape) = coordinate (leaves shape) x.
Proof.
  intros shape. unfold product. induction shape as [m | ms IH] using tree_induction; intros x P H.
  - cbn [leaves idx2crd] in *. change (prod [m]) with (m * 1) in H. unfold coordinate, digit.
    cbn -[Z.div Z.modulo]. rewrite Z.div_1_r, Z.mod_small by lia. reflexivity.
  - change (idx2crd x (Node ms)) with (Node (idx2crd_modes ms x)). rewrite !leaves_node in *.
    revert x H. induction ms as [|m ms IHms]; intros x H; [reflexivity|].
    inversion_clear IH as [|? ? Hm Hms]. cbn [flat_map] in *.
    unfold extents_positive in P. apply Forall_app in P. destruct P as [P1 P2]. rewrite prod_app in H.
    pose proof (prod_pos _ P1) as T1. pose proof (prod_pos _ P2) as T2.
    rewrite coordinate_app by assumption.
    destruct ms as [|m' ms].
    + cbn [idx2crd_modes flat_map] in *. change (prod []) with 1 in H.
      rewrite Hm by (assumption || lia). reflexivity.
    + change (idx2crd_modes (m :: m' :: ms) x)
        with (idx2crd (Z.rem x (product m)) m :: idx2crd_modes (m' :: ms) (Z.quot x (product m))).
      cbn [flat_map]. unfold product. rewrite rem_mod, quot_div by lia.
      rewrite Hm by (assumption || (apply mod_bound; assumption)).
      rewrite coordinate_mod by assumption. f_equal. apply IHms; try assumption.
      split; [apply div_nonneg; lia|apply div_lt; lia].
Qed.
