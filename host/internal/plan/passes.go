package plan

import (
	"errors"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/plugins"
)

// procedure agrees on a run of a procedure: with all chunks on the device, or else, where the device does so, in passes
// over the chunks (plugins.ExtensionPasses).
func (t Terms) procedure(c Computation) (*Plan, error) {
	least, err := t.leastPasses(c)
	if err != nil {
		return nil, err
	}
	p, err := t.attempt(c)
	var over *BudgetError
	switch {
	case least == nil:
		return p, err
	case err == nil:
		p.Fit.Minimum = min(p.Fit.Minimum, least.Fit.Minimum)
		return p, nil
	case !errors.As(err, &over) || over.Need <= least.Fit.Minimum:
		return nil, err
	}
	if least.Fit.Together = over.Need; t.Budget < least.Fit.Minimum {
		return nil, least.tooSmall()
	}
	if p, err = t.attempt(least.Computation); err == nil {
		p.Fit.Minimum, p.Fit.Together = least.Fit.Minimum, over.Need
	}
	return p, err
}

// leastPasses is a plan of passes that takes no more than it must; nil: there are none. Queues and grids have chunks
// cut otherwise, what learns rows goes along all edges again and again, and what reads no edges has no chunks.
func (t Terms) leastPasses(c Computation) (*Plan, error) {
	learned := func(r algorithms.Rows) bool { return !r.Given }
	if needs := c.Schedule.Needs; needs.Queue || needs.Grid || c.Edgeless || slices.ContainsFunc(c.Rows, learned) ||
		extension.Lacks(t.Device, plugins.ExtensionPasses) {
		return nil, nil
	}
	c.Task.Passes = true
	layouts, _ := c.Layouts(t.Graph.Manifest().Vertices, t.Devices, t.Arena.Columns)
	c.Task.Layout = layouts[0]
	kernel, err := t.Compile(c.Task, layouts, 0)
	if plugins.KindOf(err) == plugins.KindUnsupported {
		kernel, err = plugins.Plan{}, nil
	}
	if err != nil || !kernel.Passes {
		return nil, err
	}
	p, err := t.begin(c, kernel)
	if err == nil {
		p.measure()
	}
	return p, err
}
