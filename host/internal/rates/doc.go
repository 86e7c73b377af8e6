// Package rates remembers what runs have taken on each device of this machine, and foretells by that what others will
// take.
//
//	run ──Sample──▶ Book ──fit──▶ core.Rates ──Work──▶ seconds, bytes
//	                 │
//	               FILE       beside the installed plugins, JSON
//
// There is no constant of a machine in it: of a device, or a kind of program, that has never run nothing is known, and
// the asker has to measure first (package choose). What is foretold goes by all samples of the kind, those of
// about the same size above all: locally weighted regression (Cleveland, JASA 1979), with costs that cannot be
// negative.
package rates
