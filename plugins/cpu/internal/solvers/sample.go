package solvers

import "math"

// sampledBy is one in how many vertices are asked first. Of a vertex of degree d the list is
// then asked for, in a graph that is all of one component, by about the chance that none of
// its neighbors was: (1-1/sampledBy)^d.
const sampledBy = 16

// SampleMask is the vertices of a word of the active set that are asked first.
const SampleMask = math.MaxUint64 / (1<<sampledBy - 1)

// SmallGraph is how many vertices are asked all at once, without a sample.
const SmallGraph = 1024

// TaskEdges is how many edges make a task: fewer are done before another worker has come.
const TaskEdges = 8 << 10
