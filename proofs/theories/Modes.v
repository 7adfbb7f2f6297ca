(** Flatten, group, and coalesce by profile: the same function in another profile. *)
From Cute Require Export ByMode.

Lemma flatten_leaves : forall {A} (t : tree A), leaves (flatten t) = leaves t.
Proof.
  intros A [a | ms]; [reflexivity|]. cbn [flatten]. unfold of_leaves. rewrite leaves_node.
  induction (leaves (Node ms)) as [|x l IH]; [reflexivity|]. cbn. congruence.
Qed.

Theorem flatten_same_function : forall l, pos (leaves l) ->
  size (flatten l) = size l /\ forall i, 0 <= i < size l -> eval (flatten l) i = eval l i.
Proof.
  intros l P. assert (size (flatten l) = size l) as S by (unfold size; rewrite flatten_leaves; reflexivity).
  split; [assumption|]. intros i I. rewrite !eval_leaves; rewrite ?flatten_leaves; try assumption; [reflexivity|lia].
Qed.

(** Past the size too, where no tuple is empty. *)
Theorem flatten_same_function_extended : forall l i, pos (leaves l) -> no_empty l -> 0 <= i ->
  eval (flatten l) i = eval l i.
Proof.
  intros l i P N I. rewrite !eval_leaves_extended; rewrite ?flatten_leaves; try assumption; [reflexivity|].
  destruct l as [p | ms]; [exact Logic.I|]. pose proof (no_empty_leaves _ N) as L. cbn [flatten]. unfold of_leaves.
  apply no_empty_node. split.
  - destruct (leaves (Node ms)); [congruence|discriminate].
  - apply Forall_forall. intros t H. apply in_map_iff in H. destruct H as (x & <- & _). exact Logic.I.
Qed.

Lemma modes_leaves : forall {A} (t : tree A), flat_map leaves (modes t) = leaves t.
Proof. intros A [a | ms]; reflexivity. Qed.

Lemma skipn_twice : forall {A} a b (l : list A), skipn a (skipn b l) = skipn (b + a) l.
Proof.
  intros A a b. induction b as [|b IH]; intro l; [reflexivity|].
  destruct l as [|x l]; [destruct a; reflexivity|]. cbn [skipn Nat.add]. apply IH.
Qed.

Lemma group_leaves : forall {A} (t g : tree A) first last, group first last t = Some g -> leaves g = leaves t.
Proof.
  intros A t g first last H. unfold group in H.
  destruct ((first <? last)%nat && (last <=? rank t)%nat) eqn:E; [|discriminate]. injection H as <-.
  apply andb_prop in E. destruct E as [E1 E2]. apply Nat.ltb_lt in E1. apply Nat.leb_le in E2. unfold rank in E2.
  rewrite leaves_node. cbn [app]. rewrite flat_map_app. cbn [flat_map]. rewrite leaves_node, <- !flat_map_app.
  rewrite <- (modes_leaves t). f_equal.
  replace (skipn last (modes t)) with (skipn (last - first) (skipn first (modes t))).
  - rewrite firstn_skipn. apply firstn_skipn.
  - rewrite skipn_twice. f_equal. lia.
Qed.

Theorem group_same_function : forall l g first last, pos (leaves l) -> group first last l = Some g ->
  size g = size l /\ forall i, 0 <= i < size l -> eval g i = eval l i.
Proof.
  intros l g first last P H. apply group_leaves in H.
  assert (size g = size l) as S by (unfold size; rewrite H; reflexivity).
  split; [assumption|]. intros i I. rewrite !eval_leaves; rewrite ?H; try assumption; [reflexivity|lia].
Qed.

(** Coalesce at the leaves of a profile: each mode there is the same function; modes past it stay. *)
Fixpoint coalesced_by {A} (profile : tree A) (l c : layout) : Prop :=
  match profile with
  | Leaf _ => size c = size l /\ forall i, 0 <= i < size l -> eval c i = eval l i
  | Node ps =>
      exists cs, c = Node cs /\
        (fix go (ps : list (tree A)) (ms cs : list layout) {struct ps} : Prop :=
           match ps, ms, cs with
           | [], ms, cs => cs = ms
           | p :: ps, m :: ms, c :: cs => coalesced_by p m c /\ go ps ms cs
           | _, _, _ => False
           end) ps (modes l) cs
  end.

Theorem coalesce_by_profile : forall {A} (profile : tree A) l c, pos (leaves l) ->
  at_terminals coalesce profile l = Some c -> coalesced_by profile l c.
Proof.
  intros A. induction profile as [a | ps IH] using tree_induction; intros l c P H.
  - cbn in H. injection H as <-. apply coalesce_same_function. assumption.
  - cbn [at_terminals] in H. apply bind_some in H. destruct H as (cs & H & E). injection E as <-.
    cbn [coalesced_by]. exists cs. split; [reflexivity|].
    apply modes_pos in P. revert cs H. generalize (modes l) P. clear l P.
    induction IH as [|p ps Hp _ IHps]; intros ms P cs H.
    + destruct ms; injection H as <-; reflexivity.
    + destruct ms as [|m ms]; [discriminate|]. inversion_clear P as [|? ? P1 P2].
      apply bind_some in H. destruct H as (c & H1 & H). apply bind_some in H. destruct H as (r & H2 & E).
      injection E as <-. split; [apply Hp; assumption|]. apply IHps; assumption.
Qed.
