// The documentation of ops, types and attributes beside their summaries and descriptions: docs/ops.md and docs/types.md are made of
// it (build/reference). tests/reference.rs parses and verifies each example, and finds the error of each rule in a file of lit/.

#ifndef CUTE_DOCUMENTED
#define CUTE_DOCUMENTED

// The words of the id, which stay when texts change: the id is `op-name.words`, or `type-name.words`. What must hold; a part of the
// error where it does not, in which `..` stands for any text; and what to do then.
class Rule<string i, string m, string e, string f> {
  string id = i;
  string must = m;
  string error = e;
  string fix = f;
}

// A part of the body of a type.
class Field<string n, string m> {
  string name = n;
  string meaning = m;
}

// An op, type or attribute that the public CuTe IR does not have.
class Own;

// A type of atoms that is read, verified and printed, but that no pass lowers yet.
class NotCompiled;

class Documented {
  code example = "";      // of an op: IR whose other values are defined elsewhere; of a type or attribute: its body
  list<Field> fields = []; // of a type: the parts of its body
  list<Rule> rules = [];
}

#endif
