// Package train has a device compute a neural network over a stored graph, and learns.
//
//	Network ──Open──▶ arena, device, lists ──▶ Session ──Pass──▶ numbers of roots
//	                                              ▲                  │ gradients, loss, rows
//	                                              └── Adam ◀── Learn ┘──▶ scores, epoch by epoch
//
// Features lie in the arena beside the parameters. Chunks pass by once, through one slot. The device knows nothing of
// learning: it computes passes from the parameters as they are, and the host changes them in between. Where the device
// has no room for that, package streaming brings it pieces (pieces.go).
package train
