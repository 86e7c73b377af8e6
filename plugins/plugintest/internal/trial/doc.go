// Package trial judges runs: it drives one, and compares what comes of it with what package algorithms says of it.
//
//	trial.go    one run of a program or a procedure, or of each that a device has
//	judge.go    whether it has ended as the oracle does, with a result that the algorithm verifies
//	compare.go  how near values must be; rows.go: of tables, whose rows may come in any order
//	listed.go   which algorithms a device has; what it does not list it refuses
//	sample.go   a program for what is proven of any
package trial
