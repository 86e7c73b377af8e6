package lowering

import (
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
)

func none(*dataflow.Value) bool { return false }

// What there is no operator for is refused by its name.
func TestStage_NamesTheOperator(t *testing.T) {
	x := &dataflow.Value{Op: dataflow.Input, Place: dataflow.Vertices, Width: 2, Name: "x"}
	v := &dataflow.Value{ID: 1, Op: dataflow.Property, Place: dataflow.Vertices, Width: 2, Args: []*dataflow.Value{x}}
	stage := &dataflow.Stage{Waves: []dataflow.Wave{{Rows: []*dataflow.Value{v}}}, Stored: []*dataflow.Value{v}}
	_, err := Stage(stage, Size{Rows: 2, Vertices: 2}, none)
	if plugins.KindOf(err) != plugins.KindUnsupported || !strings.Contains(err.Error(), "property") {
		t.Errorf("%v; expected %q, and the operator's name", err, plugins.KindUnsupported)
	}
}

// A gather of rows that edges take from their far ends is one product: nothing lies at pairs but the matrix itself.
func TestStage_GatherIsAProduct(t *testing.T) {
	b := dataflow.NewBuilder(false)
	sum := b.Gather(dataflow.GatherSum, dataflow.AtTarget, b.At(dataflow.AtSource, b.Input("x", 16)))
	schedule := dataflow.NewSchedule(b.Values(), sum)
	m, err := Stage(&schedule.Once[0], Size{Rows: 10, Vertices: 1000, Columns: 1000}, none)
	if err != nil {
		t.Fatal(err)
	}
	if want := uint64(10 * 16 * 4); m.Scratch != want {
		t.Errorf("its operators bring %d bytes; expected %d, the rows that are gathered", m.Scratch, want)
	}
}
