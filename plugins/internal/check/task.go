package check

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
)

// Job refuses a job without an arena, or with more vertices than the device can number; 0: 32 bits.
func Job(job plugins.Job, vertices uint64) error {
	if vertices == 0 {
		vertices = math.MaxUint32
	}
	if job.Arena == nil {
		return plugins.Errorf(plugins.KindInvalid, "a session needs an arena")
	}
	if job.Graph.Vertices > vertices {
		return plugins.Errorf(plugins.KindUnsupported, "%d vertices: the device takes up to %d", job.Graph.Vertices, vertices)
	}
	return nil
}

// Task refuses a task that contradicts itself, and one with more lanes than the
// device has described. n is the number of vertices.
func Task(task plugins.Task, n uint64, lanes int) error {
	switch {
	case task.Network != nil && (task.Program != nil || task.Procedure != ""):
		return plugins.Errorf(plugins.KindInvalid, "a network is a task of its own, not one beside a program or procedure")
	case task.Network != nil && (task.Settle || task.Restorable || task.Part || task.Share != nil || len(task.Lanes) > 0):
		return plugins.Errorf(plugins.KindInvalid, "a network goes with no Settle, Restorable, Part, Share or Lanes")
	case len(task.Layout.Rows) > 0 && task.Procedure == "":
		return plugins.Errorf(plugins.KindInvalid, "rows are for procedures")
	case task.Passes && slices.ContainsFunc(task.Layout.Rows, func(r plugins.VertexRows) bool { return !r.Given }):
		return plugins.Errorf(plugins.KindInvalid, "a procedure that learns rows has no passes")
	case task.Passes && task.Program != nil:
		return plugins.Errorf(plugins.KindInvalid, "passes are for procedures: a program is stepped as it is")
	case task.Nearest && !task.Settle:
		return plugins.Errorf(plugins.KindInvalid, "the order of values is for tasks that settle")
	case task.Joins && task.Share == nil:
		return plugins.Errorf(plugins.KindInvalid, "what joins vertices is told to other devices by tasks with a share alone")
	case task.Intervals && (task.Program == nil || !task.Restorable || task.Nearest || task.Part || task.Share != nil ||
		len(task.Lanes) > 0 || n%2 != 0):
		return plugins.Errorf(plugins.KindInvalid,
			"intervals are of a program that is restorable, as many vertices that send as receive, "+
				"and go with no Nearest, Part, Share or Lanes")
	case len(task.Lanes) > lanes:
		return plugins.Errorf(plugins.KindUnsupported, "%d lanes: the device takes up to %d", len(task.Lanes), lanes)
	case len(task.Lanes) > 0 && (task.Settle || task.Restorable || task.Part || task.Share != nil):
		return plugins.Errorf(
			plugins.KindInvalid, "lanes need a task that iterates to its end: no Settle, Restorable, Part or Share")
	case task.Part && (!task.Restorable || task.Share != nil):
		return plugins.Errorf(plugins.KindInvalid, "a part needs a task that is restorable and has no share")
	}
	if task.Network != nil {
		return checkNetwork(task.Network, n)
	}
	return checkShare(task, n)
}

// checkNetwork refuses a grid that is none, and passes over batches that have no place.
func checkNetwork(network *plugins.Network, n uint64) error {
	for i, p := range network.Passes {
		if p.Batched && network.Batch == nil {
			return plugins.Errorf(plugins.KindInvalid, "pass %d is over batches, which the network has no place for", i)
		}
	}
	if h := network.Halves; h != nil && (h.Each == 0 || network.Grid != nil || network.Batch != nil) {
		return plugins.Errorf(plugins.KindInvalid, "halves have intervals of some vertices, and go with no grid or batch")
	}
	if network.Grid != nil {
		return checkGrid(network.Grid, n)
	}
	return nil
}

// checkGrid refuses a grid whose sections are not all vertices, in their order, or those of one device's interval.
func checkGrid(g *plugins.Grid, n uint64) error {
	if g.Each == 0 {
		return plugins.Errorf(plugins.KindInvalid, "a grid whose intervals have no section")
	}
	if g.Stays && !g.Shared {
		return plugins.Errorf(plugins.KindInvalid, "a grid that stays is of one of several devices")
	}
	for end, bounds := range g.Sections {
		if g.Stays {
			if len(bounds) == 0 || bounds[len(bounds)-1] > n || len(bounds)-1 > int(g.Each) {
				return plugins.Errorf(plugins.KindInvalid, "sections of one device by their %v are up to %d, and end at %d at most",
					dataflow.End(end), g.Each, n)
			}
		} else if len(bounds) == 0 || bounds[0] != 0 || bounds[len(bounds)-1] != n {
			return plugins.Errorf(plugins.KindInvalid, "sections of vertices by their %v begin at 0 and end at %d",
				dataflow.End(end), n)
		}
		for k := range bounds[1:] {
			if bounds[k] >= bounds[k+1] {
				return plugins.Errorf(plugins.KindInvalid, "section %d of vertices by their %v has none", k, dataflow.End(end))
			}
		}
	}
	return nil
}

// shareAlign is the number of vertices of which a share has all or none, but for the last: those of a word of
// Layout.Active.
const shareAlign = 64

// checkShare refuses a share of which words of the active set lie in part outside.
func checkShare(task plugins.Task, n uint64) error {
	i := task.Share
	switch {
	case i == nil:
		return nil
	case !task.Restorable:
		return plugins.Errorf(plugins.KindInvalid, "a share needs a task that is restorable")
	case i.Base > n || i.Count > n-i.Base || i.Base%shareAlign != 0 || i.End()%shareAlign != 0 &&
		i.End() != n:
		return plugins.Errorf(
			plugins.KindInvalid, "a share of %d vertices from %d on, of %d: it begins and ends at multiples of %d",
			i.Count, i.Base, n, shareAlign)
	}
	return nil
}
