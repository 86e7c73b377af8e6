package schedule

import (
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
)

// costly has unlike prices, so that whatever is mistaken for another shows.
var costly = Costs{Read: 2, Look: 3, Cut: 5, Link: 7, Check: 11, Step: 13, Measured: true, Readers: 4}

func costlyState() State {
	return State{
		Chunks: []Chunk{{Rows: 10, Edges: 100, Bytes: 1000}},
		Demand: []uint64{25},
		Lists:  []uint64{3},
		Costs:  costly,
	}
}

// cutBytes is what the lists of costlyState take: a vertex and a place for each, and a quarter of the edges.
const cutBytes = 8*3 + 0.25*(1000-4*10)

func TestPredict(t *testing.T) {
	for _, c := range []struct {
		what   string
		part   bool
		change func(*State)
		want   Stages
	}{
		{"whole", false, func(*State) {}, Stages{1000 * 2 / 4., 1000 * 7, 1000*11 + 25*13}},
		{"whole, of no demand", false, func(s *State) { s.Demand = nil }, Stages{1000 * 2 / 4., 1000 * 7, 1000*11 + 100*13}},
		{"on the device", false, func(s *State) { s.Chunks[0].Here = true }, Stages{0, 0, 25 * 13}},
		{"read already", false, func(s *State) { s.Chunks[0].InArena = true }, Stages{0, 1000 * 7, 1000*11 + 25*13}},
		{"no readers", false, func(s *State) { s.Costs.Readers = 0 }, Stages{1000 * 2, 1000 * 7, 1000*11 + 25*13}},
		{"cut, never seen", true, func(*State) {}, Stages{(cutBytes*5 + 1000*3) / 4, cutBytes * 7, cutBytes*11 + 25*13}},
		{"cut, seen", true, func(s *State) { s.Chunks[0].Seen = true },
			Stages{cutBytes * 5 / 4, cutBytes * 7, cutBytes*11 + 25*13}},
		{"cut out of one page of four", true, func(s *State) { s.Costs.Page, s.Lists[0], s.Demand[0] = 100, 1, 0 },
			Stages{(8*5 + (1000-400*3/4.)*3) / 4, 8 * 7, 8 * 11}},
		{"cut out of one page of one, which a list is in", true, func(s *State) { s.Costs.Page, s.Demand[0] = 1<<20, 0 },
			Stages{(8*3*5 + 1000*3) / 4., 8 * 3 * 7, 8 * 3 * 11}},
		{"cut out of whole pages, by long lists", true, func(s *State) { s.Costs.Page, s.Demand[0] = 1, 1e6; s.Entry = 1 },
			Stages{((1e6+24)*5 + 1000*3) / 4, (1e6 + 24) * 7, (1e6+24)*11 + 1e6*13}},
		{"cut by the device", true, func(s *State) { s.Selects = true },
			Stages{1000 * 2 / 4., cutBytes * 7, cutBytes*11 + 25*13}},
	} {
		s := costlyState()
		c.change(&s)
		load := Load{Part: c.part}
		if got := s.Predict([]Load{load}); !near(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
		twice := Stages{2 * c.want.Prepare, 2 * c.want.Link, 2 * c.want.Device}
		if got := s.Predict([]Load{load, load}); !near(got, twice) {
			t.Errorf("%s, twice: %+v, want %+v", c.what, got, twice)
		}
	}
}

func near(a, b Stages) bool {
	d := a.minus(b)
	return math.Max(math.Abs(d.Prepare), math.Max(math.Abs(d.Link), math.Abs(d.Device))) < 1e-9
}

func TestStages(t *testing.T) {
	a := Stages{1, 2, 3}
	for _, c := range []struct {
		b    Stages
		want bool
	}{
		{Stages{1, 2, 4}, true},  // ends later
		{Stages{9, 0, 0}, true},  // ends later, with other work
		{Stages{3, 3, 2}, true},  // as long, with more work
		{Stages{1, 2, 3}, false}, // the same
		{Stages{2, 2, 3}, true},  // more work
		{Stages{1, 3, 3}, true},
		{Stages{0, 2, 3}, false}, // less work
		{Stages{1, 1, 3}, false},
		{Stages{1, 2, 2.5}, false},
	} {
		if got := a.shorter(c.b); got != c.want {
			t.Errorf("%+v is shorter than %+v: %v", a, c.b, got)
		}
	}
	for want, s := range map[string]Stages{"reading and cutting": {3, 2, 1}, "the link": {1, 3, 2},
		"the device": {1, 2, 3}} {
		if got := s.bound(); got != want {
			t.Errorf("%+v is bound by %s", s, got)
		}
	}
}

// A chunk is cut from the sparsest on; one that stays is sent whole once its lists have come to as much.
func TestAuto_Sparsest(t *testing.T) {
	s := State{All: true, Costs: Costs{Readers: 1}}
	for _, share := range []uint64{50, 10, 90, 30} {
		s.Chunks = append(s.Chunks, Chunk{Rows: 10, Edges: 100, Bytes: 1000})
		s.Demand, s.Lists = append(s.Demand, share), append(s.Lists, 1)
	}
	loads := Whole(s)
	if got := s.sparsest(loads); !slices.Equal(got, []int{1, 3, 0, 2}) {
		t.Errorf("in order of their shares they are %v", got)
	}
	s.Chunks[1].Here = true
	s.Lists[2] = 1000 // its lists take more than all
	s.Chunks[3].Stays = true
	bytes := 8 + uint64(0.3*(1000-40))
	if s.Chunks[3].Sent = 1000 - bytes; !slices.Equal(s.sparsest(loads), []int{0}) {
		t.Errorf("what is here, what takes more, and what pays are cut: %v", s.sparsest(loads))
	}
	if s.Chunks[3].Sent--; !slices.Equal(s.sparsest(loads), []int{3, 0}) {
		t.Errorf("what does not yet pay is not cut: %v", s.sparsest(loads))
	}
}

func TestTotal(t *testing.T) {
	got := Total([]Use{{1, 20, 300}, {4, 50, 600}})
	if got != (Use{5, 70, 900}) {
		t.Errorf("got %+v", got)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		arriving     []uint32
		parts, align int
		want         []chunk.Interval
	}{
		{nil, 3, 1, nil},
		{[]uint32{1, 1, 1, 1, 1, 1}, 3, 1, []chunk.Interval{{Base: 0, Count: 2}, {Base: 2, Count: 2}, {Base: 4, Count: 2}}},
		{[]uint32{1, 1, 1, 1, 1, 1}, 3, 4, []chunk.Interval{{Base: 0, Count: 4}, {Base: 4, Count: 2}}},
		{[]uint32{9, 1, 1, 1}, 2, 1, []chunk.Interval{{Base: 0, Count: 1}, {Base: 1, Count: 3}}},
		{[]uint32{1, 1, 1, 9}, 2, 1, []chunk.Interval{{Base: 0, Count: 4}}},
		{[]uint32{5, 5}, 4, 1, []chunk.Interval{{Base: 0, Count: 1}, {Base: 1, Count: 1}}},
		{[]uint32{1, 2, 3, 4}, 1, 1, []chunk.Interval{{Base: 0, Count: 4}}},
		{[]uint32{0, 6, 0, 6, 0}, 2, 2, []chunk.Interval{{Base: 0, Count: 2}, {Base: 2, Count: 3}}},
	} {
		if got := Cut(c.arriving, c.parts, c.align); !slices.Equal(got, c.want) {
			t.Errorf("Cut(%v, %d, %d) = %v, want %v", c.arriving, c.parts, c.align, got, c.want)
		}
	}
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		word uint64
		i    chunk.Interval
		want uint64
	}{
		{0, chunk.Interval{Base: 0, Count: 64}, ^uint64(0)},
		{1, chunk.Interval{Base: 64, Count: 64}, ^uint64(0)},
		{1, chunk.Interval{Base: 0, Count: 200}, ^uint64(0)},
		{0, chunk.Interval{Base: 1, Count: 1}, 2},
		{1, chunk.Interval{Base: 63, Count: 2}, 1},
		{0, chunk.Interval{Base: 63, Count: 2}, 1 << 63},
		{2, chunk.Interval{Base: 130, Count: 3}, 7 << 2},
	} {
		if got := Within(c.word, c.i); got != c.want {
			t.Errorf("Within(%d, %v) = %x, want %x", c.word, c.i, got, c.want)
		}
	}
}

// TestAuto_BytesHaveAPrice: time alone says that a chunk is to be sent whole; by what its bytes are worth it is cut.
func TestAuto_BytesHaveAPrice(t *testing.T) {
	s := costlyState()
	s.All, s.Costs = true, Costs{Cut: 1, Look: 1, Measured: true, Readers: 1}
	if loads := Auto(s); loads[0].Part {
		t.Errorf("cut, which takes longer, where bytes are worth nothing: %+v", loads)
	}
	s.Costs.Byte = 2 // cutting takes less than 2 for each byte that it saves
	if loads := Auto(s); !loads[0].Part {
		t.Errorf("whole, where bytes are dear: %+v", loads)
	}
	if got := s.Bytes(Load{}); got != 1000 {
		t.Errorf("whole: %v bytes", got)
	}
	if got := s.Bytes(Load{Part: true}); got != cutBytes {
		t.Errorf("cut: %v bytes, want %v", got, cutBytes)
	}
	if s.Chunks[0].Here = true; s.Bytes(Load{}) != 0 {
		t.Errorf("on the device: %v bytes", s.Bytes(Load{}))
	}
}
