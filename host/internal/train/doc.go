// Package train has devices compute a neural network over a stored graph, and learns.
//
//	Network ──Open──▶ arena, devices, lists ──▶ Passer ──Pass──▶ numbers of roots
//	                                              ▲                   │ gradients, loss, rows
//	                                              └── Adam ◀── Learn ─┘──▶ scores, epoch by epoch
//
// Parameters lie in the arena. Devices know nothing of learning: they compute passes from the parameters as they are,
// and the host changes them in between. There are four ways of computing passes, a Passer each, above one base:
//
//   - resident: one device has everything. Features lie in the arena, chunks pass by once, through one slot.
//   - pieces: the host brings devices interval by interval what they have no room for (package streaming).
//   - shares: several devices hold an interval each (package sharing).
//   - halves: of two devices one looks at edges, the other goes row by row (package halving).
//
// Batches are passes over small graphs of their own (package sampling), whichever way devices compute others. Of
// several each has a portion of a batch, and what they leave is added up in their order.
package train
