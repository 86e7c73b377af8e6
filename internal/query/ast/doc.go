// Package ast is the syntax tree of an openCypher statement, as it was written: names are not
// resolved, types not checked. Expressions and clauses say where in the text they begin.
//
//	text ─parse─▶ Statement ─check─▶ Statement, known to make sense ─plan─▶ operators
package ast
