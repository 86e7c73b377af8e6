// Package core tests what every device does, whatever extensions it has.
//
//	describe.go   it says what it is
//	catalog.go    every algorithm against its oracle, on random graphs and those of awkward shape
//	operators.go  every operator of the expressions by itself
//	programs.go   random programs against the interpreter
//	monotone.go   and those whose messages may come in any order
//	bits.go       the same bits twice
//	again.go      several sessions on one arena, one after the other
package core
