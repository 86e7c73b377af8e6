package network

import (
	"context"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/npu/internal/lowering"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
)

// tile is a model for some rows, and some columns of pairs, that is run for one block after the other: with memory of
// its own, from which the model reads and to which it writes. Only parameters it reads where they are.
type tile struct {
	*lowering.Model
	rows, columns int
	session       *ort.Session
	binding       *ort.Binding
	memory        map[string][]float32 // by operand, but for parameters
}

// Tiles are no larger than this, so that what has no edge in a sparse graph is rather left out than multiplied.
const (
	tileRows    = 256
	tileColumns = 1024
)

// newTile plans the largest tile that takes no more than limit. A model of nothing has none.
func newTile(rows, columns int, limit uint64, write func(rows, columns int) (*lowering.Model, error)) (*tile, error) {
	rows, columns = max(1, min(rows, tileRows)), max(1, min(columns, tileColumns))
	for {
		m, err := write(rows, columns)
		if err != nil || len(m.Outputs) == 0 {
			return nil, err
		}
		t := &tile{Model: m, rows: rows, columns: columns}
		switch {
		case t.bytes() <= limit || rows == 1 && columns == 1:
			return t, nil
		case columns >= rows:
			columns = (columns + 1) / 2
		default:
			rows = (rows + 1) / 2
		}
	}
}

// isParameter says whether an operand is read where it is.
func isParameter(o lowering.Operand) bool {
	return o.Kind == lowering.Own && o.Value.Place == dataflow.Parameters
}

// bytes is what a tile takes.
func (t *tile) bytes() uint64 {
	bytes := t.Scratch
	for _, list := range [][]lowering.Operand{t.Inputs, t.Outputs} {
		for _, o := range list {
			if !isParameter(o) {
				bytes += o.Bytes()
			}
		}
	}
	return bytes
}

// open makes the session of a tile, with memory bound.
func (t *tile) open(on Runtime, threads int, parameters map[*dataflow.Value][]float32) (err error) {
	options := on.Options
	options.Threads = threads
	if t.session, err = on.Library.NewSession(t.Graph.Model(), options); err != nil {
		return err
	}
	if t.binding, err = t.session.Bind(); err != nil {
		return err
	}
	t.memory = map[string][]float32{}
	for _, list := range [][]lowering.Operand{t.Inputs, t.Outputs} {
		for _, o := range list {
			if t.memory[o.Name] = parameters[o.Value]; !isParameter(o) {
				t.memory[o.Name] = make([]float32, o.Bytes()/4)
			}
		}
	}
	if err := t.bindInputs(); err != nil {
		return err
	}
	for _, o := range t.Outputs {
		if err := t.binding.BindOutput(o.Name, o.Type, o.Shape, onnx.Bytes(t.memory[o.Name])); err != nil {
			return err
		}
	}
	return nil
}

func (t *tile) bindInputs() error {
	for _, o := range t.Inputs {
		if err := t.binding.BindInput(o.Name, o.Type, o.Shape, onnx.Bytes(t.memory[o.Name])); err != nil {
			return err
		}
	}
	return nil
}

// run computes what the inputs give. Memory of a device's own takes them anew.
func (t *tile) run(ctx context.Context, on Runtime) error {
	if on.Options.Provider != ort.CPU {
		if err := t.bindInputs(); err != nil {
			return err
		}
	}
	return t.binding.Run(ctx)
}

// close ends the session.
func (t *tile) close() {
	if t == nil || t.session == nil {
		return
	}
	if t.binding != nil {
		t.binding.Close()
	}
	t.session.Close()
	t.session, t.binding, t.memory = nil, nil, nil
}
