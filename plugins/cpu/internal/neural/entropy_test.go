package neural

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Losses and slopes of rows, some without a class, are those of float64, and the same bits one by one, row by row or
// all at a time, however wide.
func TestCrossEntropy(t *testing.T) {
	r := testseed.Rand(t)
	for i := range 60 {
		n, width := r.IntN(200), 1+r.IntN(12)
		if i%6 == 0 {
			n, width = r.IntN(5), expNumbers-1+r.IntN(3)
		}
		x, classes := make([]float32, n*width), make([]float32, n)
		for i := range x {
			x[i] = float32(3 * r.NormFloat64())
		}
		for i := range classes {
			classes[i] = float32(r.IntN(width+1) - 1)
		}
		fill := func(n int) []float32 { // with what has to be overwritten
			rows := make([]float32, n)
			for i := range rows {
				rows[i] = float32(math.NaN())
			}
			return rows
		}
		losses, slopes, loss, slope := fill(n), fill(n*width), fill(n), fill(n*width)
		of := func(data []float32, width int) operand[float32] { return operand[float32]{data: data, width: width} }
		crossEntropy(losses, slopes, n, of(x, width), of(classes, 1))
		crossEntropy(loss, nil, n, of(x, width), of(classes, 1))
		for i := range n {
			crossEntropy(nil, slope[i*width:], 1, of(x[i*width:], width), of(classes[i:], 1))
		}
		for i, class := range classes {
			row := x[i*width : (i+1)*width]
			sum := 0.0
			for _, a := range row {
				sum += math.Exp(float64(a))
			}
			want := 0.0
			if class >= 0 {
				want = math.Log(sum) - float64(row[int(class)])
			}
			if got := losses[i]; got != loss[i] || !(math.Abs(float64(got)-want) <= 1e-5*(1+want)) {
				t.Fatalf("%d classes, row %d: loss %v, %v alone, want %v", width, i, got, loss[i], want)
			}
			for j, a := range row {
				want := 0.0
				if class >= 0 {
					want = math.Exp(float64(a)) / sum
				}
				if j == int(class) {
					want--
				}
				k := i*width + j
				if got := slopes[k]; got != slope[k] || !(math.Abs(float64(got)-want) <= 1e-5) {
					t.Fatalf("%d classes, row %d: slope %d is %v, %v alone, want %v", width, i, j, got, slope[k], want)
				}
			}
		}
	}
}

// A network of attention that learns classes makes the loss of a row with its slope, and elu with its own.
func TestPairs(t *testing.T) {
	p, made := gat(t, 2, 4), map[dataflow.Op]int{}
	for _, stage := range dataflow.NewSchedule(p.Values, append([]*dataflow.Value{p.Loss}, p.Gradients...)...).Epoch {
		e := pairs{newTable[*dataflow.Value](p.Values), newTable[bool](p.Values)}
		for i := range stage.Waves {
			e.take(&stage.Waves[i])
		}
		for _, first := range p.Values {
			second := e.first[first.ID]
			if second == nil {
				continue
			}
			slope := map[dataflow.Op]dataflow.Op{dataflow.CrossEntropy: dataflow.CrossEntropySlope,
				dataflow.Elu: dataflow.EluSlope}[first.Op]
			if made[first.Op]++; second.Op != slope || !e.second[second.ID] || second.Args[0] != first.Args[0] {
				t.Errorf("%v is made with %v", first, second)
			}
		}
	}
	if made[dataflow.CrossEntropy] != 1 || made[dataflow.Elu] != 1 {
		t.Errorf("pairs by what is made first: %v", made)
	}
}
