package engine

import (
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Plan is the answer to Compile; an error where its matrix does not fit the budget.
func (p *Program) Plan(graph plugins.Graph, layout plugins.Layout) (plugins.Plan, error) {
	plan := plugins.Plan{
		Directions: plugins.Directions(p.spec.Edges, true, graph.Directed), // a list is a row of the matrix
		Fixed:      kit.LayoutBytes(layout) + p.scratch() + p.maker.Bytes(),
		Kept:       p.maker.Kept(),
		Kernel:     p.maker.Kernel(),
	}
	return plan, p.maker.Fits(plan.Fixed)
}

// scratch is what Allocate takes and the machines hold.
func (p *Program) scratch() (bytes uint64) {
	for _, l := range p.lanes {
		bytes += l.Bytes()
		if p.late {
			bytes += l.BitmapBytes()
		}
		if len(p.lanes) > 1 {
			bytes += l.BitmapBytes()
		}
	}
	if p.settling {
		bytes += 8 * uint64(bitmap.Words(p.n))
	}
	return bytes
}

// Allocate makes what the budget was asked for, but for the matrix.
func (p *Program) Allocate() {
	for _, l := range p.lanes {
		l.Allocate(len(p.lanes) > 1, p.late)
	}
	if p.settling {
		p.departing = make([]uint64, bitmap.Words(p.n))
	}
}
