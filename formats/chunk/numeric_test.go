package chunk_test

import (
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

func TestFloat64s_EveryNumericType(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	for _, numeric := range []arrow.DataType{
		arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64,
		arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64,
		arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64,
	} {
		for text, want := range map[string][]float64{"[3, 100]": {3, 100}, "[null, 7]": {math.NaN(), 7}} {
			values, _, err := array.FromJSON(mem, numeric, strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			c := chunktest.FromCSR(t, mem, chunk.Meta{Rows: interval(1), Cols: interval(1)}, nil, []int32{0, 2}, []uint32{0, 0},
				chunk.EdgeColumn{Name: "weight", Values: values})
			values.Release()
			got, ok := c.Float64s("weight")
			if !ok || len(got) != 2 || got[1] != want[1] || got[0] != want[0] && !(math.IsNaN(want[0]) && math.IsNaN(got[0])) {
				t.Errorf("%v %s reads as %v, %v; expected %v", numeric, text, got, ok, want)
			}
		}
	}
}

func TestFloat64s_NotNumericOrAbsent(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	values := randomArray(newRand(), mem, arrow.BinaryTypes.String, 1)
	defer values.Release()
	c := chunktest.FromCSR(t, mem, chunk.Meta{Rows: interval(1), Cols: interval(1)}, nil, []int32{0, 1}, []uint32{0},
		chunk.EdgeColumn{Name: "since", Values: values})
	for _, name := range []string{"since", "weight"} {
		if got, ok := c.Float64s(name); ok || got != nil {
			t.Errorf("%s reads as %v", name, got)
		}
	}
}
