// Package halving has two devices compute the passes of a network: one what looks at edges, the other what goes row by
// row. Both read and write rows in one arena; what crosses to a device are commands of some bytes.
//
//	dataflow.Halves ──Runner──▶ groups: the halves of a stage, which go through an interval one after the other
//	group ──run──▶ commands, each when what it reads is there: interval k is multiplied while k+1 is gathered
//	run ──measure──▶ choice: rows of a group go to the device by which the group took less time (choice.go)
package halving
