package reference

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

func (s *session) Compile(_ context.Context, task plugins.Task) (plugins.Plan, error) {
	s.task = task
	var edges algorithms.Edges
	var kernel string
	switch {
	case task.Program != nil:
		edges, kernel = task.Program.Edges, "interpreted"
	default:
		algorithm, err := algorithms.Lookup(task.Procedure)
		if err != nil || algorithm.Procedure == nil {
			return plugins.Plan{}, plugins.Errorf(plugins.KindUnsupported, "procedure %q", task.Procedure)
		}
		s.procedure = algorithm
		edges, kernel = algorithms.Forward, "oracle" // which makes the other side itself
	}
	if err := s.openColumns(); err != nil {
		return plugins.Plan{}, err
	}
	s.directions = directions(edges, s.job.Graph.Directed)
	s.budget.limit = s.job.Budget
	fixed := s.fixed()
	if err := s.budget.take(fixed); err != nil {
		return plugins.Plan{}, err
	}
	return plugins.Plan{Directions: s.directions, Fixed: fixed, Kernel: kernel}, nil
}

// directions are the lists along which messages leave a vertex.
func directions(edges algorithms.Edges, directed bool) []chunk.Direction {
	switch {
	case !directed:
		return []chunk.Direction{chunk.Both}
	case edges == algorithms.Forward:
		return []chunk.Direction{chunk.Out}
	case edges == algorithms.Backward:
		return []chunk.Direction{chunk.In}
	}
	return []chunk.Direction{chunk.Out, chunk.In}
}

// fixed is the columns in the arena and what the interpreter keeps beside them: ids and
// two arrays of offsets, the state before and after, accumulators, activity, and the
// offsets of the chunk being stepped.
func (s *session) fixed() uint64 {
	bytes := s.task.Layout.Active.Length
	for _, c := range s.task.Layout.Columns {
		bytes += c.Range.Length
	}
	states := 0
	if s.task.Program != nil {
		states = len(s.task.Program.State)
	}
	return bytes + (s.job.Graph.Vertices+1)*uint64(24+16*states+8+1+8)
}

func (s *session) wants(d chunk.Direction) bool { return slices.Contains(s.directions, d) }
