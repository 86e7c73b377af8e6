// Package sample cuts small graphs out of a large one: of some vertices, the seeds, the neighborhood of a few hops, of
// which each vertex keeps some of its neighbors (GraphSAGE: Hamilton, Ying and Leskovec, NeurIPS 2017, algorithm 2). A
// network that is computed over such a graph says of the seeds about what it says of them over all of it.
//
//	seeds ──hop 1──▶ their neighbors ──hop 2──▶ theirs …   rows from 0, seeds first
//
// # What is sampled
//
// 1. The seeds are the first rows. Hop k goes over the vertices that have come by hop k-1, in the order of their rows.
//
// 2. Of the list of each of them, the edges that lead to it, hop k keeps as many as its fanout says, or all if there
// are no more: every set of so many is equally likely, and none is there twice. Which it is, is a function of seed,
// epoch, hop and vertex alone (Places), for lists are sorted. So the same edges are kept in whatever batch a vertex is,
// by any number of threads, and however the graph is cut into chunks.
//
// 3. Those at the other ends that are not there yet get the next rows. A vertex whose list has been looked at once is
// not looked at again; those of the last hop have no lists.
//
// 4. With loops, the first entry of each list is the vertex itself. It is always kept, and not counted.
//
// # What a sum is then
//
// Degrees are those of the whole graph, so that a model meets the same numbers when it learns and when it is asked. A
// sum over the neighbors of a vertex is that over those that are kept, times PerSample: how many edges of the graph
// each of them stands for. That is an unbiased estimate of the sum over all (but for loops, which are kept always), and
// makes a mean the mean of those that are kept. Where all are kept, everything is what it is on the whole graph.
//
// # Portions
//
// Several who compute may divide a graph among them: a portion has some of the seeds, and what they hear of within as
// many hops as there are fanouts. Vertices have the lists that they have in the whole, so that what a network says of a
// seed is what it says there, and losses and gradients of portions add up to those of the whole. Vertices that several
// portions hear of are in each of them. A portion is not what would be sampled for its seeds alone: a vertex keeps as
// many neighbors as the hop says at which the whole met it.
package sample
