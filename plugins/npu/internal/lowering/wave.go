package lowering

import (
	"maps"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// noneGiven says that all rows are made of what they are made of.
func noneGiven(*dataflow.Value) bool { return false }

// Pairs writes what a wave adds up along edges, for some rows and some columns, which are vertices at far ends: of
// gathers what these columns add to each row (0, where a row has no edge among them), and what they add to parameters.
func Pairs(stage *grid.Stage, wave, rows, columns int) (*Model, error) {
	w := newWriter(Size{Rows: rows, Vertices: columns, Columns: columns}, stage.End, noneGiven)
	gathers := stage.Waves[wave].Gathers
	for _, v := range gathers {
		if err := w.gather(v); err != nil {
			return nil, err
		}
	}
	for _, v := range gathers {
		if v.Place == dataflow.Vertices {
			w.output(Own, v, w.rows[v])
		}
	}
	return &w.Model, nil
}

// Rows writes what a wave computes row by row, for some rows, of which Valid tells those that there are: what the stage
// stores, or a later wave needs, and with the last wave what rows add to parameters.
func Rows(stage *grid.Stage, wave, rows int) (*Model, error) {
	w := newWriter(Size{Rows: rows}, stage.End, noneGiven)
	for _, v := range stage.Rows[wave] {
		if err := w.row(v); err != nil {
			return nil, err
		}
		if slices.Contains(stage.Stored, v) || slices.Contains(stage.Kept, v) {
			w.leave(v)
		}
	}
	if wave == len(stage.Waves)-1 {
		if err := w.sums(stage.Sums); err != nil {
			return nil, err
		}
	}
	return &w.Model, nil
}

// leave writes a row as an output, which is what others read then: where they read what the output is made of, ONNX
// Runtime 1.27 now and then takes that away from them.
func (w *writer) leave(v *dataflow.Value) {
	x := w.rows[v]
	w.output(Own, v, x)
	w.rows[v] = tensor{w.Outputs[len(w.Outputs)-1].Name, x.dims}
}

// sums writes what rows that are there add to parameters.
func (w *writer) sums(sums []*dataflow.Value) error {
	there := map[*dataflow.Value]tensor{}
	for _, v := range sums {
		for _, a := range v.Args {
			if _, known := there[a]; !known && a.Place == dataflow.Vertices {
				there[a] = w.valid(w.of(a))
			}
		}
	}
	maps.Copy(w.rows, there)
	for _, v := range sums {
		if err := w.row(v); err != nil {
			return err
		}
	}
	for _, v := range sums {
		w.output(Sum, v, w.rows[v])
	}
	return nil
}

// valid is 0 in place of rows that are not there.
func (w *writer) valid(x tensor) tensor {
	there := w.meet("Greater", w.input(Valid, nil, "valid", onnx.Float32, int64(w.size.Rows), 1), w.number(0))
	return w.meet("Where", there, x, w.number(0))
}
