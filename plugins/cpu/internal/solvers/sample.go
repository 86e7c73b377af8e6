package solvers

import "math"

// sampledBy is one in how many vertices are asked first. Of a vertex of degree d the list is
// then asked for, in a graph that is all of one component, by about the chance that none of
// its neighbours was: (1-1/sampledBy)^d.
const sampledBy = 16

// AFew are they, of a word.
const AFew = math.MaxUint64 / (1<<sampledBy - 1)

// FewVertices are asked all at once.
const FewVertices = 1024

// TaskEdges is how many edges make a task: fewer are done before another worker wakes up.
const TaskEdges = 8 << 10
