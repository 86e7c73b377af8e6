package train

import (
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/host/internal/train/ring"
	"github.com/penstock-db/penstock/host/internal/train/streaming"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// source is a network with its inputs, as intervals need them.
type source struct {
	network *plugins.Network
	tensors []plugins.Tensor // with degrees
	passes  []streaming.Stages
	degrees streaming.Degrees
}

// source finds what a network reads.
func (o *opening) source() (from source, err error) {
	from.network = &plugins.Network{Values: o.Network.values(), SelfLoops: o.Network.Compiled.Model.SelfLoops}
	for _, p := range o.Network.Passes {
		from.network.Passes = append(from.network.Passes, plugins.NetworkPass{Roots: p.Roots, Batched: p.Batched})
	}
	from.tensors = o.Network.placeInputs(&plan.Placer{}, from.network.Values, o.vertices)
	for _, name := range degreesIn(from.network.Values) {
		from.tensors = append(from.tensors, plugins.Tensor{Name: name, Numbers: arena.Range{Length: 4 * o.vertices}})
	}
	from.passes = streaming.StagesOf(from.network, func(v *dataflow.Value) bool {
		return slices.ContainsFunc(from.tensors, func(t plugins.Tensor) bool {
			return t.Name == v.Name && t.Offsets != (arena.Range{})
		})
	})
	from.network.Inputs = from.tensors
	from.degrees, err = o.listLengths(neural.LooksAtEdges(from.network.Values))
	return from, err
}

// fillRows writes inputs, but for degrees, to their rows.
func (o *opening) fillRows(from source, rows *streaming.Rows) error {
	for _, t := range from.tensors {
		err := rows.Input(t.Name, func(put func(v uint64, numbers []float32, places []uint32) error) error {
			if t.Name == neural.InputFeatures {
				return dataset.Stream(o.ctx, o.Snap, o.Network.Features, o.Network.Shape, put)
			}
			return put(0, o.Network.Columns[t.Name], nil)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// degreesIn are the names of the inputs of degrees among values.
func degreesIn(values []*dataflow.Value) (names []string) {
	for _, v := range values {
		if v.Op == dataflow.Input && neural.IsDegree(v.Name) {
			names = append(names, v.Name)
		}
	}
	return names
}

// listLengths are the lengths of lists; 0, where nobody looks at them.
func (o *opening) listLengths(looks bool) (d streaming.Degrees, err error) {
	out := make([]int64, o.vertices)
	if !looks {
		return streaming.NewDegrees(out, out), nil
	}
	if err := o.fillDegrees(chunk.Out, out); err != nil {
		return d, err
	}
	in := out
	if o.Snap.Manifest().Directed {
		in = make([]int64, o.vertices)
		if err := o.fillDegrees(chunk.In, in); err != nil {
			return d, err
		}
	}
	return streaming.NewDegrees(in, out), nil
}

// placeShared places what all devices read: parameters, and the parameters among roots; and what each has of batches.
func (o *opening) placeShared(from source) places {
	var p plan.Placer
	o.Network.placeParameters(&p, from.network, func(root *dataflow.Value) uint64 {
		if ofVertices(root) {
			return 0
		}
		return numbers(root, 0)
	})
	devices := o.Network.placeBatches(&p, from.network, len(o.group.Devices))
	return places{network: from.network, devices: devices, size: p.Used}
}

// compileGrids has each device make the network with its grid ready.
func (o *opening) compileGrids(grids []*plugins.Grid) error {
	if err := o.bind(); err != nil {
		return err
	}
	for i, d := range o.group.Devices {
		network := o.at.devices[i]
		network.Grid = grids[i]
		if err := o.group.CompileOn(d, o.job(d), plugins.Task{Network: network}); err != nil {
			return err
		}
		if i == 0 {
			o.Plan = d.Plan
		}
		if o.Plan.Fixed = max(o.Plan.Fixed, d.Plan.Fixed); d.Several && !d.Plan.Grid {
			return &plugins.Error{Device: d.Name, Kind: plugins.KindUnsupported, Chunk: -1,
				Err: fmt.Errorf("the device computes no neural network by intervals")}
		}
		if d.Several && network.Batch != nil && !d.Plan.Portions {
			return o.noPortions(d)
		}
	}
	return nil
}

// join has a device take part in the ring, if there is one.
func (o *opening) join(r *ring.Ring, i int, g *plugins.Grid) (err error) {
	if r == nil {
		return nil
	}
	m := &ring.Member{Stream: o.group.Devices[i].Stream}
	m.Sums, err = o.room.Arena.Bytes(g.Sums)
	r.Members = append(r.Members, m)
	return err
}

// cut cuts the lists that gathers or degrees need into cells, and fills in degrees.
func (o *opening) cut(from source, layout streaming.Layout, rows *streaming.Rows,
	filters func(some []uint32, all int) bool) (cells *streaming.Cells, err error) {
	var sources [2]*streaming.Source
	source := func(d chunk.Direction) *streaming.Source {
		from := supply.New(o.Snap, o.room.Cache, o.chunks[d], o.computation.EdgeNames, o.Rec)
		return &streaming.Source{Supply: from, Chunks: o.chunks[d], Without: o.Network.HeldOut}
	}
	names := degreesIn(from.network.Values)
	target := streaming.GathersAt(from.passes, dataflow.AtTarget) || slices.Contains(names, neural.InputInDegree)
	origin := streaming.GathersAt(from.passes, dataflow.AtSource) || slices.Contains(names, neural.InputOutDegree)
	switch directed := o.Snap.Manifest().Directed; {
	case !directed && (target || origin):
		sources[dataflow.AtSource] = source(chunk.Out)
		sources[dataflow.AtTarget] = sources[dataflow.AtSource]
	case directed && target && origin:
		sources = [2]*streaming.Source{dataflow.AtTarget: source(chunk.In), dataflow.AtSource: source(chunk.Out)}
	case directed && target:
		sources[dataflow.AtTarget] = source(chunk.In)
	case directed && origin:
		sources[dataflow.AtSource] = source(chunk.Out)
	}
	defer func() {
		for _, each := range sources {
			if each != nil {
				each.Supply.Release()
			}
		}
	}()
	var lengths [2][]float32
	cells, lengths, err = streaming.Cut(o.ctx, from.network, layout, from.passes, from.degrees, sources, filters)
	for _, name := range names {
		end := dataflow.AtTarget
		if name == neural.InputOutDegree {
			end = dataflow.AtSource
		}
		if err == nil {
			err = rows.Input(name, func(put func(v uint64, numbers []float32, places []uint32) error) error {
				return put(0, lengths[end], nil)
			})
		}
	}
	return cells, err
}

// ofVertices says whether devices that compute by intervals leave a root where stages store it, not among the results
// of a pass.
func ofVertices(root *dataflow.Value) bool { return root.Place == dataflow.Vertices }

// resultOfSums is what a pass by intervals has left of a root that is not of vertices.
func (b *base) resultOfSums(number int, root *dataflow.Value) []float32 {
	return b.result(number, root, func(v *dataflow.Value) bool { return !ofVertices(v) })
}

// grown is memory for so many numbers.
func grown(numbers []float32, n int) []float32 { return slices.Grow(numbers[:0], n)[:n] }
