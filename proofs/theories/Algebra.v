(** The operations of crates/cute-algebra/src, for static leaves and strides without a basis. Each
    definition follows the function that its comment names. Numbers are unbounded: where Rust
    reports an overflow, these definitions have a result. *)
From Cute Require Export Tree.

(** * Layouts (layout.rs) *)

(** A layout is one tree of pairs (extent, stride), since its two trees are congruent. *)
Notation leaf := (Z * Z)%type.
Definition layout := tree leaf.

Definition positive (l : list leaf) : bool := forallb (fun p => 1 <=? fst p) l.

(** [Layout::new]: the trees must be congruent, and extents positive. *)
Definition make (shape stride : tree Z) : option layout :=
  do l <- tzip shape stride;
  do _ <- guard (positive (leaves l));
  Some l.

(** [Layout::from_flat] *)
Definition from_flat (l : list leaf) : option layout :=
  do _ <- guard (positive l);
  Some (flat_tree l).

(** [Layout::unit] *)
Definition unit_layout : layout := Leaf (1, 0).

(** [make_layout] of one integer: an extent of 1 has stride 0. *)
Definition make_layout_int (n : Z) : option layout := from_flat [(n, if n =? 1 then 0 else 1)].

(** [Layout::identity] *)
Definition identity (n : Z) : option layout := from_flat [(n, 1)].

(** * Sizes (ops/size.rs) *)

Definition prod (l : list Z) : Z := fold_right Z.mul 1 l.

(** [product] *)
Definition product (t : tree Z) : Z := prod (leaves t).

(** The product of the extents of leaves. *)
Definition total (l : list leaf) : Z := prod (map fst l).

(** [size] *)
Definition size (l : layout) : Z := total (leaves l).

(** [coshape_of] for strides without a basis: 1 + sum((s - 1) * |d|). *)
Definition reach (l : list leaf) : Z := fold_right (fun p sum => (fst p - 1) * Z.abs (snd p) + sum) 0 l.

(** [cosize] *)
Definition cosize (l : layout) : Z := reach (leaves l) + 1.

(** [Int::ceil_div] (int.rs) *)
Definition cdiv (a b : Z) : Z :=
  if b =? 1 then a
  else if (0 <? a) && (0 <? b) then (a - 1) / b + 1
  else Z.quot (a + b - 1) b.

(** [ceil_div] by an integer, which is divided through the modes in order. *)
Fixpoint ceil_div (a : tree Z) (b : Z) : option (tree Z) :=
  match a with
  | Leaf x => do _ <- guard (1 <=? b); Some (Leaf (cdiv x b))
  | Node ms =>
      do qs <-
        (fix go (ms : list (tree Z)) (b : Z) : option (list (tree Z)) :=
           match ms with
           | [] => Some []
           | m :: r => do q <- ceil_div m b; do qs <- go r (cdiv b (product m)); Some (q :: qs)
           end) ms b;
      Some (Node qs)
  end.

(** * Coordinates (ops/coords.rs) *)

(** [eval_index]: an integer is split colexicographically, and the last mode takes the remainder.
    Rust stops where nothing is left, since all further terms are 0. *)
Fixpoint eval (l : layout) (i : Z) : Z :=
  match l with
  | Leaf (_, d) => i * d
  | Node ms =>
      (fix go (ms : list layout) (rest : Z) : Z :=
         match ms with
         | [] => 0
         | [m] => eval m rest
         | m :: r => eval m (Z.rem rest (size m)) + go r (Z.quot rest (size m))
         end) ms i
  end.

(** [eval]: the value at a coordinate, which is a tree of integers and `_` ([None]). *)
Fixpoint eval_at (c : tree (option Z)) (l : layout) : option Z :=
  match c with
  | Leaf None => Some 0
  | Leaf (Some i) => Some (eval l i)
  | Node cs =>
      match l with
      | Leaf _ => None
      | Node ms =>
          (fix go (cs : list (tree (option Z))) (ms : list layout) {struct cs} : option Z :=
             match cs, ms with
             | [], [] => Some 0
             | c :: cs, m :: ms => do v <- eval_at c m; do sum <- go cs ms; Some (v + sum)
             | _, _ => None
             end) cs ms
      end
  end.

(** [coord_in] for an integer: [idx2crd]. *)
Fixpoint idx2crd (i : Z) (shape : tree Z) : tree Z :=
  match shape with
  | Leaf _ => Leaf i
  | Node ms =>
      Node
        ((fix go (ms : list (tree Z)) (rest : Z) : list (tree Z) :=
            match ms with
            | [] => []
            | [m] => [idx2crd rest m]
            | m :: r => idx2crd (Z.rem rest (product m)) m :: go r (Z.quot rest (product m))
            end) ms i)
  end.

(** [coord_in] for a tuple of indices, which is converted mode by mode. *)
Fixpoint coord_in (index shape : tree Z) : option (tree Z) :=
  match index with
  | Leaf i => Some (idx2crd i shape)
  | Node is =>
      match shape with
      | Leaf _ => None
      | Node ms =>
          do cs <-
            (fix go (is ms : list (tree Z)) {struct is} : option (list (tree Z)) :=
               match is, ms with
               | [], [] => Some []
               | i :: is, m :: ms => do c <- coord_in i m; do r <- go is ms; Some (c :: r)
               | _, _ => None
               end) is ms;
          Some (Node cs)
      end
  end.

(** [collect_digits]: the leaves of a coordinate, each with the size of the part that it indexes. *)
Fixpoint collect_digits (c : tree (option Z)) (shape : tree Z) : option (list (Z * Z)) :=
  match c with
  | Leaf i => Some [(match i with Some i => i | None => 0 end, product shape)]
  | Node cs =>
      match shape with
      | Leaf _ => None
      | Node ms =>
          (fix go (cs : list (tree (option Z))) (ms : list (tree Z)) {struct cs} : option (list (Z * Z)) :=
             match cs, ms with
             | [], [] => Some []
             | c :: cs, m :: ms => do d <- collect_digits c m; do r <- go cs ms; Some (d ++ r)
             | _, _ => None
             end) cs ms
      end
  end.

(** c_0 + s_0 * (c_1 + s_1 * ...) *)
Fixpoint horner (l : list (Z * Z)) : Z :=
  match l with
  | [] => 0
  | [(c, _)] => c
  | (c, s) :: r => c + s * horner r
  end.

(** [index_in]: [crd2idx_in_shape]. *)
Definition index_in (c : tree (option Z)) (shape : tree Z) : option Z :=
  match c with
  | Leaf i => Some (match i with Some i => i | None => 0 end)
  | Node _ => do l <- collect_digits c shape; Some (horner l)
  end.

(** * Coalesce and filter (ops/coalesce.rs) *)

(** One step of [coalesce_flat]: [back] is the result so far, front first. *)
Definition push (p : leaf) (back : list leaf) : list leaf :=
  if fst p =? 1 then back
  else
    match back with
    | [(s, d)] =>
        if s =? 1 then [p]
        else if fst p * snd p =? d then [(fst p * s, snd p)]
        else p :: back
    | (s, d) :: r => if fst p * snd p =? d then (fst p * s, snd p) :: r else p :: back
    | [] => [p]
    end.

Fixpoint merged (extended : bool) (l : list leaf) : list leaf :=
  match l with
  | [] => []
  | [(s, d)] => [(if extended && (s =? 1) then 2 else s, d)]
  | p :: r => push p (merged extended r)
  end.

Definition ones (l : list leaf) : bool := forallb (fun p => fst p =? 1) l.

(** The leaves of the result of [coalesce_flat]. *)
Definition coalesced (extended : bool) (l : list leaf) : list leaf :=
  let r := merged extended l in if ones r then [(1, 0)] else r.

(** [coalesce] *)
Definition coalesce (l : layout) : layout := flat_tree (coalesced false (leaves l)).

(** [coalesce_extended] where the codomain is the integers. *)
Definition coalesce_extended (l : layout) : layout := flat_tree (coalesced true (leaves l)).

(** [at_terminals] *)
Fixpoint at_terminals {A : Type} (f : layout -> layout) (profile : tree A) (l : layout) : option layout :=
  match profile with
  | Leaf _ => Some (f l)
  | Node ps =>
      do ms <-
        (fix go (ps : list (tree A)) (ms : list layout) {struct ps} : option (list layout) :=
           match ps, ms with
           | [], _ => Some ms
           | p :: ps, m :: ms => do m <- at_terminals f p m; do r <- go ps ms; Some (m :: r)
           | _ :: _, [] => None
           end) ps (modes l);
      Some (Node ms)
  end.

(** [filter_zeros] *)
Definition filter_zeros (l : list leaf) : list leaf :=
  map (fun p => (if snd p =? 0 then 1 else fst p, snd p)) l.

(** The leaves of [filter]. *)
Definition filtered (l : list leaf) : list leaf := coalesced false (filter_zeros l).

Definition filter_layout (l : layout) : layout := flat_tree (filtered (leaves l)).

(** * Composition (ops/composition.rs) *)

(** [compose_int]: [a] is the coalesced left operand, [rest] and [step] are what is left of
    `extent:stride`. *)
Fixpoint compose_int (a : list leaf) (rest step : Z) (empty : bool) : option (list leaf) :=
  match a with
  | [] => None
  | [(_, d)] => Some (if empty || negb (rest =? 1) then [(rest, d * step)] else [])
  | (s, d) :: a =>
      if negb (Z.rem step s =? 0) && (s <=? step) then None
      else
        let magnitude := Z.abs step in
        let next_shape := cdiv s magnitude in
        let next_step := cdiv magnitude s * Z.sgn step in
        if negb (next_shape =? 1) && negb (rest =? 1) then
          let taken := Z.min next_shape rest in
          if negb (Z.rem rest taken =? 0) then None
          else do r <- compose_int a (Z.quot rest taken) next_step false; Some ((taken, d * step) :: r)
        else compose_int a rest next_step empty
  end.

(** [compose_leaf] *)
Definition compose_leaf (a : list leaf) (p : leaf) : option layout :=
  if snd p =? 0 then Some (Leaf p)
  else do l <- compose_int a (fst p) (snd p) true; Some (flat_tree l).

(** [compose_modes] *)
Fixpoint compose_modes (a : list leaf) (b : layout) : option layout :=
  match b with
  | Leaf p => compose_leaf a p
  | Node ms => do ms <- traverse (compose_modes a) ms; Some (Node ms)
  end.

(** [compose] *)
Definition compose (a b : layout) : option layout := compose_modes (leaves (coalesce_extended a)) b.

(** [Tile] (tile.rs) *)
Inductive tile : Type :=
| TLayout (l : layout)
| TInt (n : Z)
| TUnderscore
| TModes (ts : list tile).

(** [Tile::from_shape] *)
Fixpoint tile_of_shape (s : tree Z) : tile :=
  match s with
  | Leaf n => TInt n
  | Node ms => TModes (map tile_of_shape ms)
  end.

(** [compose_tile]: modes that the tile does not reach are dropped. *)
Fixpoint compose_tile (a : layout) (t : tile) : option layout :=
  match t with
  | TLayout b => compose a b
  | TUnderscore => Some a
  | TInt n => do b <- identity n; compose a b
  | TModes ts =>
      do ms <-
        (fix go (ms : list layout) (ts : list tile) {struct ts} : option (list layout) :=
           match ms, ts with
           | _, [] => Some []
           | m :: ms, t :: ts => do c <- compose_tile m t; do r <- go ms ts; Some (c :: r)
           | [], _ :: _ => None
           end) (modes a) ts;
      Some (Node ms)
  end.

(** [by_mode] (ops/divide.rs): modes that the tile does not reach stay. *)
Definition by_mode (f : layout -> tile -> option layout) :=
  fix go (ms : list layout) (ts : list tile) : option (list layout) :=
    match ms, ts with
    | ms, [] => Some ms
    | m :: ms, t :: ts => do c <- f m t; do r <- go ms ts; Some (c :: r)
    | [], _ :: _ => None
    end.

(** * Complement (ops/complement.rs) *)

(** A stable sort by a key ([slice::sort_by_key]). *)
Section Sort.
  Context {A : Type} (le : A -> A -> bool).
  Fixpoint insert (x : A) (l : list A) : list A :=
    match l with
    | [] => [x]
    | y :: r => if le x y then x :: l else y :: insert x r
    end.
  Definition sort (l : list A) : list A := fold_right insert [] l.
End Sort.

Definition by_stride (p q : leaf) : bool := snd p <=? snd q.

(** The loop of [gaps_and_rest]: the gap before each stride, and how far all modes reach. *)
Fixpoint gaps (l : list leaf) (covered : Z) : option (list leaf * Z) :=
  match l with
  | [] => Some ([], covered)
  | (s, d) :: r =>
      let free := Z.quot d covered in
      do _ <- guard (negb (free =? 0));
      do (gs, covered') <- gaps r (d * s);
      Some ((free, covered) :: gs, covered')
  end.

(** [gaps_and_rest], for the leaves of a filtered layout. [coalesce_shape] multiplies all static
    leaves. *)
Definition gaps_and_rest (l : list leaf) (cotarget : tree Z) : option layout :=
  match l with
  | [(_, 0)] => make_layout_int (product cotarget)
  | _ =>
      do (gs, covered) <- gaps (sort by_stride l) 1;
      do rest <- ceil_div cotarget covered;
      let rest := product rest in
      from_flat (gs ++ [(rest, if rest =? 1 then 0 else covered)])
  end.

(** [complement_of_filtered] *)
Definition complement_of_filtered (l : list leaf) (cotarget : tree Z) : option layout :=
  do r <- gaps_and_rest l cotarget; Some (coalesce r).

(** [complement] *)
Definition complement (l : layout) (cotarget : tree Z) : option layout :=
  complement_of_filtered (filtered (leaves l)) cotarget.

(** [complement_in_cosize] *)
Definition complement_in_cosize (l : layout) : option layout :=
  let f := filtered (leaves l) in complement_of_filtered f (Leaf (reach f + 1)).

(** * Divide (ops/divide.rs) *)

(** [rest_of]: the target is the shape of the coalesced layout. *)
Definition rest_of (a tiler : layout) : option layout := complement tiler (tmap fst (coalesce a)).

(** [divide] *)
Definition divide (a tiler : layout) : option layout :=
  do rest <- rest_of a tiler; compose a (Node [tiler; rest]).

(** [divide_tile]: [logical_divide]. *)
Fixpoint divide_tile (a : layout) (t : tile) : option layout :=
  match t with
  | TLayout b => divide a b
  | TInt n => do b <- make_layout_int n; divide a b
  | TUnderscore => Some a
  | TModes ts =>
      do ms <-
        (fix go (ms : list layout) (ts : list tile) {struct ts} : option (list layout) :=
           match ms, ts with
           | ms, [] => Some ms
           | m :: ms, t :: ts => do c <- divide_tile m t; do r <- go ms ts; Some (c :: r)
           | [], _ :: _ => None
           end) (modes a) ts;
      Some (Node ms)
  end.

(** * Product (ops/product.rs) *)

(** [product_of] *)
Definition product_of (block tiler : layout) : option layout :=
  do places <- complement block (Leaf (size block * cosize tiler));
  do repeated <- compose places tiler;
  Some (Node [block; repeated]).

(** [product_tile]: [logical_product]. *)
Fixpoint product_tile (a : layout) (t : tile) : option layout :=
  match t with
  | TLayout b => product_of a b
  | TInt n => do b <- make_layout_int n; product_of a b
  | TUnderscore => Some a
  | TModes ts =>
      do ms <-
        (fix go (ms : list layout) (ts : list tile) {struct ts} : option (list layout) :=
           match ms, ts with
           | ms, [] => Some ms
           | m :: ms, t :: ts => do c <- product_tile m t; do r <- go ms ts; Some (c :: r)
           | [], _ :: _ => None
           end) (modes a) ts;
      Some (Node ms)
  end.

(** * Inverses (ops/inverse.rs) *)

(** A mode to invert: (extent, stride, position). *)
Notation mode := (Z * Z * Z)%type.
Definition mode_stride (m : mode) : Z := snd (fst m).

(** The loop of [coalesced_modes] *)
Fixpoint positions (l : list leaf) (position : Z) : list mode :=
  match l with
  | [] => []
  | (s, d) :: r => (s, d, position) :: positions r (position * s)
  end.

Definition coalesced_modes (l : layout) : list mode := positions (coalesced false (leaves l)) 1.

(** One round of [sort_by_stride]: the smallest mode, and the others after the exchanges. *)
Fixpoint exchange (x : mode) (l : list mode) : mode * list mode :=
  match l with
  | [] => (x, [])
  | y :: r =>
      if mode_stride y <? mode_stride x then let (m, r) := exchange y r in (m, x :: r)
      else let (m, r) := exchange x r in (m, y :: r)
  end.

(** [sort_by_stride]: CuTe's exchange sort. Rust takes a stable sort where the strides are sorted or
    distinct, which gives the same list. *)
Fixpoint exchange_sort (fuel : nat) (l : list mode) : list mode :=
  match fuel, l with
  | S fuel, x :: r => let (m, r) := exchange x r in m :: exchange_sort fuel r
  | _, _ => l
  end.
Definition sort_by_stride (l : list mode) : list mode := exchange_sort (length l) l.

(** The loop of [right_inverse_of] *)
Fixpoint right_chain (l : list mode) (next : Z) : list leaf :=
  match l with
  | [] => []
  | (s, d, p) :: r => if d =? next then (s, p) :: right_chain r (s * d) else right_chain r next
  end.

(** [right_inverse] *)
Definition right_inverse (l : layout) : option layout :=
  do r <- from_flat ((1, 0) :: right_chain (sort_by_stride (coalesced_modes l)) 1);
  Some (coalesce r).

(** The loop of [left_inverse_of]: the extents of the gaps. *)
Fixpoint left_gaps (l : list mode) (covered : Z) : option (list Z) :=
  match l with
  | [] => Some []
  | (s, d, p) :: r =>
      if d =? 0 then left_gaps r covered
      else
        do _ <- guard (negb (covered =? 0) && (Z.rem d covered =? 0));
        let gap := Z.quot d covered in
        do gs <- left_gaps r (covered * gap);
        Some (gap :: gs)
  end.

Definition left_strides (l : list mode) : list Z :=
  map (fun m : mode => snd m) (filter (fun m => negb (mode_stride m =? 0)) l).

(** [left_inverse] *)
Definition left_inverse (l : layout) : option layout :=
  let ms := sort_by_stride (coalesced_modes l) in
  do gs <- left_gaps ms 1;
  let extents := gs ++ match rev ms with [] => [] | m :: _ => [fst (fst m)] end in
  do r <- from_flat (combine extents (0 :: left_strides ms));
  Some (coalesce r).

(** * Swizzles (swizzle.rs) *)

Record swizzle := Swizzle { bits : Z; base : Z; shift : Z }.

(** [Swizzle::new] *)
Definition swizzle_ok (b m s : Z) : bool :=
  (0 <=? b) && (b <=? 32) && (0 <=? m) && (m <=? 32) && (Z.abs s <=? 32)
  && (b <=? Z.abs s) && (m + Z.abs s + b <=? 32).

Definition make_swizzle (b m s : Z) : option swizzle :=
  do _ <- guard (swizzle_ok b m s);
  Some (if b =? 0 then Swizzle 0 4 3 else Swizzle b m s).

(** [Swizzle::field] *)
Definition field (w : swizzle) (lowest : Z) : Z := Z.shiftl (Z.ones (bits w)) lowest.
(** [Swizzle::source_mask] *)
Definition source_mask (w : swizzle) : Z := field w (base w + Z.max (shift w) 0).
(** [Swizzle::target_mask] *)
Definition target_mask (w : swizzle) : Z := field w (base w - Z.min (shift w) 0).

(** [Swizzle::period] *)
Definition period (w : swizzle) : Z :=
  let m := Z.lor (source_mask w) (target_mask w) in if m =? 0 then 1 else 2 ^ (Z.log2 m + 1).

(** [Swizzle::apply]; [Z.shiftr] by a negative number shifts left, as [Int::shift_left] does. *)
Definition apply (w : swizzle) (x : Z) : Z :=
  if bits w =? 0 then x else Z.lxor x (Z.shiftr (Z.land x (source_mask w)) (shift w)).

(** * Images (ops/image.rs) *)

(** [Modes::of]: modes that move, by stride. *)
Definition moving (l : list leaf) : list leaf := sort by_stride (filter (fun p => negb (fst p =? 1)) l).

(** The loop of [is_compact] *)
Fixpoint chain (l : list leaf) (next : Z) : bool :=
  match l with
  | [] => true
  | (s, d) :: r => (d =? next) && chain r (s * next)
  end.

(** [is_compact] *)
Definition is_compact (l : layout) : bool :=
  let ms := moving (leaves l) in
  negb (existsb (fun p => snd p <? 0) ms) && chain ms 1.

(** The loop of [is_contiguous] *)
Fixpoint no_gap (l : list leaf) (reached : Z) : bool :=
  match l with
  | [] => true
  | (s, d) :: r => (Z.abs d <=? reached + 1) && no_gap r (reached + Z.abs d * (s - 1))
  end.

(** [is_contiguous] *)
Definition is_contiguous (l : layout) : bool :=
  no_gap
    (sort (fun p q => Z.abs (snd p) <=? Z.abs (snd q))
       (filter (fun p => negb (snd p =? 0)) (moving (leaves l)))) 0.
