// Package query runs openCypher statements on the graphs of a store.
//
//	text ─parse─▶ syntax tree ─check─▶ ─plan─▶ operators ─execute over store.Tx─▶ Result
//
// parse knows the grammar, check the scopes and types, plan chooses the operators by what the
// store counts, execute runs them. An Engine holds what these share; a Tx is a transaction in
// which several statements run.
package query
