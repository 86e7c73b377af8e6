package lower_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/cuda/lower"
)

// processor runs the lowered functions, and has the memory that they are about.
type processor interface {
	place(bytes []byte) (at uint64)
	read(at, width uint64) []byte
	write(at, word uint64)
	call(name string, args ...uint64) uint64
}

// rig is a lowered program on a processor, with a graph, and its interpreter beside it.
type rig struct {
	processor
	t       testing.TB
	spec    *algorithms.Program
	graph   *algorithms.Graph
	lowered *lower.Lowered
	at      uint64 // of the kernels.Program
	program kernels.Program
}

// newRig checks and lowers spec for g, to run on what `on` makes.
func newRig(t testing.TB, on func(t testing.TB, functions string) processor, spec algorithms.Program,
	g *algorithms.Graph) *rig {
	t.Helper()
	spec.State, spec.Aggregates = slices.Clone(spec.State), slices.Clone(spec.Aggregates)
	if err := algorithms.Check(&spec, g.EdgeColumns()); err != nil {
		t.Fatal(err)
	}
	lowered, err := lower.Lower(&spec)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{processor: on(t, lowered.PTX), t: t, spec: &spec, graph: g, lowered: lowered}
	n := g.N()
	r.program = kernels.Program{Vertices: uint64(n), Constants: r.words(lowered.Constants...),
		Aggregates: r.words(make([]uint64, len(spec.Aggregates))...), Acc: r.words(make([]uint64, n)...)}
	degrees := func(lists algorithms.Lists) []uint64 {
		return each(n, func(v int) uint64 { return uint64(lists.Degree(v)) })
	}
	r.program.Columns[kernels.ColumnID] = r.words(each(n, func(v int) uint64 { return uint64(g.IDs[v]) })...)
	r.program.Columns[kernels.ColumnOutDegree] = r.words(degrees(g.Out)...)
	r.program.Columns[kernels.ColumnInDegree] = r.words(degrees(g.In)...)
	for i := range spec.State {
		r.program.Columns[kernels.ColumnState+i] = r.words(make([]uint64, n)...)
	}
	r.at = r.structure(r.program)
	return r
}

func each(n int, of func(int) uint64) []uint64 {
	words := make([]uint64, n)
	for i := range words {
		words[i] = of(i)
	}
	return words
}

func (r *rig) words(words ...uint64) driver.Pointer { return driver.Pointer(r.structure(words)) }

// structure places what has no pointers of Go in it.
func (r *rig) structure(s any) uint64 {
	bytes, err := binary.Append(nil, binary.LittleEndian, s)
	if err != nil {
		r.t.Fatal(err)
	}
	return r.place(bytes)
}

// agree runs the program beside its interpreter, some iterations, and compares the state after each.
func (r *rig) agree(iterations int) {
	r.t.Helper()
	oracle, err := algorithms.NewInterpreter(r.graph, r.spec)
	if err != nil {
		r.t.Fatal(err)
	}
	for v := range r.graph.N() {
		r.call("penstock_init", r.at, uint64(v))
	}
	r.compare("init", oracle.State())
	for i, converged := 0, false; i < iterations && !converged; i++ {
		r.iterate(oracle.Active())
		for _, lists := range r.directions() {
			if err := oracle.Send(lists); err != nil {
				r.t.Fatal(err)
			}
		}
		if _, converged, err = oracle.Apply(); err != nil {
			r.t.Fatal(err)
		}
		r.compare(fmt.Sprint("iteration ", i+1), oracle.State())
	}
}

func (r *rig) directions() []algorithms.Lists {
	switch {
	case r.spec.Edges == algorithms.Forward || !r.graph.Directed:
		return []algorithms.Lists{r.graph.Out}
	case r.spec.Edges == algorithms.Backward:
		return []algorithms.Lists{r.graph.In}
	}
	return []algorithms.Lists{r.graph.Out, r.graph.In}
}

func (r *rig) iterate(active []bool) {
	n := r.graph.N()
	for k := range r.spec.Aggregates {
		sum := 0.0
		for v := range n {
			sum += math.Float64frombits(r.call("penstock_aggregate", r.at, uint64(k), uint64(v)))
		}
		r.put(r.program.Aggregates, k, math.Float64bits(sum))
	}
	for v := range n {
		r.put(r.program.Acc, v, r.identity())
	}
	for _, lists := range r.directions() {
		r.send(lists, active)
	}
	for v := range n {
		r.call("penstock_apply", r.at, uint64(v))
	}
}

func (r *rig) send(lists algorithms.Lists, active []bool) {
	var chunk kernels.Chunk
	for i, name := range r.spec.EdgeColumns {
		column := lists.Columns[name]
		chunk.Columns[i] = r.words(each(len(column), func(k int) uint64 { return math.Float64bits(column[k]) })...)
	}
	at := r.structure(chunk)
	for u := range r.graph.N() {
		for k := lists.Offsets[u]; k < lists.Offsets[u+1] && active[u]; k++ {
			v := int(lists.Neighbors[k])
			message := r.call("penstock_process", r.at, at, uint64(u), uint64(v), uint64(k))
			r.put(r.program.Acc, v, r.combine(r.word(uint64(r.program.Acc)+8*uint64(v)), message))
		}
	}
}

func (r *rig) put(to driver.Pointer, i int, word uint64) { r.write(uint64(to)+8*uint64(i), word) }

func (r *rig) word(at uint64) uint64 { return binary.LittleEndian.Uint64(r.read(at, 8)) }

func (r *rig) identity() uint64 {
	switch reduce := r.spec.Reduce; r.lowered.AccType {
	case algorithms.Float:
		return math.Float64bits(reduce.FloatIdentity())
	case algorithms.Bool:
		return bit(reduce.BoolIdentity())
	default:
		return uint64(reduce.IntIdentity())
	}
}

func (r *rig) combine(a, b uint64) uint64 {
	switch reduce := r.spec.Reduce; r.lowered.AccType {
	case algorithms.Float:
		return math.Float64bits(reduce.CombineFloats(math.Float64frombits(a), math.Float64frombits(b)))
	case algorithms.Bool:
		return bit(reduce.CombineBools(a != 0, b != 0))
	default:
		return uint64(reduce.CombineInts(int64(a), int64(b)))
	}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// compare holds the state against what it should be: the same bits, or NaN for NaN.
func (r *rig) compare(when string, want []algorithms.Values) {
	r.t.Helper()
	for i, column := range want {
		at := uint64(r.program.Columns[kernels.ColumnState+i])
		for v := range r.graph.N() {
			var got, expected uint64
			switch r.lowered.StateTypes[i] {
			case algorithms.Float:
				got, expected = r.word(at+8*uint64(v)), math.Float64bits(column.Floats[v])
				if x := math.Float64frombits(got); x != x && column.Floats[v] != column.Floats[v] {
					continue
				}
			case algorithms.Bool:
				got, expected = uint64(r.read(at+uint64(v), 1)[0]), bit(column.Bools[v])
			default:
				got, expected = r.word(at+8*uint64(v)), uint64(column.Ints[v])
			}
			if got != expected {
				r.t.Fatalf("%s: %s of vertex %d is %#x; expected %#x\n%+v\n%s", when, column.Name, v, got, expected, r.spec,
					r.lowered.PTX)
			}
		}
	}
}
