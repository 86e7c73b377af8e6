// Package algorithms says what is computed, and nothing of where. An algorithm is a
// definition that devices implement, a plain oracle that says what the right answer
// is, and a verifier that judges an answer by its properties.
//
//	name ──Lookup──▶ Algorithm ──Bind(params)──▶ Args ──Program──▶ Program ──Check──▶ any device
//	                     │                         │
//	                     └──────Oracle, Verify─────┘◀── Graph, small and in memory
//
// This package is the language of definitions. What is defined in it stands in packages below, one a family, and one
// file an algorithm; package catalog joins them:
//
//	           algorithms (this package)
//	                     ▲
//	internal/param · argument · answer · neighborhood …
//	                     ▲
//	centrality  community  components  embedding  paths  similarity  structure
//	                     ▲
//	                  catalog
//
// operators.go lists what expressions may do; run.go is the interpreter that every device is compared with.
//
// # Vertex programs
//
// A Program has state columns, one value a vertex. Before the first iteration each
// column is its Init. One iteration then is, with the state as it was before it:
//
//  1. Every Aggregate is summed over all vertices.
//  2. Every active vertex u sends along its edges (Program.Edges): for each edge u→v,
//     Process(src=u, edge, dst=v) is combined into acc[v], which starts as the
//     identity of Reduce. An inactive vertex never sends, and its Process is not
//     evaluated: unreached + 1 would wrap around.
//  3. Apply is evaluated for every vertex, whether or not it received a message; all
//     columns change together. A first column without Apply becomes
//     Reduce(self, acc); any other column without Apply stays.
//
// Which vertices are active: all of them when Activity is Always; else, in the first
// iteration, those whose initial first column is not the identity of Reduce, and later
// those whose first column the last iteration changed. A Float has changed when its
// bits have (so a NaN that stays settles); no valid input gives NaN.
//
// The run ends after Bound iterations; or before, unless Exactly is set, when no vertex
// is active, or when Norm is given and the change is at most Tolerance. The change is
// over the first column, as a number; values that are equal differ by 0, infinities too.
// A run that ends at its bound without having converged is an error when Diverged is set,
// and so is one that has converged only because its values have overflowed (Divergence).
//
// Edges of an undirected graph lead both ways: each end has the other in its list, a
// loop stands once in its vertex's list, and out_degree = in_degree = the length of the
// list. BothSides of an undirected graph is that list once; of a directed graph it is
// the out-list and the in-list. Parallel edges are edges: each sends.
//
// # Expressions
//
// Expressions are CEL, restricted to the closed list Operators: numbers, bool, ?: and a
// few functions. CEL's strings, lists, maps, macros, unsigned integers, regular
// expressions and times are refused by Check. int and double do not mix.
//
// Int arithmetic wraps around; x/0 and x%0 are 0; the smallest int divided by -1 is
// itself. Division by zero of doubles is IEEE 754's. min and max of doubles are those of
// Go: NaN if either is. int(x) of a double cuts towards zero, holds at the ends of int64,
// and is 0 for NaN. single(x) is the nearest number of single precision, ties to even, or
// an infinity beyond them: a Process that is single(…) tells a device that it may move
// messages in half the bytes. No operator fails, so both sides of ?:, && and || may be evaluated.
//
// # What a device meets in a checked expression
//
// Expr.Checked is a google.api.expr.v1alpha1.CheckedExpr of four kinds of node:
//
//   - const_expr: a double, an int64 or a bool;
//   - ident_expr (qualified names are one node after checking): reference_map[node].name
//     is the variable, spelled "src.dist", "edge.weight", "dst.id", "self.rank",
//     "agg.dangling", "acc", "n", "id", "out_degree", "in_degree", or a property by its bare name. Where
//     reference_map[node].value is set, the node is that constant: the program's
//     Constants, inf and unreached arrive so;
//   - call_expr without target: reference_map[node].overload_id has exactly one entry,
//     the Overload of an entry of Operators, which fixes the types of all arguments;
//   - nothing else.
//
// type_map has the type of every node: double, int64 or bool. VertexID is an int64 there.
//
// Init sees id, out_degree, in_degree, n, and the properties. Process sees src.*, dst.*, edge.*. Apply sees
// acc, self.*, agg.*, n. Aggregates see self.*, n. All see the constants.
package algorithms
