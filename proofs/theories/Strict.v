(** The checks of the strict policy (crates/cute-algebra/src/domain), for static leaves. [true]
    means that the check accepts. *)
From Cute Require Export Algebra.

(** [MAX_TRIED] *)
Definition max_tried : Z := 2 ^ 16.

(** 0, .., n - 1 *)
Definition zseq (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)).

(** * Carries (domain/carry.rs) *)

(** [by_basis]: the modes that move. *)
Definition terms (b : layout) : list leaf := filter (fun p => negb (snd p =? 0)) (leaves b).

(** [check_reach] *)
Definition check_reach (a b : layout) : bool :=
  let ts := terms b in
  match ts with
  | [] => true
  | _ =>
      negb (existsb (fun p => (snd p <? 0) && (1 <? fst p)) ts)
      && (fold_right (fun p sum => (if 0 <? snd p then (fst p - 1) * snd p else 0) + sum) 0 ts <? size a)
  end.

(** [Verdict]; for static operands, sums that carry and a mode that carries are both refused. *)
Inductive verdict := Exact | Refused | Open.

(** The digits of one term in [digits]: how far it reaches in each mode, or why it has none.
    [walked] has (extent, whether the stride is 0). *)
Fixpoint term_digits (walked : list (Z * bool)) (rest step : Z) : list Z * bool * verdict :=
  match walked with
  | [] => ([], false, Exact)
  | (radix, is_zero) :: walked =>
      if rest <=? 1 then (map (fun _ => 0) ((radix, is_zero) :: walked), false, Exact)
      else if Z.rem step radix =? 0 then
        let '(ds, open, v) := term_digits walked rest (Z.quot step radix) in (0 :: ds, open, v)
      else if radix <? step then ([], false, Refused)
      else
        let taken := Z.min ((radix - 1) / step + 1) rest in
        if negb (Z.rem rest taken =? 0) then ([], false, Refused)
        else
          let rest := Z.quot rest taken in
          let last := (taken - 1) * step in
          let drift := taken * step - radix in
          if (1 <? rest) && negb (drift =? 0) then
            if negb is_zero then ([], false, Refused)
            else
              let last := (rest - 1) * drift + last in
              if last <? radix then
                let '(ds, _, v) := term_digits walked rest 1 in (last :: ds, true, v)
              else ([], false, Open)
          else
            let '(ds, open, v) := term_digits walked rest 1 in (last :: ds, open, v)
  end.

Definition add_digits (x y : list Z) : list Z := map (fun p => fst p + snd p) (combine x y).

(** The loop over terms in [digits]. *)
Fixpoint all_digits (walked : list (Z * bool)) (ts : list leaf) : list Z * bool * verdict :=
  match ts with
  | [] => (map (fun _ => 0) walked, false, Exact)
  | (extent, stride) :: ts =>
      match term_digits walked extent stride with
      | (ds, open, Exact) =>
          let '(sums, open', v) := all_digits walked ts in (add_digits ds sums, open || open', v)
      | (_, _, v) => ([], false, v)
      end
  end.

(** The last loop of [digits]: whether a sum carries. *)
Fixpoint carries (sums : list Z) (walked : list (Z * bool)) (carry : Z) : bool :=
  match sums, walked with
  | sum :: sums, (radix, _) :: walked =>
      let carry := Z.quot (sum + carry) radix in (0 <? carry) || carries sums walked carry
  | _, _ => false
  end.

(** [digits] *)
Definition digits (modes : list (Z * bool)) (ts : list leaf) : verdict :=
  match modes with
  | [] => Exact
  | _ =>
      let walked := removelast modes in
      match all_digits walked ts with
      | (sums, open, Exact) => if carries sums walked 0 then (if open then Open else Refused) else Exact
      | (_, _, v) => v
      end
  end.

(** [witness], where it decides: the composition agrees with a(b(i)) everywhere. *)
Definition agrees (a b : layout) : bool :=
  match compose a b with
  | None => false
  | Some c => (size b <=? max_tried) && forallb (fun i => eval c i =? eval a (eval b i)) (zseq (size b))
  end.

(** [check_carries] *)
Definition check_carries (a b : layout) : bool :=
  match terms b with
  | [] => true
  | ts =>
      match digits (map (fun p => (fst p, snd p =? 0)) (leaves (coalesce_extended a))) ts with
      | Exact => true
      | Refused => false
      | Open => agrees a b
      end
  end.

(** [check] *)
Definition check (a b : layout) : bool := check_reach a b && check_carries a b.

(** * Composition (domain/mod.rs) *)

(** [by_mode] of the checks: modes and tiles pairwise. *)
Section ByMode.
  Context (f : layout -> tile -> bool).
  Fixpoint all_modes (ms : list layout) (ts : list tile) : bool :=
    match ms, ts with
    | m :: ms, t :: ts => f m t && all_modes ms ts
    | _, _ => true
    end.
End ByMode.

(** [compose_tile] *)
Fixpoint strict_compose (a : layout) (t : tile) : bool :=
  match t with
  | TLayout b => check a b
  | TUnderscore => true
  | TInt n => match identity n with Some b => check a b | None => false end
  | TModes ts =>
      (fix go (ms : list layout) (ts : list tile) {struct ts} : bool :=
         match ms, ts with
         | m :: ms, t :: ts => strict_compose m t && go ms ts
         | _, _ => true
         end) (modes a) ts
  end.

(** [Domain::composition], and the operation. *)
Definition composition (a : layout) (t : tile) : option layout :=
  do _ <- guard (strict_compose a t); compose_tile a t.

(** * Complement (domain/mod.rs) *)

Definition by_stride_and_extent (p q : leaf) : bool :=
  (snd p <? snd q) || ((snd p =? snd q) && (fst p <=? fst q)).

(** The loop of [filled] (domain/image.rs) *)
Fixpoint filled_chain (l : list leaf) (n : Z) : Z :=
  match l with
  | [] => n
  | (s, d) :: r => if d =? n then filled_chain r (n * s) else n
  end.

(** [filled] *)
Definition filled (l : list leaf) : Z :=
  filled_chain (sort by_stride_and_extent (filter (fun p => 1 <? fst p) l)) 1.

(** [Domain::complement], and the operation. The size of a tuple is not checked. *)
Definition strict_complement (l : layout) (cotarget : tree Z) : option layout :=
  do c <- complement l cotarget;
  do _ <- guard (match cotarget with
                 | Leaf needed => needed <=? filled (filtered (leaves l) ++ leaves c)
                 | Node _ => true
                 end);
  Some c.

(** [Domain::complement_in_cosize], and the operation. *)
Definition strict_complement_in_cosize (l : layout) : option layout :=
  let f := filtered (leaves l) in
  do c <- complement_in_cosize l;
  do _ <- guard (reach f + 1 <=? filled (f ++ leaves c));
  Some c.

(** * Divide (domain/mod.rs) *)

(** [divide_tile], for one layout *)
Definition strict_divide_by (a tiler : layout) : bool :=
  match rest_of a tiler with
  | None => false
  | Some rest =>
      let both := Node [tiler; rest] in
      (size both =? size a)
      && negb (existsb (fun p => (snd p =? 0) && (1 <? fst p)) (leaves both))
      && check a both
      && match compose a both with Some d => size d =? size a | None => false end
  end.

(** [divide_tile] *)
Fixpoint strict_divide (a : layout) (t : tile) : bool :=
  match t with
  | TLayout b => strict_divide_by a b
  | TInt n => match make_layout_int n with Some b => strict_divide_by a b | None => false end
  | TUnderscore => true
  | TModes ts =>
      (fix go (ms : list layout) (ts : list tile) {struct ts} : bool :=
         match ms, ts with
         | m :: ms, t :: ts => strict_divide m t && go ms ts
         | _, _ => true
         end) (modes a) ts
  end.

(** [Domain::divide], and [logical_divide]. *)
Definition logical_divide (a : layout) (t : tile) : option layout :=
  do _ <- guard (strict_divide a t); divide_tile a t.

(** * Injective (domain/image.rs) *)

(** The values of a flat layout, first mode fastest. *)
Fixpoint values (l : list leaf) : list Z :=
  match l with
  | [] => [0]
  | (s, d) :: r => flat_map (fun v => map (fun c => c * d + v) (zseq s)) (values r)
  end.

Fixpoint nodupb (l : list Z) : bool :=
  match l with
  | [] => true
  | x :: r => negb (existsb (Z.eqb x) r) && nodupb r
  end.

Fixpoint steps_over (l : list leaf) (reached : Z) : bool :=
  match l with
  | [] => true
  | (s, d) :: r => (reached <? d) && steps_over r (d * (s - 1) + reached)
  end.

(** [injective] *)
Definition injective (l : list leaf) : option bool :=
  let ms := filter (fun p => 1 <? fst p) l in
  if existsb (fun p => snd p =? 0) ms then Some false
  else
    let sorted := sort by_stride_and_extent (map (fun p => (fst p, Z.abs (snd p))) ms) in
    if steps_over sorted 0 then Some true
    else if total l <=? max_tried then Some (nodupb (values l))
    else None.

(** * Product (domain/product.rs) *)

(** [product_of] *)
Definition strict_product_of (block tiler : layout) : bool :=
  match product_of block tiler with
  | Some (Node [_; repeated]) =>
      match complement block (Leaf (size block * cosize tiler)) with
      | None => false
      | Some places =>
          if check places tiler then true
          else
            match injective (leaves tiler), injective (filtered (leaves block) ++ leaves repeated) with
            | Some true, Some true => true
            | _, _ => false
            end
      end
  | _ => false
  end.

(** [product_tile] *)
Fixpoint strict_product (a : layout) (t : tile) : bool :=
  match t with
  | TLayout b => strict_product_of a b
  | TInt n => match make_layout_int n with Some b => strict_product_of a b | None => false end
  | TUnderscore => true
  | TModes ts =>
      (fix go (ms : list layout) (ts : list tile) {struct ts} : bool :=
         match ms, ts with
         | m :: ms, t :: ts => strict_product m t && go ms ts
         | _, _ => true
         end) (modes a) ts
  end.

(** [Domain::product], and [logical_product]. *)
Definition logical_product (a : layout) (t : tile) : option layout :=
  do _ <- guard (strict_product a t); product_tile a t.

(** * Inverses (domain/inverse.rs) *)

(** [is_identity] *)
Definition is_identity (inverse l : layout) : bool :=
  match compose inverse l with
  | None => false
  | Some c =>
      (size l <=? 1)
      || match coalesce c with Leaf (n, d) => (n =? size l) && (d =? 1) | Node _ => false end
  end.

(** [Domain::left_inverse], and the operation. *)
Definition strict_left_inverse (l : layout) : option layout :=
  do inverse <- left_inverse l;
  let c := coalesce l in
  do _ <- guard (check inverse c && is_identity inverse c);
  Some inverse.

(** * Coordinates (domain/coordinate.rs) *)

(** [in_range] *)
Fixpoint in_range (c : tree (option Z)) (shape : tree Z) : bool :=
  match c with
  | Leaf None => true
  | Leaf (Some i) => (0 <=? i) && (i <? product shape)
  | Node cs =>
      (fix go (cs : list (tree (option Z))) (ms : list (tree Z)) {struct cs} : bool :=
         match cs, ms with
         | c :: cs, m :: ms => in_range c m && go cs ms
         | _, _ => true
         end) cs (modes shape)
  end.

(** [Domain::coordinate], and [crd2idx] or [layout_eval]. *)
Definition strict_eval (c : tree (option Z)) (l : layout) : option Z :=
  do _ <- guard (in_range c (tmap fst l)); eval_at c l.

Definition strict_index_in (c : tree (option Z)) (shape : tree Z) : option Z :=
  do _ <- guard (in_range c shape); index_in c shape.

Definition strict_idx2crd (i shape : tree Z) : option (tree Z) :=
  do _ <- guard (in_range (tmap Some i) shape); coord_in i shape.
