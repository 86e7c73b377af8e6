// Package refusals tests what a device must refuse or survive.
//
//	budget.go    less memory than a run takes
//	invalid.go   commands that contradict the contract
//	damage.go    chunks that are none, or not those of the run
//	cancel.go    a context that ends
//	sessions.go  several sessions at once, and one that is never used
package refusals
