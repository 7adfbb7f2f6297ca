(** The operations for layouts of which some leaves are static and others dynamic: an integer is its value
    at run time, and whether it is static. Which modes a result has depends on static integers only.
    As in Algebra.v, each definition follows the function that its comment names, here for any leaf;
    checks of the strict policy are left out. *)
From Cute Require Export Algebra.

(** * Leaves (int.rs, dim.rs) *)

Definition known := (Z * bool)%type.
Definition mleaf := (known * known)%type.
Definition mlayout := tree mleaf.

Definition fixed (n : Z) : known := (n, true).
(** [Int::is] *)
Definition is (x : known) (n : Z) : bool := snd x && (fst x =? n).
(** [Int::eq], where it is known *)
Definition equal (x y : known) : bool := snd x && snd y && (fst x =? fst y).
(** [Dim::mul]: a static 0 times anything is a static 0. *)
Definition kmul (x y : known) : known :=
  (fst x * fst y, snd x && snd y || is x 0 || is y 0).
(** [Dim::div], [ceil_div], [min], [add] *)
Definition kdiv (x y : known) : known := (Z.quot (fst x) (fst y), snd x && snd y || is x 0).
Definition kcdiv (x y : known) : known := (cdiv (fst x) (fst y), snd x && snd y).
Definition kmin (x y : known) : known := (Z.min (fst x) (fst y), snd x && snd y).
Definition kadd (x y : known) : known := (fst x + fst y, snd x && snd y).
Definition kpred (x : known) : known := (fst x - 1, snd x).
Definition kabs (x : known) : known := (Z.abs (fst x), snd x).
Definition ksgn (x : known) : known := (Z.sgn (fst x), snd x).

(** The numbers at run time. *)
Definition number_of (p : mleaf) : leaf := (fst (fst p), fst (snd p)).
Definition numbers (l : list mleaf) : list leaf := map number_of l.

(** [Layout::checked]: static extents are positive. *)
Definition mchecked (l : list mleaf) : bool := forallb (fun p => negb (snd (fst p)) || (1 <=? fst (fst p))) l.

(** [Layout::new] *)
Definition mmake (shape stride : tree known) : option mlayout :=
  do l <- tzip shape stride;
  do _ <- guard (mchecked (leaves l));
  Some l.

(** [Layout::from_flat] *)
Definition mfrom_flat (l : list mleaf) : option (list mleaf) := do _ <- guard (mchecked l); Some l.

(** [product] *)
Definition kproduct (l : list known) : known := fold_right kmul (fixed 1) l.
(** [size] *)
Definition msize (l : mlayout) : known := kproduct (map fst (leaves l)).
(** [cosize]: 1 + sum((s - 1) * |d|) *)
Definition mcosize (l : mlayout) : known :=
  fold_right (fun p sum => kadd (kmul (kpred (fst p)) (kabs (snd p))) sum) (fixed 1) (leaves l).

(** * Coalesce and filter (ops/coalesce.rs) *)

(** [continues] *)
Definition continues (p : mleaf) (next : known) : bool := equal (kmul (snd p) (fst p)) next.

(** One step of [coalesce_flat] *)
Definition mpush (p : mleaf) (back : list mleaf) : list mleaf :=
  if is (fst p) 1 then back
  else
    match back with
    | [] => [p]
    | [(s, d)] =>
        if is s 1 then [p]
        else if snd s && continues p d then [(kmul (fst p) s, snd p)] else p :: back
    | (s, d) :: r => if snd s && continues p d then (kmul (fst p) s, snd p) :: r else p :: back
    end.

Fixpoint mmerged (extended : bool) (l : list mleaf) : list mleaf :=
  match l with
  | [] => []
  | [(s, d)] => [(if extended && is s 1 then fixed 2 else s, d)]
  | p :: r => mpush p (mmerged extended r)
  end.

(** The leaves of the result of [coalesce_flat]. *)
Definition mcoalesced (extended : bool) (l : list mleaf) : list mleaf :=
  let r := mmerged extended l in if forallb (fun p => is (fst p) 1) r then [(fixed 1, fixed 0)] else r.

(** [filter] *)
Definition mfilter_zeros (l : list mleaf) : list mleaf :=
  map (fun p => (if is (snd p) 0 then fixed 1 else fst p, snd p)) l.
Definition mfiltered (l : list mleaf) : list mleaf := mcoalesced false (mfilter_zeros l).

(** [coalesce_shape]: neighbouring static leaves are multiplied together, and neighbouring dynamic ones. *)
Fixpoint coalesce_shape (back : list known) (l : list known) : list known :=
  match l with
  | [] => match back with [] => [fixed 1] | _ => rev back end
  | x :: l =>
      match back with
      | b :: r => if Bool.eqb (snd b) (snd x) then coalesce_shape (kmul b x :: r) l else coalesce_shape (x :: back) l
      | [] => coalesce_shape [x] l
      end
  end.

(** [compact_from] *)
Fixpoint mcompact_from (es : list known) (start : known) : list mleaf :=
  match es with
  | [] => []
  | e :: es => if is e 1 then (e, fixed 0) :: mcompact_from es start else (e, start) :: mcompact_from es (kmul start e)
  end.

(** [make_layout] *)
Definition make_layout (shape : list known) : option (list mleaf) := mfrom_flat (mcompact_from shape (fixed 1)).

(** [ceil_div] by an integer (ops/size.rs) *)
Fixpoint mceil_div (a : tree known) (b : known) : option (tree known) :=
  match a with
  | Leaf x => do _ <- guard (negb (snd b) || (1 <=? fst b)); Some (Leaf (kcdiv x b))
  | Node ms =>
      do qs <-
        (fix go (ms : list (tree known)) (b : known) : option (list (tree known)) :=
           match ms with
           | [] => Some []
           | m :: r => do q <- mceil_div m b; do qs <- go r (kcdiv b (kproduct (leaves m))); Some (q :: qs)
           end) ms b;
      Some (Node qs)
  end.

(** * Composition (ops/composition.rs) *)

(** [compose_int] *)
Fixpoint mcompose_int (a : list mleaf) (rest step : known) (empty : bool) : option (list mleaf) :=
  match a with
  | [] => None
  | [(_, d)] => Some (if empty || negb (is rest 1) then [(rest, kmul d step)] else [])
  | (s, d) :: a =>
      if snd step && snd s && negb (Z.rem (fst step) (fst s) =? 0) && (fst s <=? fst step) then None
      else
        let magnitude := kabs step in
        let next_shape := kcdiv s magnitude in
        let next_step := kmul (kcdiv magnitude s) (ksgn step) in
        if negb (is next_shape 1) && negb (is rest 1) then
          let taken := kmin next_shape rest in
          if snd rest && snd taken && negb (Z.rem (fst rest) (fst taken) =? 0) then None
          else do r <- mcompose_int a (kdiv rest taken) next_step false; Some ((taken, kmul d step) :: r)
        else mcompose_int a rest next_step empty
  end.

(** [compose_leaf] *)
Definition mcompose_leaf (a : list mleaf) (p : mleaf) : option mlayout :=
  if is (snd p) 0 then Some (Leaf p)
  else do l <- mcompose_int a (fst p) (snd p) true; Some (flat_tree l).

(** [compose_modes] *)
Fixpoint mcompose_modes (a : list mleaf) (b : mlayout) : option mlayout :=
  match b with
  | Leaf p => mcompose_leaf a p
  | Node ms => do ms <- traverse (mcompose_modes a) ms; Some (Node ms)
  end.

(** [compose] *)
Definition mcompose (a b : mlayout) : option mlayout := mcompose_modes (mcoalesced true (leaves a)) b.

(** * Tiles (tile.rs) *)

Inductive mtile : Type :=
| MLayout (l : mlayout)
| MInt (n : known)
| MUnderscore
| MModes (ts : list mtile).

Fixpoint mtile_of_shape (s : tree known) : mtile :=
  match s with
  | Leaf n => MInt n
  | Node ms => MModes (map mtile_of_shape ms)
  end.

(** [compose_tile] if [drops], where modes that the tile does not reach are dropped; else [by_mode]. *)
Section ByTile.
  Context (drops : bool) (integer : known -> option mlayout) (f : mlayout -> mlayout -> option mlayout).
  Fixpoint by_tile (a : mlayout) (t : mtile) : option mlayout :=
    match t with
    | MLayout b => f a b
    | MInt n => do b <- integer n; f a b
    | MUnderscore => Some a
    | MModes ts =>
        do ms <-
          (fix go (ms : list mlayout) (ts : list mtile) {struct ts} : option (list mlayout) :=
             match ms, ts with
             | ms, [] => Some (if drops then [] else ms)
             | m :: ms, t :: ts => do c <- by_tile m t; do r <- go ms ts; Some (c :: r)
             | [], _ :: _ => None
             end) (modes a) ts;
        Some (Node ms)
    end.
End ByTile.

(** [composition] *)
Definition mcomposition : mlayout -> mtile -> option mlayout :=
  by_tile true (fun n => do l <- mfrom_flat [(n, fixed 1)]; Some (flat_tree l)) mcompose.

(** [make_layout] of one integer *)
Definition mline (n : known) : option mlayout := do l <- make_layout [n]; Some (flat_tree l).

(** * Complement (ops/complement.rs) *)

Definition mby_stride (p q : mleaf) : bool := fst (snd p) <=? fst (snd q).

(** The loop of [gaps_and_rest] *)
Fixpoint mgaps (l : list mleaf) (covered : known) : option (list mleaf * known) :=
  match l with
  | [] => Some ([], covered)
  | (s, d) :: r =>
      let free := kdiv d covered in
      do _ <- guard (negb (is free 0));
      do (gs, covered') <- mgaps r (kmul d s);
      Some ((free, covered) :: gs, covered')
  end.

(** [gaps_and_rest]: of several modes, strides must be static. *)
Definition mgaps_and_rest (l : list mleaf) (cotarget : tree known) : option (list mleaf) :=
  if (length l =? 1)%nat && forallb (fun p => is (snd p) 0) l then make_layout (coalesce_shape [] (leaves cotarget))
  else
    do _ <- guard ((length l <=? 1)%nat || forallb (fun p => snd (snd p)) l);
    do (gs, covered) <- mgaps (sort mby_stride l) (fixed 1);
    do rest <- mceil_div cotarget covered;
    mfrom_flat (gs ++ mcompact_from (coalesce_shape [] (leaves rest)) covered).

(** [complement] *)
Definition mcomplement (l : mlayout) (cotarget : tree known) : option mlayout :=
  do r <- mgaps_and_rest (mfiltered (leaves l)) cotarget; Some (flat_tree (mcoalesced false r)).

(** [complement_in_cosize] *)
Definition mcomplement_in_cosize (l : mlayout) : option mlayout :=
  let f := mfiltered (leaves l) in
  do r <- mgaps_and_rest f (Leaf (mcosize (of_leaves f))); Some (flat_tree (mcoalesced false r)).

(** * Divide and product (ops/divide.rs, ops/product.rs) *)

(** [divide] *)
Definition mdivide (a tiler : mlayout) : option mlayout :=
  do rest <- mcomplement tiler (tmap fst (flat_tree (mcoalesced false (leaves a))));
  mcompose a (Node [tiler; rest]).

(** [logical_divide] *)
Definition mlogical_divide : mlayout -> mtile -> option mlayout := by_tile false mline mdivide.

(** [product_of] *)
Definition mproduct_of (block tiler : mlayout) : option mlayout :=
  do places <- mcomplement block (Leaf (kmul (msize block) (mcosize tiler)));
  do repeated <- mcompose places tiler;
  Some (Node [block; repeated]).

(** [logical_product] *)
Definition mlogical_product : mlayout -> mtile -> option mlayout := by_tile false mline mproduct_of.

(** * Inverses (ops/inverse.rs) *)

Definition mmode := (known * known * known)%type.

(** The loop of [coalesced_modes] *)
Fixpoint mpositions (l : list mleaf) (position : known) : list mmode :=
  match l with
  | [] => []
  | (s, d) :: r => (s, d, position) :: mpositions r (kmul position s)
  end.

Definition mcoalesced_modes (l : mlayout) : list mmode := mpositions (mcoalesced false (leaves l)) (fixed 1).

Definition has_static_stride (m : mmode) : bool := snd (snd (fst m)).

(** [sort_by_stride]: the same exchanges as without dynamic leaves, of numbered modes. *)
Definition msort_by_stride (l : list mmode) : list mmode :=
  let numbered := combine (seq 0 (length l)) l in
  let sorted := sort_by_stride (map (fun im : nat * mmode => (Z.of_nat (fst im), fst (snd (fst (snd im))), 0)) numbered) in
  flat_map (fun m : mode => match nth_error l (Z.to_nat (fst (fst m))) with Some m => [m] | None => [] end) sorted.

(** The loop of [right_inverse_of] *)
Fixpoint mright_chain (l : list mmode) (next : known) : list mleaf :=
  match l with
  | [] => []
  | (s, d, p) :: r => if equal d next then (s, p) :: mright_chain r (kmul s d) else mright_chain r next
  end.

(** [right_inverse] *)
Definition mright_inverse (l : mlayout) : option mlayout :=
  do r <- mfrom_flat ((fixed 1, fixed 0)
                        :: mright_chain (msort_by_stride (filter has_static_stride (mcoalesced_modes l))) (fixed 1));
  Some (flat_tree (mcoalesced false r)).

(** The loop of [left_inverse_of] *)
Fixpoint mleft_gaps (l : list mmode) (covered : known) : option (list known) :=
  match l with
  | [] => Some []
  | (s, d, p) :: r =>
      if is d 0 then mleft_gaps r covered
      else
        do _ <- guard (negb (fst covered =? 0) && (Z.rem (fst d) (fst covered) =? 0));
        let gap := kdiv d covered in
        do gs <- mleft_gaps r (kmul covered gap);
        Some (gap :: gs)
  end.

(** [left_inverse]: strides must be static. *)
Definition mleft_inverse (l : mlayout) : option mlayout :=
  do _ <- guard (forallb has_static_stride (mcoalesced_modes l));
  let ms := msort_by_stride (mcoalesced_modes l) in
  do gs <- mleft_gaps ms (fixed 1);
  let extents := gs ++ match rev ms with [] => [] | m :: _ => [fst (fst m)] end in
  let strides := map snd (filter (fun m : mmode => negb (is (snd (fst m)) 0)) ms) in
  do r <- mfrom_flat (combine extents (fixed 0 :: strides));
  Some (flat_tree (mcoalesced false r)).
