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

// openHalves has two devices compute the network: the first what looks at edges, the second what goes row by row. Rows
// of all vertices lie in one arena.
func openHalves(o *opening, slot uint64) (err error) {
	o.at = o.Network.placeHalves(o.vertices, slot)
	if err := o.takeMemory(o.Snap); err != nil {
		return err
	}
	if err := supply.FillInputs(o.ctx, o.Snap, o.cache.Arena, o.at.layout); err != nil {
		return err
	}
	if o.parameters, err = o.cache.Arena.Float32s(o.at.network.Parameters); err != nil {
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
	if err := o.checkRoom(); err != nil {
		return err
	}
	if err := o.Network.fill(o.ctx, o.Snap, o.cache.Arena, o.at); err != nil {
		return err
	}
	if o.halves, err = halving.New(o.cache.Arena, o.at.network, o.vertices); err != nil {
		return err
	}
	for i, d := range o.group.Devices {
		o.group.Talk(o.ctx, o.fail, d, o.vertices, o.Rec, o.events)
		o.halves.Streams[i] = d.Stream
	}
	if err := o.give(); err != nil {
		return err
	}
	for _, op := range []plugins.Op{plugins.Init, plugins.Apply} { // degrees have been left for it
		if _, err := o.halves.Streams[1].Do(plugins.Command{Op: op}, nil); err != nil {
			return err
		}
	}
	return nil
}

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

// HalvesOf is what two devices have done; nil: there is one.
func HalvesOf(s *Session) *Halves {
	if s.halves == nil {
		return nil
	}
	return s.halves.Report()
}
