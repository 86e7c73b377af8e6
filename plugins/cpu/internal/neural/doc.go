// Package neural runs the passes of a neural network: dataflow.Schedule, section by section, forward and backward.
//
//	Stage ──sections, in parallel──▶ blocks of rows ──waves──▶ tiles of edges ──▶ gathers ──▶ rows ──▶ stored
//	                                                                                        └──▶ partial sums ──▶ sums
//
// A section is a run of vertices with about as many edges as any other. A worker takes a block of its rows through all
// waves of a stage, so that what is not stored never leaves the cache. Sections depend on the graph alone, and partial
// sums are added in their order: the same bits come out for any number of workers. The gradient of the weights of
// sparse rows is no partial sum where all vertices are there: it is made column by column, in the same order.
//
// A Network has everything resident. A Streamed is a Network of which the host brings rows and edges piece by piece:
// the same blocks go through the same stages, wave by wave, and the workspace is all that stays.
package neural
