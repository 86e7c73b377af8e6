// Package streaming brings a device a neural network piece by piece, where neither edges nor rows fit its memory.
// Package algorithms/neural/grid tells what the pieces are, and why results have the same bits.
//
//	degrees ──Layout──▶ intervals, regions in the arena
//	chunks ──Cut──▶ Cells, in a file ──────────────┐
//	features, targets, degrees ──▶ Rows, in a file ┴─Runner──▶ Rows and Cell commands ──▶ Rows ──▶ …
//
// Of each kind of region there are two, so that the host fills one while the device reads the other. The host's memory
// is bounded: rows and cells lie in files without a name, which the system keeps in memory as far as there is room.
// While edges are cut, there are up to 44 bytes of each vertex: 16 of degrees and 8 of the lengths of lists, at both
// ends; 12 of marks; 8 of where sparse rows begin. Beside them are the lists of one interval.
package streaming
