package drive

import (
	"math/bits"
	"slices"
	"testing"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// State is the vertex columns and the active set of a session, in an arena.
type State struct {
	T       testing.TB
	Arena   *arena.Arena
	Layout  plugins.Layout
	Results int // how many columns at the end of the layout the device computes
}

// Computed are the columns that the device computes.
func (s *State) Computed() []plugins.VertexColumn {
	return s.Layout.Columns[len(s.Layout.Columns)-s.Results:]
}

// fill writes the inputs of g, and rubbish where the device is to write.
func (s *State) fill(g *algorithms.Graph, properties []algorithms.VertexInput) {
	for _, c := range s.Layout.Columns {
		values := s.Column(c)
		for i := range int(c.Count(uint64(g.N()))) {
			switch {
			case c.Type == algorithms.Bool:
				values.Bools[i] = true
			case c.Type == algorithms.Float:
				values.Floats[i] = -12345
			case c.Name == "id":
				values.Ints[i] = g.IDs[i]
			case c.Name == "out_degree":
				values.Ints[i] = int64(g.Out.Degree(i))
			case c.Name == "in_degree":
				values.Ints[i] = int64(g.In.Degree(i))
			default:
				values.Ints[i] = -12345
			}
		}
	}
	for _, in := range properties {
		at := slices.IndexFunc(s.Layout.Columns, func(c plugins.VertexColumn) bool { return c.Name == in.Name })
		FillProperty(s.Column(s.Layout.Columns[at]), g, in)
	}
	for i := range s.Active() {
		s.Active()[i] = ^uint64(0)
	}
}

// FillProperty writes what g has of a vertex property.
func FillProperty(values algorithms.Values, g *algorithms.Graph, in algorithms.VertexInput) {
	of := g.Properties[in.Property]
	if in.Sums != "" {
		of = algorithms.Values{Column: in.Column, Floats: g.OutWeight(in.Sums)}
	}
	copy(values.Ints, of.Ints)
	copy(values.Floats, of.Floats)
	for v := range values.Floats {
		if of.Ints != nil {
			values.Floats[v] = float64(of.Ints[v])
		}
	}
}

// fillVectors writes those rows of a layout that are vertex properties of g.
func (s *State) fillVectors(g *algorithms.Graph, vectors []algorithms.VectorInput) {
	for _, in := range vectors {
		at := slices.IndexFunc(s.Layout.Rows, func(r plugins.VertexRows) bool { return r.Name == in.Name })
		numbers, err := s.Arena.Float32s(s.Layout.Rows[at].Range)
		if err != nil {
			s.T.Fatal(err)
		}
		rows, err := g.VectorRows(in)
		if err != nil {
			s.T.Fatal(err)
		}
		copy(numbers, rows)
	}
}

// Column is a vertex column in the arena.
func (s *State) Column(c plugins.VertexColumn) algorithms.Values {
	values := algorithms.Values{Column: c.Column}
	var err error
	switch c.Type {
	case algorithms.Float:
		values.Floats, err = s.Arena.Float64s(c.Range)
	case algorithms.Bool:
		var b []byte
		b, err = s.Arena.Bytes(c.Range)
		values.Bools = asBools(b)
	default:
		values.Ints, err = s.Arena.Int64s(c.Range)
	}
	if err != nil {
		s.T.Fatal(err)
	}
	return values
}

// Bitmap is a set of vertices in the arena.
func (s *State) Bitmap(at arena.Range) []uint64 {
	words, err := s.Arena.Uint64s(at)
	if err != nil {
		s.T.Fatal(err)
	}
	return words
}

// Active is the active set.
func (s *State) Active() []uint64 { return s.Bitmap(s.Layout.Active) }

// Copies are copies of the columns that the device has computed.
func (s *State) Copies() []algorithms.Values {
	var results []algorithms.Values
	for _, c := range s.Computed() {
		values := s.Column(c)
		values.Floats = slices.Clone(values.Floats)
		values.Ints = slices.Clone(values.Ints)
		values.Bools = slices.Clone(values.Bools)
		results = append(results, values)
	}
	return results
}

// Take copies computed columns and active set of another session, and nothing else.
func (s *State) Take(from *State) {
	for i, c := range s.Computed() {
		to, values := s.Column(c), from.Column(from.Computed()[i])
		copy(to.Floats, values.Floats)
		copy(to.Ints, values.Ints)
		copy(to.Bools, values.Bools)
	}
	copy(s.Active(), from.Active())
}

// TakeShare is take for the vertices of a share alone.
func (s *State) TakeShare(from *State, share chunk.Interval) {
	base, end := share.Base, share.End()
	for i, c := range s.Computed() {
		to, values := s.Column(c), from.Column(from.Computed()[i])
		switch {
		case to.Floats != nil:
			copy(to.Floats[base:end], values.Floats[base:end])
		case to.Ints != nil:
			copy(to.Ints[base:end], values.Ints[base:end])
		case to.Bools != nil:
			copy(to.Bools[base:end], values.Bools[base:end])
		}
	}
	copy(s.Active()[base/64:(end+63)/64], from.Active()[base/64:(end+63)/64])
}

// check compares the active set of n vertices with what the device says of it. Places are for plans that cut lists.
func (s *State) check(it plugins.Iteration, n int, cuts bool) {
	s.T.Helper()
	count := 0
	for i, word := range s.Active() {
		count += bits.OnesCount64(word)
		if beyond := n - 64*i; beyond < 64 && word>>beyond != 0 {
			s.T.Errorf("iteration %d: the active set names vertices that there are not", it.Number)
		}
	}
	if uint64(count) != it.Active {
		s.T.Errorf("iteration %d: %d active vertices in the arena, %d by the event", it.Number, count, it.Active)
	}
	if p := it.Places; p != (chunk.Places{}) && !cuts || 0 < p.To && p.To <= p.From {
		s.T.Errorf("iteration %d asks for entries %+v of the active rows' lists", it.Number, p)
	}
}

// asBools reads bytes that hold 0 or 1.
func asBools(b []byte) []bool {
	return unsafe.Slice((*bool)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}
