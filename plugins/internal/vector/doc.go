// Package vector runs checked CEL expressions a column at a time.
//
//	checked AST ──Compile──▶ Program ──NewMachine──▶ Machine ──Eval(n)──▶ Column
//	              fold, share   DAG of operators       registers of Width values
//
// Every operator is one loop over at most Width values, so what an expression costs
// is a few nanoseconds a value, whatever its shape; nothing is interpreted per vertex
// or per edge. (Boncz, Zukowski, Nes: MonetDB/X100, CIDR 2005, is the model.)
//
// Both branches of ?: and both sides of && and || are evaluated: no operator traps. So
// int arithmetic wraps, and algorithms says what x / 0 and int(double) give.
//
// compile.go turns syntax into the DAG; operators.go lists what can be computed;
// loops.go holds the loops; machine.go allots registers and runs.
package vector
