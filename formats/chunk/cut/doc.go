// Package cut takes adjacency lists, or parts of such lists, out of chunks and puts them together as new chunks: what a
// device is sent when it does not get whole chunks.
//
//	chunks ──Select, All, Within──▶ Selections ──Cut, CutSums, At──▶ pieces ──Join──▶ Subgraph ──EncodeTo──▶ one chunk
//	   └──Divide──▶ Division ──All, Select──▶ Selections of a cell, as often as it is wanted
package cut
