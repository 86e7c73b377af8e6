package networks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// testPortions holds a device to what it says of portions of batches: built-in models and random ones.
func (b *batchWork) testPortions(t *testing.T, r *rand.Rand, device plugins.Device) {
	t.Helper()
	if extension.Lacks(drive.Describe(t, device), plugins.ExtensionPortions) {
		t.Log("the device computes no portions of batches")
		return
	}
	if err := b.runPortion(t, r, device); err != nil && plugins.KindOf(err) != plugins.KindUnsupported {
		t.Fatal(err)
	}
}

// TryPortion has the device compute some network over a portion of a batch. An error is the device's.
func TryPortion(t *testing.T, r *rand.Rand, device plugins.Device) error {
	t.Helper()
	return newBatchWork(t, r, "mlp").runPortion(t, r, device)
}

// runPortion has the device compute a graph whose vertices come in another order, and are told by their rows in the
// whole: a portion that has all of it. It says of the graph what the oracle says, and drops what that drops.
func (b *batchWork) runPortion(t *testing.T, r *rand.Rand, device plugins.Device) error {
	t.Helper()
	b.portion = true
	defer func() { b.portion = false }()
	end, err := b.open(t, device)
	if err != nil {
		return err
	}
	defer end()
	d := b.graphs[0]
	order := r.Perm(d.Vertices)
	rows, err := b.memory.Uint32s(b.network.Batch.Rows)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range order {
		rows[i] = uint32(v)
	}
	command := b.bring(t, reordered(d, order))
	command.Seed, command.Epoch = d.Dropout.Seed, uint32(d.Dropout.Epoch)
	if _, err := b.talk.Exchange(command); err != nil {
		return err
	}
	left, err := b.memory.Float32s(b.network.Passes[1].At)
	if err != nil {
		t.Fatal(err)
	}
	of := &networkWork{graph: b.graph, data: d, values: b.values, roots: b.roots, numbers: b.inOrder(left, order)}
	of.compare(t, r)
	rows[0] = 1<<32 - 1 // the whole may have as many
	if _, err := b.talk.Exchange(command); err != nil {
		return fmt.Errorf("a portion of a large batch: %w", err)
	}
	b.talk.Finish()
	return nil
}

// reordered is a graph whose row i is row order[i] of d.
func reordered(d *dataflow.Data, order []int) *dataflow.Data {
	place := make([]uint32, d.Vertices)
	for i, v := range order {
		place[v] = uint32(i)
	}
	other := *d
	other.Sources, other.Targets = slices.Clone(d.Sources), slices.Clone(d.Targets)
	for e := range d.Sources {
		other.Sources[e], other.Targets[e] = place[d.Sources[e]], place[d.Targets[e]]
	}
	other.Inputs = map[string]dataflow.Matrix{}
	for name, rows := range d.Inputs {
		to := dataflow.NewMatrix(d.Vertices, rows.Width)
		for i, v := range order {
			copy(to.Row(i), rows.Row(v))
		}
		other.Inputs[name] = to
	}
	return &other
}

// inOrder is what a device has left of roots, with the rows of vertices in the order of the whole.
func (b *batchWork) inOrder(left []float32, order []int) (all []float32) {
	for _, root := range b.roots {
		size := root.Rows * root.Width
		if root.Place != dataflow.Vertices {
			all, left = append(all, left[:size]...), left[size:]
			continue
		}
		rows := make([]float32, len(order)*root.Width)
		for i, v := range order {
			copy(rows[v*root.Width:(v+1)*root.Width], left[i*root.Width:])
		}
		all, left = append(all, rows...), left[len(rows):]
	}
	return all
}
