// Package sharing has several devices compute a neural network together (NeuGraph, section 4): each holds one interval
// of the vertices, and the edges that lead there.
//
//	degrees ──Columns──▶ intervals ──Cut──▶ a cell each ──▶ Device: rows, edges, far ends
//	                                                            │ ▲
//	                                    rows that others store ─┘ └─ sums, around the ring
//
// A stage goes over all vertices, so each device computes it for its interval. Before, it pulls what the stage reads
// and others have stored since it last did: rows at the far ends of its edges, and, where lists differ at both ends,
// those of its interval at the other end. Rows of its own that its edges read it copies likewise, but they do not
// travel.
//
// An interval is some sections of the vertices, with about as much to do as the others: an edge counts for one, and a
// vertex for as many as one has on average. Sums go over sections in their order (package ring), edges come in theirs:
// the bits are those of one device.
package sharing
