(** A coordinate, at any level of detail, and its index have the same value. *)
From Cute Require Export MixedRadix.

Lemma leaves_tmap : forall {A B} (f : A -> B) t, leaves (tmap f t) = map f (leaves t).
Proof.
  intros A B f. induction t as [a | ms IH] using tree_induction; [reflexivity|].
  cbn [tmap]. rewrite !leaves_node. induction IH as [|m ms Hm _ IHms]; [reflexivity|].
  cbn [map flat_map]. rewrite map_app, Hm, IHms. reflexivity.
Qed.

Lemma product_shape : forall l : layout, product (tmap fst l) = size l.
Proof. intro l. unfold product, size, total. rewrite leaves_tmap. reflexivity. Qed.

(** The product of the radices. *)
Definition radices (ds : list (Z * Z)) : Z := prod (map snd ds).

(** [horner], where a radix follows the last digit too. *)
Fixpoint horner_all (l : list (Z * Z)) : Z :=
  match l with
  | [] => 0
  | (c, s) :: r => c + s * horner_all r
  end.

Lemma horner_horner_all : forall l, horner l = horner_all l.
Proof.
  induction l as [|[c s] l IH]; [reflexivity|]. destruct l as [|q l]; [cbn; lia|].
  change (c + s * horner (q :: l) = c + s * horner_all (q :: l)). rewrite IH. reflexivity.
Qed.

Lemma horner_app : forall a b, horner_all (a ++ b) = horner_all a + radices a * horner_all b.
Proof.
  induction a as [|[c s] a IH]; intro b.
  - cbn [app horner_all]. change (radices []) with 1. lia.
  - cbn [app horner_all]. rewrite IH. change (radices ((c, s) :: a)) with (s * radices a). lia.
Qed.

Lemma radices_app : forall a b, radices (a ++ b) = radices a * radices b.
Proof. intros. unfold radices. rewrite map_app. apply prod_app. Qed.

Definition collect_modes :=
  fix go (cs : list (tree (option Z))) (ms : list (tree Z)) : option (list (Z * Z)) :=
    match cs, ms with
    | [], [] => Some []
    | c :: cs, m :: ms => do d <- collect_digits c m; do r <- go cs ms; Some (d ++ r)
    | _, _ => None
    end.

Definition eval_at_modes :=
  fix go (cs : list (tree (option Z))) (ms : list layout) : option Z :=
    match cs, ms with
    | [], [] => Some 0
    | c :: cs, m :: ms => do v <- eval_at c m; do sum <- go cs ms; Some (v + sum)
    | _, _ => None
    end.

Definition in_range_modes :=
  fix go (cs : list (tree (option Z))) (ms : list (tree Z)) : bool :=
    match cs, ms with
    | c :: cs, m :: ms => in_range c m && go cs ms
    | _, _ => true
    end.

Lemma bind_some : forall {A B} (x : option A) (f : A -> option B) b,
  bind x f = Some b -> exists a, x = Some a /\ f a = Some b.
Proof. intros A B [a|] f b H; [eauto|discriminate]. Qed.

Lemma guard_some : forall b u, guard b = Some u -> b = true.
Proof. intros [|] u H; [reflexivity|discriminate]. Qed.

Lemma digits_evaluate : forall c (l : layout) v, pos (leaves l) -> in_range c (tmap fst l) = true ->
  eval_at c l = Some v ->
  exists ds, collect_digits c (tmap fst l) = Some ds /\ radices ds = size l
             /\ 0 <= horner_all ds < size l /\ beval (leaves l) (horner_all ds) = v.
Proof.
  induction c as [i | cs IH] using tree_induction; intros l v P R E.
  - pose proof (total_pos _ P) as T. fold (size l) in T.
    exists [(match i with Some i => i | None => 0 end, product (tmap fst l))]. rewrite product_shape.
    split; [cbn [collect_digits]; rewrite product_shape; reflexivity|].
    split; [unfold radices; cbn; lia|]. cbn [horner_all]. rewrite Z.mul_0_r, Z.add_0_r.
    destruct i as [i|]; cbn [in_range eval_at] in *.
    + apply andb_prop in R. rewrite product_shape in R. split; [lia|].
      rewrite <- eval_leaves by (assumption || lia). congruence.
    + split; [lia|]. rewrite beval_0. congruence.
  - destruct l as [p | ms]; [discriminate|].
    change (eval_at_modes cs ms = Some v) in E.
    change (in_range_modes cs (map (tmap fst) ms) = true) in R.
    change (collect_digits (Node cs) (tmap fst (Node ms))) with (collect_modes cs (map (tmap fst) ms)).
    rewrite leaves_node in *. revert ms v P R E.
    induction cs as [|c cs IHcs]; intros ms v P R E; destruct ms as [|m ms]; try discriminate.
    + exists []. injection E as <-. cbn. repeat split; lia.
    + inversion_clear IH as [|? ? Hc Hcs]. cbn [flat_map] in *. apply pos_app in P. destruct P as [P1 P2].
      cbn [map in_range_modes] in R. apply andb_prop in R. destruct R as [R1 R2].
      cbn [eval_at_modes] in E. apply bind_some in E. destruct E as (v1 & E1 & E).
      apply bind_some in E. destruct E as (v2 & E2 & E). injection E as <-.
      specialize (Hc m v1 P1 R1 E1). destruct Hc as (d1 & C1 & D1 & B1 & V1).
      specialize (IHcs Hcs ms v2 P2 R2 E2). destruct IHcs as (d2 & C2 & D2 & B2 & V2).
      exists (d1 ++ d2). cbn [map collect_modes]. rewrite C1, C2. split; [reflexivity|].
      rewrite radices_app, horner_app, size_node_cons, D1, D2. split; [reflexivity|].
      split; [nia|]. rewrite beval_app by assumption. unfold size in *.
      rewrite <- (beval_mod (leaves m)) by assumption.
      rewrite digit_mod, digit_div by assumption. congruence.
Qed.

(** Evaluation at a coordinate is evaluation at its index. *)
Theorem eval_by_coordinate : forall c (l : layout) v, pos (leaves l) -> in_range c (tmap fst l) = true ->
  eval_at c l = Some v ->
  exists i, index_in c (tmap fst l) = Some i /\ 0 <= i < size l /\ eval l i = v.
Proof.
  intros c l v P R E. destruct (digits_evaluate c l v P R E) as (ds & C & _ & B & V).
  exists (horner_all ds). split; [|split; [assumption|rewrite eval_leaves; assumption]].
  destruct c as [i | cs].
  - cbn [collect_digits] in C. injection C as <-. cbn [index_in horner_all]. f_equal. lia.
  - cbn [index_in]. rewrite C. cbn [bind]. rewrite horner_horner_all. reflexivity.
Qed.
