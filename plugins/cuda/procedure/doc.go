// Package procedure computes on a card what is no vertex program: triangles, lcc, betweenness, k-core, cdlp, scc.
//
//	Scratch  graph ──▶ bytes that the procedure needs on the card
//	Run      chunks ──join──▶ one CSR each way ──kernels──▶ result column
//
// The host's part of each algorithm stands in the file of its name, the card's in kernels/procedure_NAME.cuh.
// Whatever chunks the graph comes in, they are joined first (lists.go): a procedure finds any vertex's list by its
// number alone, and lists stand whole. That takes 4 bytes an edge and direction beside the chunks.
//
// Results are the same bits in every run: what comes in no fixed order are sums of whole numbers, minima, and
// queues of vertices, whose order matters to nobody; sums of fractions go along a list in an order that its length
// alone decides.
//
// Nothing is allocated here: whoever calls Run gives memory of the size that Scratch says (room.go). Between
// launches, and while it waits for the card, Run looks at its context (run.go).
package procedure
