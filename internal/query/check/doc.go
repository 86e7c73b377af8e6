// Package check finds what is wrong with a statement before it runs: names that are not known,
// types that cannot fit, aggregates where there are none, clauses in an order that has no
// meaning. Faults are named as openCypher's TCK names them ("raised at compile time").
//
//	ast ─check(catalog)─▶ the same ast, known to make sense, or the first *fault.Error
//
// What a value may be is known roughly (type.go): a fault is reported only where no value that
// is possible would do. All else is for the run to find.
package check
