package train

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/host/internal/train/halving"
	"github.com/penstock-db/penstock/plugins"
)

// Intervals of vertices that two devices work on: as many as overlap well, of at least so many vertices.
const (
	halvingIntervals = 8
	leastInterval    = 256
)

// halves is a network that two devices compute: the first what looks at edges, the second what goes row by row.
type halves struct {
	*base
	*halving.Runner
}

// openHalves has two devices compute the network. Rows of all vertices lie in one arena.
func openHalves(o *opening) (Passer, error) {
	o.at = o.Network.placeHalves(o.vertices, o.slot)
	if err := o.room.take(o.ctx, o.Snap, o.at.size); err != nil {
		return nil, err
	}
	if err := supply.FillInputs(o.ctx, o.Snap, o.room.Arena, o.at.layout); err != nil {
		return nil, err
	}
	if err := o.keptDegrees(); err != nil {
		return nil, err
	}
	if err := o.compileHalves(); err != nil {
		return nil, err
	}
	if err := o.checkRoom(); err != nil {
		return nil, err
	}
	if err := o.Network.fill(o.ctx, o.Snap, o.room.Arena, o.at); err != nil {
		return nil, err
	}
	r, err := halving.New(o.room.Arena, o.at.network, o.vertices)
	if err != nil {
		return nil, err
	}
	for i, d := range o.group.Devices {
		o.talk(d)
		r.Streams[i] = d.Stream
	}
	if err := o.give(); err != nil {
		return nil, err
	}
	for _, op := range []plugins.Op{plugins.Init, plugins.Apply} { // degrees have been left for it
		if _, err := r.Streams[1].Do(plugins.Command{Op: op}, nil); err != nil {
			return nil, err
		}
	}
	return &halves{o.base, r}, nil
}

// compileHalves has each device make its halves ready.
func (o *opening) compileHalves() (err error) {
	if o.parameters, err = o.room.Arena.Float32s(o.at.network.Parameters); err != nil {
		return err
	}
	for i, d := range o.group.Devices {
		network, halves := *o.at.network, *o.at.network.Halves
		halves.Rows, network.Halves, d.Layout = i == 1, &halves, o.at.layout
		if err := o.group.CompileOn(d, o.job(d), plugins.Task{Network: &network}); err != nil {
			return err
		}
	}
	o.Plan = o.only().Plan
	o.Plan.Kernel += "; " + o.group.Devices[1].Plan.Kernel
	return nil
}

// Result is what the last pass has left of a root.
func (h *halves) Result(number int, root *dataflow.Value) []float32 { return h.Runner.Of(number, root) }

// Write gives an input other rows.
func (h *halves) Write(name string, rows []float32) error { return h.write(name, rows) }

// Way is what each device has done.
func (h *halves) Way() Way { return Way{Halves: h.Report()} }

// Close does nothing: all lies in the arena.
func (h *halves) Close() {}

// placeHalves lays a network out for two devices.
func (n *Network) placeHalves(vertices, slot uint64) places {
	var p plan.Placer
	all := places{network: &plugins.Network{Values: n.values(), SelfLoops: n.Compiled.Model.SelfLoops}}
	all.layout = p.Layout([]algorithms.Column{{Name: plan.InputOutDegree, Type: algorithms.Int},
		{Name: plan.InputInDegree, Type: algorithms.Int}}, vertices)
	all.network.Inputs = n.placeInputs(&p, all.network.Values, vertices)
	n.placeParameters(&p, all.network, func(*dataflow.Value) uint64 { return 0 })
	for i, each := range all.network.Passes {
		all.network.Passes[i].At = p.Place(4 * halving.Results(all.network, each, vertices))
	}
	all.network.Halves = &plugins.Halves{
		Each: max((vertices+halvingIntervals-1)/halvingIntervals, min(leastInterval, max(vertices, 1)))}
	for end := range all.network.Halves.Degrees {
		all.network.Halves.Degrees[end] = p.Place(4 * vertices)
	}
	all.slot = p.Place(slot)
	all.size = p.Used
	return all
}

// What two devices have done.
type (
	Halves      = halving.Report
	HalvesStage = halving.Stage
)
