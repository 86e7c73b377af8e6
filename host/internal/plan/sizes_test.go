package plan

import (
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// What lists take is, by the edge columns: 8 bytes a list, 4 and 8 a column an edge, and 8 more for each that is
// converted.
func TestSizes(t *testing.T) {
	m := &store.Manifest{EdgeProperties: []store.Property{{Name: "f", Type: "float64"}, {Name: "i", Type: "int8"},
		{Name: "j", Type: "float32"}}}
	for _, c := range []struct {
		names []string
		want  Sizes
		entry uint64
	}{
		{nil, Sizes{}, 4}, {[]string{"f"}, Sizes{1, 0}, 12}, {[]string{"i"}, Sizes{1, 8}, 20},
		{[]string{"f", "i", "j"}, Sizes{3, 16}, 44},
	} {
		s := Computation{EdgeNames: c.names}.Sizes(m)
		if s != c.want || s.Entry() != c.entry || s.PartRoom() != uint64(2048+512*len(c.names)) ||
			s.SumRoom() != chunk.SumEdges*(8+c.entry) {
			t.Errorf("%q: %+v, entry %d, room %d", c.names, s, s.Entry(), s.PartRoom())
		}
		for _, edges := range []uint64{0, 1, 77} {
			for lists := range uint64(3) {
				room := 8*lists + edges*s.Entry()
				if s.Longest(room, int(lists)) != edges || s.Longest(room+s.Entry()-1, int(lists)) != edges {
					t.Errorf("%q: room for %d edges in %d lists holds %d", c.names, edges, lists, s.Longest(room, int(lists)))
				}
			}
		}
		each := Chunk{Size: 1000, Info: store.ChunkInfo{Rows: chunk.Interval{Count: 10}}}
		if got, want := s.CutRoom(each), Aligned(1080+s.PartRoom()); got != want {
			t.Errorf("%q: a part takes %d; expected %d", c.names, got, want)
		}
	}
}

// Ranges follow each other, aligned, with room for each column and the set.
func TestLayouts(t *testing.T) {
	columns := []algorithms.Column{{Name: "a", Type: algorithms.Bool}, {Name: "b", Type: algorithms.Float}}
	for _, vertices := range []uint64{1, 64, 65, 1000} {
		all, end := Layouts(columns, vertices, 3, 128)
		at := uint64(128)
		for _, l := range all {
			set := (vertices + 63) / 64 * 8
			for i, r := range []arena.Range{l.Columns[0].Range, l.Columns[1].Range, l.Active} {
				if want := []uint64{vertices, 8 * vertices, set}[i]; r.Offset != at || r.Length != want {
					t.Errorf("%d vertices: range %d is %+v; expected %d bytes at %d", vertices, i, r, want, at)
				}
				for at = r.End(); at%arena.Align != 0; {
					at++
				}
			}
			if l.Columns[1].Name != "b" {
				t.Errorf("column %+v", l.Columns[1])
			}
		}
		if end != at || len(all) != 3 {
			t.Errorf("%d layouts end at %d; expected %d", len(all), end, at)
		}
	}
}

// slotRoom is the largest size whose SlotBytes are at most so many.
func TestSlotRoom(t *testing.T) {
	rng := testseed.Rand(t)
	for range 1000 {
		bytes := wholePages(store.UncachedRoom) + rng.Uint64N(1<<20)
		if room := slotRoom(bytes); SlotBytes(room) > bytes || SlotBytes(room+1) <= bytes {
			t.Fatalf("of %d bytes, %d are room: %d, %d", bytes, room, SlotBytes(room), SlotBytes(room+1))
		}
	}
	below := Downward{At: 100}
	if a, b := below.Place(30), below.Place(20); a != (arena.Range{Offset: 70, Length: 30}) ||
		b != (arena.Range{Offset: 50, Length: 20}) {
		t.Errorf("%+v, %+v", a, b)
	}
}

func TestBudget(t *testing.T) {
	for _, c := range []struct{ asked, memory, machine, want uint64 }{
		{0, 0, 1 << 30, 1 << 29}, {0, 0, 2 * programs, programs}, {0, 0, 80 << 20, 28 << 20}, {0, 0, 60 << 20, 15 << 20},
		{0, 0, 1000, 250}, {1, 0, 1000, 1}, {5000, 0, 1000, 5000}, {1, 800, 1000, 1}, {0, 800, 1000, 700},
		{600, 800, 1000, 600}, {900, 800, 1000, 800}, {0, 1, 1000, 0},
	} {
		if got := Budget(c.asked, plugins.Description{Memory: c.memory}, c.machine); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// Every chunk has room of its own below the columns, which begin with a page, and behind them is room for other
// columns.
func TestArena(t *testing.T) {
	for _, entry := range goldenGraphs {
		g := entry.graph
		c := Computation{}
		whole, size, err := c.Arena(g, 1<<30, false, 1)
		cut, _, cutErr := c.Arena(g, 1<<30, true, 1)
		_, least, leastErr := c.Arena(g, 1, false, 1)
		if err != nil || cutErr != nil || leastErr != nil {
			t.Fatal(err, cutErr, leastErr)
		}
		var chunks, slots, parts, largest uint64
		count := 0
		for _, d := range Directions(g.Manifest()) {
			for _, info := range g.Chunks(d) {
				at := whole.Places[ChunkName{d, info.Number}]
				if at != (arena.Range{Offset: chunks, Length: uint64(info.Bytes)}) {
					t.Errorf("%s: chunk %d is at %+v; expected %d", entry.name, info.Number, at, chunks)
				}
				chunks = Aligned(at.End())
				slots += SlotBytes(at.Length)
				parts += Aligned(at.Length + 8*info.Rows.Count + 2048)
				largest = max(largest, SlotBytes(at.Length+2048)+wholePages(BitmapBytes(g.vertices)))
				count++
			}
		}
		if len(whole.Places) != count || whole.Columns != wholePages(chunks+slots+4*largest) ||
			cut.Columns != wholePages(chunks+slots+parts+4*largest) {
			t.Errorf("%s: %d places, columns at %d and %d", entry.name, len(whole.Places), whole.Columns, cut.Columns)
		}
		if size != whole.Columns+1<<30 || least != whole.Columns+128*g.vertices {
			t.Errorf("%s: %d and %d bytes", entry.name, size, least)
		}
	}
}
