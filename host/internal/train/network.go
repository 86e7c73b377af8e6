package train

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// Network is what a device is to compute.
type Network struct {
	Compiled *neural.Compiled
	Features neural.FeatureSpec
	Shape    dataset.Features
	// Columns are inputs of a few numbers for each vertex, by name: what is wanted, and how much it counts.
	Columns map[string][]float32
	Passes  []Pass
	// Sampling is how passes that are Batched go; nil: there are none.
	Sampling *Sampling
	HeldOut  *dataset.HeldOut // edges that pass no messages; nil: all do
}

// Pass is values to compute. Drops says that dropouts drop, as they do while a model learns.
type Pass struct {
	Roots   []*dataflow.Value
	Drops   bool
	Batched bool // over batches, not over the whole graph
}

// numbers is how many numbers a value has, of so many vertices.
func numbers(v *dataflow.Value, vertices uint64) uint64 {
	if v.Place == dataflow.Parameters {
		return uint64(v.Rows) * uint64(v.Width)
	}
	return vertices * uint64(v.Width)
}

// places are where all numbers of a network lie in the arena.
type places struct {
	layout  plugins.Layout
	network *plugins.Network
	devices []*plugins.Network // as each of the devices computes it
	slot    arena.Range        // through which chunks pass
	size    uint64
}

// place lays a network out, with a slot for the largest of chunks.
func (n *Network) place(vertices uint64, slot uint64) places {
	var p plan.Placer
	all := places{network: &plugins.Network{Values: n.values(), SelfLoops: n.Compiled.Model.SelfLoops}}
	all.layout = p.Layout([]algorithms.Column{{Name: plan.InputOutDegree, Type: algorithms.Int},
		{Name: plan.InputInDegree, Type: algorithms.Int}}, vertices)
	all.network.Inputs = n.placeInputs(&p, all.network.Values, vertices)
	n.placeParameters(&p, all.network, func(root *dataflow.Value) uint64 { return numbers(root, vertices) })
	all.devices = n.placeBatches(&p, all.network, 1)
	all.slot = p.Place(slot)
	all.size = p.Used
	return all
}

// placeInputs places the inputs among values that the host has.
func (n *Network) placeInputs(p *plan.Placer, values []*dataflow.Value, vertices uint64) (inputs []plugins.Tensor) {
	for _, v := range values {
		switch {
		case v.Op == dataflow.Input && v.Name == neural.InputFeatures:
			inputs = append(inputs, n.placeFeatures(p, vertices))
		case v.Op == dataflow.Input && n.Columns[v.Name] != nil:
			inputs = append(inputs, plugins.Tensor{Name: v.Name, Numbers: p.Place(4 * uint64(len(n.Columns[v.Name])))})
		}
	}
	return inputs
}

// placeParameters places parameters and, for each pass over the whole graph, as many numbers of its roots as has says.
func (n *Network) placeParameters(p *plan.Placer, network *plugins.Network, has func(root *dataflow.Value) uint64) {
	parameters := uint64(0)
	for _, v := range network.Values {
		if v.Op == dataflow.Parameter {
			parameters += numbers(v, 0)
		}
	}
	network.Parameters, network.Passes = p.Place(4*parameters), nil
	for _, pass := range n.Passes {
		size := uint64(0)
		for _, root := range pass.Roots {
			if !pass.Batched {
				size += has(root)
			}
		}
		network.Passes = append(network.Passes,
			plugins.NetworkPass{Roots: pass.Roots, At: p.Place(4 * size), Drops: pass.Drops, Batched: pass.Batched})
	}
}

// values are those that the passes need, with all parameters.
func (n *Network) values() []*dataflow.Value {
	roots := append([]*dataflow.Value{}, n.Compiled.Program.Parameters...)
	for _, p := range n.Passes {
		roots = append(roots, p.Roots...)
	}
	return dataflow.Order(n.Compiled.Program.Values, roots...)
}

func (n *Network) placeFeatures(p *plan.Placer, vertices uint64) plugins.Tensor {
	t := plugins.Tensor{Name: neural.InputFeatures}
	if !n.Shape.Sparse {
		t.Numbers = p.Place(4 * vertices * uint64(n.Shape.Width))
		return t
	}
	t.Numbers, t.Columns = p.Place(4*uint64(n.Shape.Entries)), p.Place(4*uint64(n.Shape.Entries))
	t.Offsets = p.Place(8 * (vertices + 1))
	return t
}

// fill writes the inputs of a network to their places.
func (n *Network) fill(ctx context.Context, snap *store.Snapshot, memory *arena.Arena, at places) error {
	for _, in := range at.network.Inputs {
		rows, err := inputRows(memory, in)
		if err != nil {
			return err
		}
		if in.Name != neural.InputFeatures {
			copy(rows.Numbers, n.Columns[in.Name])
			continue
		}
		entry := 0
		err = dataset.Stream(ctx, snap, n.Features, n.Shape, func(v uint64, numbers []float32, places []uint32) error {
			copy(rows.Numbers[entry:], numbers)
			copy(rows.Columns[min(entry, len(rows.Columns)):], places)
			if entry += len(numbers); n.Shape.Sparse {
				rows.Offsets[v+1] = int64(entry)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// inputRows are the rows of an input in the arena.
func inputRows(memory *arena.Arena, in plugins.Tensor) (rows grid.Rows, err error) {
	if rows.Numbers, err = memory.Float32s(in.Numbers); err == nil && in.Offsets != (arena.Range{}) {
		if rows.Offsets, err = memory.Int64s(in.Offsets); err == nil {
			rows.Columns, err = memory.Uint32s(in.Columns)
		}
	}
	return rows, err
}
