(* Answers requests as `cute-calc --json` does: one object {"op","args"} per line, with a list of
   texts as arguments. The computation is extracted from theories/; this file only reads and prints.
   With --domain strict, it checks what the strict policy checks. An answer is {"result": text} or
   {"error": "refused"}. *)

open Extracted

(* The name of a field of Coq's library leaves this one for [size]. *)
let size = size0

exception Bad of string

(* --- JSON: objects with texts, integers and lists of these --- *)

type json = Text of string | List of json list | Object of (string * json) list

let parse_json s =
  let n = String.length s and i = ref 0 in
  let peek () = if !i < n then s.[!i] else raise (Bad "the end") in
  let rec blank () = if !i < n && (s.[!i] = ' ' || s.[!i] = '\t') then (incr i; blank ()) in
  let expect c = blank (); if peek () <> c then raise (Bad (Printf.sprintf "no '%c'" c)); incr i in
  let text () =
    expect '"';
    let from = !i in
    while peek () <> '"' do if peek () = '\\' then raise (Bad "an escape"); incr i done;
    incr i;
    String.sub s from (!i - 1 - from) in
  let rec items : 'a. char -> (unit -> 'a) -> 'a list = fun close item ->
    blank ();
    if peek () = close then (incr i; [])
    else
      let first = item () in
      let rec more () =
        blank ();
        match peek () with
        | ',' -> incr i; let x = item () in x :: more ()
        | c when c = close -> incr i; []
        | _ -> raise (Bad "a list")
      in
      first :: more ()
  and value () =
    blank ();
    match peek () with
    | '"' -> Text (text ())
    | '[' -> incr i; List (items ']' value)
    | '{' -> incr i; Object (items '}' (fun () -> blank (); let k = text () in expect ':'; (k, value ())))
    | _ ->
      let from = !i in
      while !i < n && (match s.[!i] with '-' | '0' .. '9' -> true | _ -> false) do incr i done;
      if !i = from then raise (Bad "a value");
      Text (String.sub s from (!i - from))
  in
  value ()

(* --- Text of layouts, coordinates and tiles --- *)

let integer text = try Big_int_Z.big_int_of_string text with _ -> raise (Bad ("integer " ^ text))

type reader = { text : string; mutable at : int }

let peek r = if r.at < String.length r.text then r.text.[r.at] else '\000'
let take r c = if peek r = c then r.at <- r.at + 1 else raise (Bad ("no " ^ String.make 1 c ^ " in " ^ r.text))

let number r =
  let from = r.at in
  if peek r = '-' then r.at <- r.at + 1;
  while peek r >= '0' && peek r <= '9' do r.at <- r.at + 1 done;
  integer (String.sub r.text from (r.at - from))

(* A number that is known at run time only is written ?4. *)
let known r =
  let is_static = peek r <> '?' in
  if not is_static then r.at <- r.at + 1;
  let n = number r in
  (n, is_static)

let rec sequence : 'a. reader -> char -> char -> (reader -> 'a) -> 'a list = fun r separator close item ->
  if peek r = close then (r.at <- r.at + 1; [])
  else
    let x = item r in
    if peek r = separator then r.at <- r.at + 1
    else if peek r <> close then raise (Bad ("after an element in " ^ r.text));
    x :: sequence r separator close item

let rec tree element r =
  if peek r = '(' then (r.at <- r.at + 1; Node (sequence r ',' ')' (tree element))) else Leaf (element r)

(* A layout that is not well formed is refused. *)
exception Refused

let some = function Some x -> x | None -> raise Refused

let layout_after shape r =
  take r ':';
  some (make shape (tree number r))

let layout r = let shape = tree number r in layout_after shape r

let coordinate = tree (fun r -> if peek r = '_' then (r.at <- r.at + 1; None) else Some (number r))

let rec tile r =
  match peek r with
  | '[' -> r.at <- r.at + 1; TModes (sequence r ';' ']' tile)
  | '_' -> r.at <- r.at + 1; TUnderscore
  | _ ->
    let shape = tree number r in
    if peek r = ':' then TLayout (layout_after shape r) else tile_of_shape shape

let mixed_after shape r =
  take r ':';
  some (mmake shape (tree known r))

let mixed r = let shape = tree known r in mixed_after shape r

let rec mixed_tile r =
  match peek r with
  | '[' -> r.at <- r.at + 1; MModes (sequence r ';' ']' mixed_tile)
  | '_' -> r.at <- r.at + 1; MUnderscore
  | _ ->
    let shape = tree known r in
    if peek r = ':' then MLayout (mixed_after shape r) else mtile_of_shape shape

let swizzle r =
  take r 'S'; take r '<';
  let b = number r in take r ',';
  let m = number r in take r ',';
  let s = number r in take r '>';
  some (make_swizzle b m s)

let whole read text =
  let compact = String.concat "" (String.split_on_char ' ' text) in
  let r = { text = compact; at = 0 } in
  let value = read r in
  if r.at <> String.length compact then raise (Bad ("more text in " ^ text));
  value

(* --- Printing --- *)

let decimal = Big_int_Z.string_of_big_int

let rec show element = function
  | Leaf a -> element a
  | Node ms -> "(" ^ String.concat "," (List.map (show element) ms) ^ ")"

let show_leaves decimal l = show (fun (s, _) -> decimal s) l ^ ":" ^ show (fun (_, d) -> decimal d) l
let show_layout = show_leaves decimal
let show_mixed = show_leaves (fun (n, is_static) -> (if is_static then "" else "?") ^ decimal n)

let quoted text = "\"" ^ text ^ "\""
let of_layout l = quoted (show_layout (some l))
let of_mixed l = quoted (show_mixed (some l))
let of_integer n = quoted (decimal n)
let of_truth b = if b then "true" else "false"

(* --- Operations --- *)

let is_layout text = String.contains text ':'

(* Operands with numbers that are known at run time only. *)
let answer_mixed op args =
  match op, args with
  | "composition", [ a; b ] -> of_mixed (mcomposition (whole mixed a) (whole mixed_tile b))
  | "complement", [ a ] -> of_mixed (mcomplement_in_cosize (whole mixed a))
  | "complement", [ a; m ] -> of_mixed (mcomplement (whole mixed a) (whole (tree known) m))
  | "logical_divide", [ a; b ] -> of_mixed (mlogical_divide (whole mixed a) (whole mixed_tile b))
  | "logical_product", [ a; b ] -> of_mixed (mlogical_product (whole mixed a) (whole mixed_tile b))
  | "right_inverse", [ l ] -> of_mixed (mright_inverse (whole mixed l))
  | "left_inverse", [ l ] -> of_mixed (mleft_inverse (whole mixed l))
  | _ -> raise (Bad ("operation " ^ op))

let answer strict op args =
  if List.exists (fun text -> String.contains text '?') args then answer_mixed op args else
  match op, args with
  | "size", [ l ] -> of_integer (size (whole layout l))
  | "cosize", [ l ] -> of_integer (cosize (whole layout l))
  | "is_compact", [ l ] -> of_truth (is_compact (whole layout l))
  | "is_contiguous", [ l ] -> of_truth (is_contiguous (whole layout l))
  | "layout_eval", [ l; c ] | "crd2idx", [ c; l ] when is_layout l ->
    let l = whole layout l and c = whole coordinate c in
    of_integer (some (if strict then strict_eval c l else eval_at c l))
  | "crd2idx", [ c; s ] ->
    let s = whole (tree number) s and c = whole coordinate c in
    of_integer (some (if strict then strict_index_in c s else index_in c s))
  | "idx2crd", [ i; s ] ->
    let s = whole (tree number) s and i = whole (tree number) i in
    quoted (show decimal (some (if strict then strict_idx2crd i s else coord_in i s)))
  | "coalesce", [ l ] -> of_layout (Some (coalesce (whole layout l)))
  | "coalesce", [ l; p ] -> of_layout (at_terminals coalesce (whole (tree number) p) (whole layout l))
  | "filter", [ l ] -> of_layout (Some (filter_layout (whole layout l)))
  | "flatten", [ l ] -> of_layout (Some (flatten (whole layout l)))
  | "group", [ l; b; e ] -> of_layout (group (int_of_string b) (int_of_string e) (whole layout l))
  | "composition", [ a; b ] ->
    let a = whole layout a and b = whole tile b in
    of_layout (if strict then composition a b else compose_tile a b)
  | "complement", [ a ] ->
    let a = whole layout a in
    of_layout (if strict then strict_complement_in_cosize a else complement_in_cosize a)
  | "complement", [ a; m ] ->
    let a = whole layout a and m = whole (tree number) m in
    of_layout (if strict then strict_complement a m else complement a m)
  | "logical_divide", [ a; b ] ->
    let a = whole layout a and b = whole tile b in
    of_layout (if strict then logical_divide a b else divide_tile a b)
  | "logical_product", [ a; b ] ->
    let a = whole layout a and b = whole tile b in
    of_layout (if strict then logical_product a b else product_tile a b)
  | "right_inverse", [ l ] -> of_layout (right_inverse (whole layout l))
  | "left_inverse", [ l ] ->
    let l = whole layout l in
    of_layout (if strict then strict_left_inverse l else left_inverse l)
  | "apply", [ s; x ] -> of_integer (apply (whole swizzle s) (whole number x))
  | _ -> raise (Bad ("operation " ^ op))

let () =
  let strict = Array.length Sys.argv > 2 && Sys.argv.(1) = "--domain" && Sys.argv.(2) = "strict" in
  try
    while true do
      let line = input_line stdin in
      let reply =
        try
          match parse_json line with
          | Object fields ->
            let op = match List.assoc_opt "op" fields with Some (Text op) -> op | _ -> raise (Bad "op") in
            let args =
              match List.assoc_opt "args" fields with
              | Some (List args) ->
                List.map (function Text t -> t | _ -> raise (Bad "an argument")) args
              | _ -> raise (Bad "args") in
            "{\"result\":" ^ answer strict op args ^ "}"
          | _ -> raise (Bad "an object")
        with
        | Refused -> "{\"error\":\"refused\"}"
        | Bad what -> "{\"error\":\"not a request: " ^ what ^ "\"}"
      in
      print_string reply; print_char (Char.chr 10)
    done
  with End_of_file -> ()
