package solvers

import "math"

// sampledBy is one in how many vertices are asked first. Of a vertex of degree d the list is
// then asked for, in a graph that is all of one component, by about the chance that none of
// its neighbors was: (1-1/sampledBy)^d.
const sampledBy = 16

// SampleMask is the vertices of a word of the active set that are asked first.
const SampleMask = math.MaxUint64 / (1<<sampledBy - 1)

// SampleSaves tells whether lists are asked for in two turns, a sample's first, if all n vertices have so many entries
// together and are of one component: lists, each with its vertex beside where it begins, have to take less than all
// chunks, which say of each vertex where its list ends.
func SampleSaves(n int, entries uint64) bool {
	if n <= SmallGraph {
		return false
	}
	const rest = 1 - 1.0/sampledBy
	degree := float64(entries) / float64(n)
	asked := 1.0/sampledBy + rest*math.Pow(rest, degree)
	return asked*(8+4*degree) < 4+4*degree
}

// SmallGraph is how many vertices are asked all at once, without a sample.
const SmallGraph = 1024

// TaskEdges is how many edges make a task: fewer are done before another worker has come.
const TaskEdges = 8 << 10
