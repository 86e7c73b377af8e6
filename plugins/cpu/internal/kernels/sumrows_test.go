package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/cpu/internal/compile"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// What a row sums up to depends on its own list, never on the rows beside it.
func TestSumRows_EqualsEachRowAlone(t *testing.T) {
	random := testseed.Rand(t)
	for range 60 {
		r, sent := randomRows(random)
		rows := len(r.Offsets) - 1
		acc, whole := make([]float64, r.Rows.Count), make([]int64, r.Rows.Count)
		row := random.IntN(8)
		stop := rows - random.IntN(8)
		counts := make([]int64, len(sent))
		for v, x := range sent {
			counts[v] = int64(x * 1e6)
		}
		sumRows(acc, sent, r, row, stop)
		sumRows(whole, counts, r, row, stop)
		singles, narrowed := make([]float32, len(sent)), make([]float64, r.Rows.Count)
		compile.Narrow(singles, sent)
		sumRows(narrowed, singles, r, row, stop)
		for i := range rows {
			float, single, count := 0.0, 0.0, int64(0)
			if i >= row && i < stop {
				list := r.Neighbors[r.Offsets[i]:r.Offsets[i+1]]
				float += sumOf[float64](&sent[0], list)
				single += sumOf[float64](&singles[0], list)
				for _, from := range list {
					count += counts[from]
				}
			}
			if v := r.Local(i); narrowed[v] != single || math.Float64bits(acc[v]) != math.Float64bits(float) ||
				whole[v] != count {
				t.Fatalf("row %d is %v, %v and %d; expected %v, %v and %d", i, acc[v], narrowed[v], whole[v], float,
					single, count)
			}
		}
	}
}

// randomRows are sparse rows of mixed lengths, some empty and some long, and messages.
func randomRows(random *rand.Rand) (*csr.Chunk, []float64) {
	r := &csr.Chunk{Offsets: []int32{0}}
	sent := make([]float64, 1000)
	for v := range sent {
		sent[v] = random.NormFloat64()
	}
	most := 1 + random.IntN(40)>>random.IntN(4)
	for i := range 60 {
		length := random.IntN(most)
		if random.IntN(30) == 0 {
			length = longRow - 4 + random.IntN(9)
		}
		for range length {
			r.Neighbors = append(r.Neighbors, uint32(random.IntN(len(sent))))
		}
		r.Offsets = append(r.Offsets, int32(len(r.Neighbors)))
		r.Vertices = append(r.Vertices, uint32(2*i+random.IntN(2)))
	}
	r.Rows = chunk.Interval{Count: 120}
	return r, sent
}
