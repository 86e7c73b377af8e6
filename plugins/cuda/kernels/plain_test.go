package kernels_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// plain is the kernels that need no program, on a card.
type plain struct {
	*card
	*kernels.Plain
}

func newPlain(c *card) plain {
	p, err := kernels.LoadPlain()
	must(c.t, err)
	c.t.Cleanup(func() { p.Unload() })
	return plain{c, p}
}

// randomPart is a part of a random graph's lists, and its intervals' lengths.
func randomPart(rng *rand.Rand) (l csr, rows, cols uint64) {
	g := oracletest.RandomGraph(rng, oracletest.Config{MaxVertices: 2000})
	r, c := intervals(rng, g.N())[0], intervals(rng, g.N())[0]
	return part(g.Out, nil, r, c, rng.IntN(2) == 0), uint64(r.to - r.from), uint64(c.to - c.from)
}

// invalid is what Validate says of a chunk, and how many rows the chunk has then.
func (p plain) invalid(l csr, rows, cols uint64) (flags, left uint64) {
	p.t.Helper()
	r, flag := p.resident(l), up(p.card, uint64(0))
	must(p.t, p.Validate(p.stream, r, rows, cols, flag))
	return down[uint64](p.card, flag, 1)[0], down[kernels.Chunk](p.card, r.At, 1)[0].Rows
}

func TestValidate_TakesWhatIsWhole(t *testing.T) {
	eachSeed(t, 20, func(c *card, rng *rand.Rand) {
		l, rows, cols := randomPart(rng)
		if flags, left := newPlain(c).invalid(l, rows, cols); flags != 0 || left != uint64(len(l.offsets)-1) {
			c.t.Fatalf("flags %b, %d rows left of %d", flags, left, len(l.offsets)-1)
		}
	})
}

// One value that is off is found, wherever it is, and leaves the chunk without rows.
func TestValidate_FindsDamage(t *testing.T) {
	eachSeed(t, 40, func(c *card, rng *rand.Rand) {
		l, rows, cols := randomPart(rng)
		var want uint64
		switch rng.IntN(3) {
		case 0:
			at := rng.IntN(len(l.offsets))
			l.offsets[at] += int32(1+rng.IntN(2)) * int32(len(l.neighbors)+1)
			want = kernels.BadOffsets
		case 1:
			if len(l.vertices) == 0 {
				c.t.Skip("every vertex of the chunk that was drawn has a row: other seeds leave some out")
			}
			at := rng.IntN(len(l.vertices))
			l.vertices[at] = uint32(rows) // which is too much, and more than what follows
			want = kernels.BadVertices
		case 2:
			if len(l.neighbors) == 0 {
				c.t.Skip("the chunk that was drawn has no edges: other seeds have some")
			}
			l.neighbors[rng.IntN(len(l.neighbors))] = uint32(cols) + rng.Uint32N(3)
			want = kernels.BadNeighbors
		}
		if flags, left := newPlain(c).invalid(l, rows, cols); flags != want || left != 0 {
			c.t.Fatalf("flags %b, %d rows left; expected %b, none", flags, left, want)
		}
	})
}

func TestValidate_FindsMoreRowsThanVertices(t *testing.T) {
	l := csr{offsets: []int32{0, 0, 0, 0}}
	if flags, left := newPlain(newCard(t)).invalid(l, 2, 9); flags != kernels.BadVertices || left != 0 {
		t.Fatalf("flags %b, %d rows left", flags, left)
	}
}

func TestValidateWeights(t *testing.T) {
	p, r := newPlain(newCard(t)), testseed.Rand(t)
	for _, bad := range []float64{math.NaN(), -1e-300, math.Inf(-1)} {
		weights := make([]float64, 1000)
		weights[1], weights[2] = math.Inf(1), math.Copysign(0, -1)
		flag := up(p.card, uint64(0))
		must(t, p.ValidateWeights(p.stream, up(p.card, weights...), 1000, flag))
		if flags := down[uint64](p.card, flag, 1)[0]; flags != 0 {
			t.Errorf("flags %b of weights that are 0 or more", flags)
		}
		weights[r.IntN(1000)] = bad
		must(t, p.ValidateWeights(p.stream, up(p.card, weights...), 1000, flag))
		if flags := down[uint64](p.card, flag, 1)[0]; flags != kernels.BadWeights {
			t.Errorf("flags %b with a weight of %v", flags, bad)
		}
	}
}

func TestConvert(t *testing.T) {
	p := newPlain(newCard(t))
	converts(p, arrow.PrimitiveTypes.Float64, 1.5, math.Copysign(0, -1), math.Inf(1), 5e-324)
	converts[float32](p, arrow.PrimitiveTypes.Float32, 1.1, math.MaxFloat32, math.SmallestNonzeroFloat32)
	converts[int64](p, arrow.PrimitiveTypes.Int64, math.MinInt64, math.MaxInt64, 1<<53+1, -1)
	converts[int32](p, arrow.PrimitiveTypes.Int32, math.MinInt32, math.MaxInt32)
	converts[int16](p, arrow.PrimitiveTypes.Int16, math.MinInt16, math.MaxInt16)
	converts[int8](p, arrow.PrimitiveTypes.Int8, math.MinInt8, math.MaxInt8)
	converts[uint64](p, arrow.PrimitiveTypes.Uint64, math.MaxUint64, 1<<63, 1<<53+1)
	converts[uint32](p, arrow.PrimitiveTypes.Uint32, math.MaxUint32)
	converts[uint16](p, arrow.PrimitiveTypes.Uint16, math.MaxUint16)
	converts[uint8](p, arrow.PrimitiveTypes.Uint8, math.MaxUint8)
	if _, ok := kernels.NumericOf(arrow.BinaryTypes.String); ok {
		t.Error("a string is numeric")
	}
}

// converts compares with Go's conversion, with and without nulls.
func converts[T float64 | float32 | int64 | int32 | int16 | int8 | uint64 | uint32 | uint16 | uint8](p plain,
	of arrow.DataType, some ...T) {
	p.t.Helper()
	numeric, ok := kernels.NumericOf(of)
	if !ok {
		p.t.Fatalf("%s is not numeric", of)
	}
	values := make([]T, 1000)
	valid := make([]byte, 125)
	r := testseed.Rand(p.t)
	for i := range values {
		values[i] = some[i%len(some)]
		valid[i/8] |= byte(r.IntN(2)) << (i % 8)
	}
	to := p.alloc(8 * 1000)
	for _, validity := range []driver.Pointer{0, up(p.card, valid...)} {
		must(p.t, p.Convert(p.stream, to, up(p.card, values...), numeric, validity, 1000))
		for i, got := range down[uint64](p.card, to, 1000) {
			want := float64(values[i])
			if validity != 0 && valid[i/8]>>(i%8)&1 == 0 {
				want = math.NaN()
			}
			if got != math.Float64bits(want) {
				p.t.Fatalf("value %d, a %s, is %v; expected %v", i, of, math.Float64frombits(got), want)
			}
		}
	}
}

// sizes are at the edges of words, blocks and tiles.
var sizes = []uint64{0, 1, 63, 64, 65, 255, 256, 257, 2047, 2048, 2049, 16384, 16385, 600_000}

func TestScan(t *testing.T) {
	p, r := newPlain(newCard(t)), testseed.Rand(t)
	for _, n := range sizes {
		values, want, sum := make([]uint32, n+1), make([]uint64, n+1), uint64(0)
		for i := range want {
			values[i], want[i] = r.Uint32(), sum // beyond 32 bits soon
			sum += uint64(values[i])
		}
		to, scratch := p.alloc(8*n+8), p.alloc(kernels.ScanScratch(n))
		must(t, p.Scan(p.stream, to, up(p.card, values...), n, scratch))
		if got := down[uint64](p.card, to, int(n+1)); !slices.Equal(got, want) {
			t.Fatalf("of %d values: %v; expected %v", n, got, want)
		}
	}
}

// Members are counted and listed, whatever the bits behind the last vertex are.
func TestPopcountAndCompact(t *testing.T) {
	p, r := newPlain(newCard(t)), testseed.Rand(t)
	for _, n := range sizes {
		words := make([]uint64, n/64+1)
		for i := range words {
			words[i] = r.Uint64() & r.Uint64()
		}
		var want []uint32
		for v := range n {
			if words[v/64]>>(v%64)&1 == 1 {
				want = append(want, uint32(v))
			}
		}
		bitmap, count, list := up(p.card, words...), p.alloc(8), p.alloc(4*n+4)
		must(t, p.Popcount(p.stream, count, bitmap, n))
		if got := down[uint64](p.card, count, 1)[0]; got != uint64(len(want)) {
			t.Fatalf("%d members among %d; expected %d", got, n, len(want))
		}
		must(t, p.stream.Fill64(count, math.MaxUint64, 1))
		must(t, p.Compact(p.stream, list, count, bitmap, n, p.alloc(kernels.CompactScratch(n))))
		if got := down[uint64](p.card, count, 1)[0]; got != uint64(len(want)) ||
			!slices.Equal(down[uint32](p.card, list, len(want)), want) {
			t.Fatalf("of %d vertices %d are listed; expected %d", n, got, len(want))
		}
	}
}

// exp and log are those of Go but for two units in the last place at most.
func TestExponential(t *testing.T) {
	exp := func(x float64) float64 {
		if 709 < x && x < 709.78 {
			return math.Exp(x-8) * math.Exp(8) // on amd64 Go's Exp of these is infinite already
		}
		return math.Exp(x)
	}
	random := testseed.Rand(t)
	for _, f := range []struct {
		source string
		of     func(float64) float64
		scale  float64
	}{
		{"exp(double(id) / 4294967296.0)", func(x float64) float64 { return exp(x / (1 << 32)) }, 760 << 32},
		{"exp(double(id) / 1e18)", func(x float64) float64 { return math.Exp(x / 1e18) }, math.MaxInt64},
		{"log(double(id))", math.Log, math.MaxInt64},
		{"log(1.0 + double(id) / 1e19)", func(x float64) float64 { return math.Log(1 + x/1e19) }, math.MaxInt64},
		// Go's Log of these is off
		{"log(double(id) * 5e-324)", func(x float64) float64 { return math.Log(x) - 1074*math.Ln2 }, 1 << 53},
		{"log(double(id) * 1e289)", func(x float64) float64 { return math.Log(x * 1e289) }, math.MaxInt64},
		{"exp(double(id) * inf)", func(x float64) float64 { return math.Exp(x * math.Inf(1)) }, 3},
	} {
		c := newCard(t)
		spec := algorithms.Program{State: []algorithms.State{state("x", algorithms.Float, f.source, "self.x")},
			Process: expr("src.x"), Reduce: algorithms.Min}
		ids := make([]int64, 3000)
		for i := range ids {
			ids[i] = int64((2*random.Float64() - 1) * f.scale)
		}
		ids[0], ids[1] = 0, 1
		r := newRun(c, rand.New(rand.NewPCG(0, 0)), algorithms.NewGraph(true, ids, nil), spec)
		must(t, r.template.Init(r.stream, r.state))
		for i, got := range r.values(0).Floats {
			if want := f.of(float64(ids[i])); ulps(got, want) > 3 {
				t.Fatalf("%s is %v for %d; expected %v", f.source, got, ids[i], want)
			}
		}
	}
}

// ulps is how many doubles lie from a to b; NaNs are alike.
func ulps(a, b float64) uint64 {
	if a != a && b != b {
		return 0
	}
	x, y := math.Float64bits(a), math.Float64bits(b)
	if x>>63 != y>>63 || a != a || b != b {
		return math.MaxUint64
	}
	d, borrow := bits.Sub64(x, y, 0)
	if borrow == 1 {
		return y - x
	}
	return d
}
