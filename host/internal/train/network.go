package train

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
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
}

// Pass is values to compute. Drops says that dropouts drop, as they do while a model learns.
type Pass struct {
	Roots []*dataflow.Value
	Drops bool
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
	layout   plugins.Layout
	network  *plugins.Network
	features plugins.Tensor
	slot     arena.Range // through which chunks pass
	size     uint64
}

// place lays a network out, with a slot for the largest of chunks.
func (n *Network) place(vertices uint64, slot uint64) places {
	var p plan.Placer
	all := places{network: &plugins.Network{Values: n.values(), SelfLoops: n.Compiled.Model.SelfLoops}}
	all.layout = p.Layout([]algorithms.Column{{Name: plan.InputOutDegree, Type: algorithms.Int},
		{Name: plan.InputInDegree, Type: algorithms.Int}}, vertices)
	parameters := uint64(0)
	for _, v := range all.network.Values {
		switch {
		case v.Op == dataflow.Parameter:
			parameters += numbers(v, vertices)
		case v.Op == dataflow.Input && v.Name == neural.InputFeatures:
			all.features = n.placeFeatures(&p, vertices)
			all.network.Inputs = append(all.network.Inputs, all.features)
		case v.Op == dataflow.Input && n.Columns[v.Name] != nil:
			all.network.Inputs = append(all.network.Inputs,
				plugins.Tensor{Name: v.Name, Numbers: p.Place(4 * uint64(len(n.Columns[v.Name])))})
		}
	}
	all.network.Parameters = p.Place(4 * parameters)
	for _, pass := range n.Passes {
		size := uint64(0)
		for _, root := range pass.Roots {
			size += numbers(root, vertices)
		}
		all.network.Passes = append(all.network.Passes,
			plugins.NetworkPass{Roots: pass.Roots, At: p.Place(4 * size), Drops: pass.Drops})
	}
	all.slot = p.Place(slot)
	all.size = p.Used
	return all
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
		to, err := memory.Float32s(in.Numbers)
		if err != nil {
			return err
		}
		copy(to, n.Columns[in.Name])
	}
	if at.features.Name == "" {
		return nil // the model reads none
	}
	rows := dataset.Rows{}
	var err error
	if rows.Numbers, err = memory.Float32s(at.features.Numbers); err != nil {
		return err
	}
	if n.Shape.Sparse {
		if rows.Offsets, err = memory.Int64s(at.features.Offsets); err != nil {
			return err
		}
		if rows.Places, err = memory.Uint32s(at.features.Columns); err != nil {
			return err
		}
	}
	return dataset.Fill(ctx, snap, n.Features, n.Shape, rows)
}
