package node2vec

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/embedding"
	"github.com/penstock-db/penstock/algorithms/random"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures/walks"
	"github.com/penstock-db/penstock/plugins/kit"
)

// A step of a group goes along the gradient of what it raises, as central differences have it:
//
//	Σ ln σ(x(v)·y(c)) + Σ ln σ(-x(v)·y(n)), over the pairs (v, c), and the negatives n that are not c
func TestTrainer_Gradient(t *testing.T) {
	const n, seed, rate = 9, 5, 0.5
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, width := range []int{1, 7, 16, 45, 128} {
		for _, negatives := range []int{1, 5, 40} {
			for _, pairs := range []int{1, 5, group} {
				args := algorithms.Args{Ints: map[string]int64{"negativeSamplingRate": int64(negatives)}}
				e := &learning{width: width}
				e.Args = args
				uniform := func() []float32 {
					all := make([]float32, n*width)
					for i := range all {
						all[i] = float32(r.NormFloat64() / math.Sqrt(float64(width)))
					}
					return all
				}
				x, y := uniform(), uniform()
				var all []embedding.Pair
				for range pairs {
					all = append(all, embedding.Pair{Vertex: r.Uint32N(n), Context: r.Uint32N(n)})
				}
				d, draws := everyone(n), random.New(seed)
				trained := e.newTrainer(slices.Clone(x), slices.Clone(y))
				trained.step(all, d, &draws, rate)
				objective := raised(x, y, all, trained.drawn, width)
				checkSlope(t, x, trained.x, rate, objective)
				checkSlope(t, y, trained.y, rate, objective)
				if t.Failed() {
					t.Fatalf("width %d, %d negatives, %d pairs %v", width, negatives, pairs, all)
				}
			}
		}
	}
}

// everyone draws each of n vertices as often as any other.
func everyone(n int) *drawer {
	d := &drawer{}
	for v := range n {
		d.vertices, d.sums = append(d.vertices, uint32(v)), append(d.sums, float64(v+1))
	}
	return d
}

// raised is the objective, in doubles, of the numbers as they are when it is called.
func raised(x, y []float32, pairs []embedding.Pair, drawn []uint32, width int) func() float64 {
	return func() (sum float64) {
		term := func(v, u uint32, sign float64) {
			product := 0.0
			for k := range width {
				product += float64(x[int(v)*width+k]) * float64(y[int(u)*width+k])
			}
			sum -= math.Log1p(math.Exp(-sign * product))
		}
		for _, p := range pairs {
			term(p.Vertex, p.Context, 1)
			for _, negative := range drawn {
				if negative != p.Context {
					term(p.Vertex, negative, -1)
				}
			}
		}
		return sum
	}
}

// checkSlope compares how far numbers have gone with differences of the objective, at some of them.
func checkSlope(t *testing.T, before, after []float32, rate float64, objective func() float64) {
	t.Helper()
	const h = 1.0 / 256
	for i := 0; i < len(before); i += 1 + len(before)/40 {
		was := before[i]
		before[i] = was + h
		up := objective()
		before[i] = was - h
		down := objective()
		before[i] = was
		span := float64((was + h) - (was - h))
		want, got := (up-down)/span, float64(after[i]-was)/rate
		if !(math.Abs(got-want) <= 2e-3*(1+math.Abs(want))) {
			t.Errorf("number %d goes by %v; the slope is %v", i, got, want)
		}
	}
}

// Negatives come as often as the power of their counts says.
func TestDrawer_Chances(t *testing.T) {
	args := algorithms.Args{Ints: map[string]int64{"walksPerNode": 1, "walkLength": 2, "windowSize": 1, "iterations": 1},
		Floats: map[string]float64{"negativeSamplingExponent": 0.75}}
	counts := []uint64{0, 1, 10, 100, 1000, 3}
	e := &learning{Embedding: embedding.NewEmbedding(args, len(counts))}
	e.N = len(counts)
	d, draws, found := e.newDrawers(counts)[0], random.New(1), make([]float64, len(counts))
	const all = 100_000
	for range all {
		found[d.draw(&draws)]++
	}
	sum, square := 0.0, 0.0
	for _, count := range counts {
		sum += math.Pow(float64(count), 0.75)
	}
	for v, count := range counts[1:] {
		expected := all * math.Pow(float64(count), 0.75) / sum
		square += (found[v+1] - expected) * (found[v+1] - expected) / expected
	}
	if found[0] != 0 || square > 23.5 { // of 4 degrees of freedom, once in 10,000
		t.Errorf("drawn %v times: chi-square %.1f", found, square)
	}
}

// An embedding that has grown beyond every bound is an error that names the vertex.
func TestEmbedding_GrowsBeyondBounds(t *testing.T) {
	e := &learning{width: 2, result: make([]float64, 4)}
	e.N, e.Columns = 2, kit.Columns{"id": {Ints: []int64{70, 80}}}
	network := &walks.Network{Places: []uint32{0, 1}}
	if err := e.write(network, []float32{1, 2, 3, 4}); err != nil || e.result[3] != 4 {
		t.Errorf("%v, error %v", e.result, err)
	}
	err := e.write(network, []float32{1, 2, 3, float32(math.Inf(1))})
	if err == nil || !strings.Contains(err.Error(), "vertex 80 has grown beyond every bound: give a smaller initialLearningRate") {
		t.Errorf("error %v", err)
	}
}
