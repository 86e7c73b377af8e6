// Package bench measures Penstock beside its peers, on one machine, in one sitting.
//
//	RMAT, uniform, real ──simple, ids dense──▶ g.el, g.wel ──Load──▶ store ──▶ in process, plugin, whole process
//	                                              ├──converter──▶ g.sg, g.wsg ──▶ GAPBS: kernel, whole process
//	                                              ├──COPY──▶ Kuzu
//	                                              └──preprocess──▶ GridGraph
//
// Everybody gets the same undirected graph and as many threads. A kernel is first run once by all, and their results
// compared; then it is timed in rounds, in which each runs once, so that other work on the machine meets all alike. The
// peers are programs of their own, built from sources that the user has; without them Penstock is measured alone. Run
// gives a Report, Scale a Scaling, OutOfCore a Report of processes with little memory, Schedules a Streaming and Useful
// a Usefulness of devices with little memory, Query a Queries of statements in Cypher; all write themselves as
// Markdown, JSON and SVG. Nothing here asserts a time.
//
// Edges of a graph are held in memory while its files are written: 8 bytes each.
//
// The rooms below internal, in the order in which a series goes through them: graphs makes files
// and stores, programs finds what runs on them, kernel says what is computed, measure takes turns;
// kernels, scaling, outofcore, schedules, useful, queries and dense are one series each.
package bench
