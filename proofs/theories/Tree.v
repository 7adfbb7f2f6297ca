(** Tuples: a leaf, or a list of tuples (crates/cute-algebra/src/tuple.rs, [Tuple]). Rust stores a
    tree as its arities in preorder and its leaves; here it is an inductive type. *)
From Coq Require Export ZArith List Bool Lia.
Export ListNotations.
Open Scope Z_scope.

Inductive tree (A : Type) : Type :=
| Leaf (a : A)
| Node (ms : list (tree A)).
Arguments Leaf {A} a.
Arguments Node {A} ms.

Section Induction.
  Context {A : Type} (P : tree A -> Prop).
  Hypothesis at_leaf : forall a, P (Leaf a).
  Hypothesis at_node : forall ms, Forall P ms -> P (Node ms).

  (** Induction over the modes of a node, which Coq does not derive for nested lists. *)
  Fixpoint tree_induction (t : tree A) : P t :=
    match t with
    | Leaf a => at_leaf a
    | Node ms =>
        at_node ms
          ((fix go l : Forall P l :=
              match l with
              | [] => Forall_nil P
              | m :: r => Forall_cons m (tree_induction m) (go r)
              end) ms)
    end.
End Induction.

Fixpoint tmap {A B : Type} (f : A -> B) (t : tree A) : tree B :=
  match t with
  | Leaf a => Leaf (f a)
  | Node ms => Node (map (tmap f) ms)
  end.

(** [Tuple::leaves] *)
Fixpoint leaves {A : Type} (t : tree A) : list A :=
  match t with
  | Leaf a => [a]
  | Node ms => flat_map leaves ms
  end.

(** [Tuple::modes]: a leaf yields itself. *)
Definition modes {A : Type} (t : tree A) : list (tree A) :=
  match t with
  | Leaf _ => [t]
  | Node ms => ms
  end.

(** [Tuple::rank] *)
Definition rank {A : Type} (t : tree A) : nat := length (modes t).

(** [Tuple::from_leaves] *)
Definition of_leaves {A : Type} (l : list A) : tree A := Node (map Leaf l).

(** [Builder::open] and [close], [Layout::from_flat]: a single leaf is not wrapped in a tuple. *)
Definition flat_tree {A : Type} (l : list A) : tree A :=
  match l with
  | [a] => Leaf a
  | _ => of_leaves l
  end.

(** [Tuple::flatten] *)
Definition flatten {A : Type} (t : tree A) : tree A :=
  match t with
  | Leaf _ => t
  | Node _ => of_leaves (leaves t)
  end.

(** Results and refusals. What is refused, and why, is Rust's affair. *)
Definition bind {A B : Type} (x : option A) (f : A -> option B) : option B :=
  match x with
  | Some a => f a
  | None => None
  end.
Notation "'do' x <- e ; f" := (bind e (fun x => f)) (at level 200, x pattern, e at level 100, f at level 200).

Definition guard (b : bool) : option unit := if b then Some tt else None.

Section Traverse.
  Context {A B : Type} (f : A -> option B).
  Fixpoint traverse (l : list A) : option (list B) :=
    match l with
    | [] => Some []
    | a :: r => do b <- f a; do bs <- traverse r; Some (b :: bs)
    end.
End Traverse.

(** [TupleRef::zip]: the leaves of two congruent trees, pairwise. *)
Fixpoint tzip {A B : Type} (s : tree A) (t : tree B) : option (tree (A * B)) :=
  match s, t with
  | Leaf a, Leaf b => Some (Leaf (a, b))
  | Node ss, Node ts =>
      do ms <-
        (fix go (ss : list (tree A)) (ts : list (tree B)) : option (list (tree (A * B))) :=
           match ss, ts with
           | [], [] => Some []
           | s :: ss, t :: ts => do m <- tzip s t; do r <- go ss ts; Some (m :: r)
           | _, _ => None
           end) ss ts;
      Some (Node ms)
  | _, _ => None
  end.

(** [Tuple::group]: modes [begin, end) wrapped into one. *)
Definition group {A : Type} (first last : nat) (t : tree A) : option (tree A) :=
  if (first <? last)%nat && (last <=? rank t)%nat then
    Some (Node (firstn first (modes t)
                  ++ [Node (firstn (last - first) (skipn first (modes t)))]
                  ++ skipn last (modes t)))
  else None.
