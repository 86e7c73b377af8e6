// Package sampling brings a device the graphs of mini-batches (plugins.ExtensionBatches): sampled neighborhoods of
// some vertices, with their rows.
//
//	chunks ──WriteLists──▶ Lists, a file ─┐
//	                                      ├──Batches──▶ staged ahead ──▶ the arena
//	rows of all vertices, wherever ───────┘   while the device computes
//
// The host samples, for it can look at any list and any row, wherever the graph lies: one way for a graph that the
// device could hold and for one that it could not. What the device holds is a batch.
package sampling
