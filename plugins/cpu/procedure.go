package cpu

import (
	"context"
	"maps"
	"slices"

	"github.com/penstock-db/penstock/plugins"
)

// procedure is an algorithm that is no vertex program, made ready for one graph.
type procedure interface {
	// plan counts all its scratch: nothing grows with the chunks.
	plan() plugins.Plan
	// call computes the result columns from all chunks and returns how many edges it
	// has looked at. tell hears the fraction that is done.
	call(ctx context.Context, chunks []*resident, tell func(fraction float64)) (uint64, error)
}

// procedures make a procedure ready by the name of its algorithm.
var procedures = map[string]func(job plugins.Job, task plugins.Task, pool pool) (procedure, error){}

func procedureNames() []string { return slices.Sorted(maps.Keys(procedures)) }

func newProcedure(job plugins.Job, task plugins.Task, pool pool) (procedure, error) {
	build, ok := procedures[task.Procedure]
	if !ok {
		return nil, plugins.Errorf(plugins.KindUnsupported, "procedure %q is not among %v", task.Procedure, procedureNames())
	}
	return build(job, task, pool)
}
