package schedule

import (
	"errors"
	"maps"
	"math"
	"math/bits"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats/chunk"
)

// drawGrid is a graph with a grid.
func drawGrid(t *rapid.T) State {
	s := draw(t).state
	for i := range s.Chunks {
		s.Chunks[i].Bytes = rapid.Uint64Range(1, 100).Draw(t, "bytes")
	}
	room := rapid.Uint64Range(1, 400).Draw(t, "room")
	s.Slot = rapid.Uint64Range(1, 200).Draw(t, "slot")
	s.Gather, s.AnyOrder = rapid.Bool().Draw(t, "gather"), rapid.Bool().Draw(t, "any order")
	s.Pipeline = drawPipeline(t)
	if !rapid.Bool().Draw(t, "columns") {
		s.Grid = Strips(s.Chunks, room)
		return s
	}
	g, err := NewGrid(s.Chunks, room, drawArriving(t, s), func(grids [][]chunk.Interval) (all [][][]uint64, err error) {
		for _, cols := range grids {
			all = append(all, drawCells(t, len(s.Chunks), len(cols)))
		}
		return all, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Grid = g
	return s
}

func drawArriving(t *rapid.T, s State) []uint32 {
	n := int(s.Chunks[len(s.Chunks)-1].Senders[0].End())
	return rapid.SliceOfN(rapid.Uint32Range(0, 9), n, n).Draw(t, "arriving")
}

func drawCells(t *rapid.T, chunks, cols int) [][]uint64 {
	parts := rapid.SliceOfN(rapid.Uint64Range(0, 60), cols, cols)
	return rapid.SliceOfN(parts, chunks, chunks).Draw(t, "cells")
}

func drawPipeline(t *rapid.T) Pipeline {
	return Pipeline{Workers: rapid.IntRange(1, 3).Draw(t, "workers"), Slots: rapid.IntRange(1, 5).Draw(t, "slots")}
}

func drawTimes(t *rapid.T, n int) []Times {
	stage := rapid.Custom(func(t *rapid.T) time.Duration { return time.Duration(rapid.IntRange(0, 50).Draw(t, "stage")) })
	one := rapid.Custom(func(t *rapid.T) Times {
		return Times{Read: stage.Draw(t, "read"), Copy: stage.Draw(t, "copy"), Transfer: stage.Draw(t, "transfer"),
			Compute: stage.Draw(t, "compute"), Bytes: 1}
	})
	return rapid.SliceOfN(one, n, n).Draw(t, "times")
}

// fewest is how many intervals consecutive chunks need at least, found by trying all; 0: a part of a chunk does not
// fit.
func fewest(cells [][]uint64, room uint64) int {
	best := make([]int, len(cells)+1)
	for end := 1; end <= len(cells); end++ {
		sums := make([]uint64, len(cells[0]))
		for from := end - 1; from >= 0; from-- {
			for q, bytes := range cells[from] {
				sums[q] += bytes
			}
			if slices.Max(sums) > room {
				break
			}
			if best[end] == 0 || best[from]+1 < best[end] {
				best[end] = best[from] + 1
			}
		}
		if best[end] == 0 {
			return 0
		}
	}
	return best[len(cells)]
}

// Edges at random places: no P that is smaller than the grid's will do, whichever chunks are a row interval.
func TestGrid_IsTheSmallestThatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "vertices")
		edges := rapid.SliceOf(rapid.Custom(func(t *rapid.T) [2]int {
			return [2]int{rapid.IntRange(0, n-1).Draw(t, "row"), rapid.IntRange(0, n-1).Draw(t, "column")}
		})).Draw(t, "edges")
		room := 4 * rapid.Uint64Range(1, 40).Draw(t, "room")
		arriving, chunks := make([]uint32, n), make([]Chunk, (n+3)/4) // of four rows each
		for _, e := range edges {
			arriving[e[1]]++
			chunks[e[0]/4].Edges++
			chunks[e[0]/4].Bytes += 4
		}
		cells := func(cols []chunk.Interval) [][]uint64 {
			bytes := make([][]uint64, len(chunks))
			for i := range bytes {
				bytes[i] = make([]uint64, len(cols))
			}
			for _, e := range edges {
				q := slices.IndexFunc(cols, func(i chunk.Interval) bool { return uint64(e[1]) < i.End() })
				bytes[e[0]/4][q] += 4
			}
			return bytes
		}
		looks := 0
		g, err := NewGrid(chunks, room, arriving, func(grids [][]chunk.Interval) (all [][][]uint64, err error) {
			looks++
			for _, cols := range grids {
				all = append(all, cells(cols))
			}
			return all, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Concat(g.rows...); !slices.Equal(got, ascending(len(chunks))) || len(g.cols) > n {
			t.Fatalf("rows %v, columns %v", g.rows, g.cols)
		}
		p := max(len(g.rows), len(g.cols))
		for smaller := 1; smaller < p; smaller++ {
			cols := Cut(arriving, smaller, 1)
			if rows := fewest(cells(cols), room); rows > 0 && rows <= smaller {
				t.Fatalf("%d×%d cells; %d row intervals of chunks have room with columns %v", len(g.rows), len(g.cols), rows, cols)
			}
		}
		if fewest(cells(g.cols), room) > 0 && g.bytes != nil && g.largest() > room {
			t.Fatalf("a cell takes %d bytes of %d", g.largest(), room)
		}
		if looks > 2+bits.Len(uint(n)) {
			t.Fatalf("chunks are looked at %d times", looks)
		}
	})
}

// Cells of a strip of rows that is as wide as the graph have no more room than the strip.
func TestGrid_PacksCellsAndNotStrips(t *testing.T) {
	var chunks []Chunk
	arriving := make([]uint32, 36)
	for range 36 {
		chunks = append(chunks, Chunk{Edges: 36, Bytes: 36 * 4})
	}
	for v := range arriving {
		arriving[v] = 36
	}
	const room = 12 * 12 * 4 // of 9 equal cells each
	if strips := Strips(chunks, room); len(strips.rows) != 9 {
		t.Fatalf("%d strips", len(strips.rows))
	}
	g, err := NewGrid(chunks, room, arriving, func(grids [][]chunk.Interval) (all [][][]uint64, err error) {
		for _, cols := range grids {
			parts := make([]uint64, len(cols))
			for q, interval := range cols {
				parts[q] = 4 * interval.Count
			}
			all = append(all, slices.Repeat([][]uint64{parts}, len(chunks)))
		}
		return all, nil
	})
	if err != nil || len(g.rows) != 3 || len(g.cols) != 3 || g.largest() != room {
		t.Errorf("%d×%d cells, the largest of %d bytes of %d, error %v", len(g.rows), len(g.cols), g.largest(), room, err)
	}
}

// What cannot be counted is told.
func TestGrid_CountFails(t *testing.T) {
	failed := errors.New("no disk")
	_, err := NewGrid([]Chunk{{Edges: 9, Bytes: 36}}, 1, make([]uint32, 9),
		func([][]chunk.Interval) ([][][]uint64, error) { return nil, failed })
	if !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
}

// As many edges lead to each column interval, give or take those that lead to a vertex.
func TestGrid_ColumnsShareTheEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		arriving := rapid.SliceOfN(rapid.Uint32Range(0, 20), 1, 200).Draw(t, "arriving")
		parts := rapid.IntRange(1, 9).Draw(t, "parts")
		var total, most uint64
		for _, n := range arriving {
			total, most = total+uint64(n), max(most, uint64(n))
		}
		next := uint64(0)
		for _, cols := range Cut(arriving, parts, 1) {
			var sum uint64
			for _, n := range arriving[cols.Base:cols.End()] {
				sum += uint64(n)
			}
			if cols.Base != next || cols.Count == 0 || sum > total/uint64(parts)+most+1 {
				t.Fatalf("%+v follows %d and has %d edges of %d in %d parts, at most %d a vertex", cols, next, sum, total, parts,
					most)
			}
			next = cols.End()
		}
		if next != uint64(len(arriving)) {
			t.Fatalf("columns end at %d of %d", next, len(arriving))
		}
	})
}

// Iteration after iteration, each wanted chunk is sent once for every column, whatever was
// learned, and the cells that lead to one destination stand together.
func TestNeuGraph_SendsEveryWantedCellOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawGrid(t)
		policy := new(NeuGraph)
		var first []Load
		for i := range 5 {
			loads := policy.Plan(s)
			checkCells(t, s, loads)
			if first == nil {
				first = loads
			}
			if !s.AnyOrder && i > 0 && !slices.Equal(withoutParts(loads), withoutParts(first)) {
				t.Fatalf("%v, then %v, though the order decides", first, loads)
			}
			s.Took, s.Pass = drawTimes(t, groups(loads)), time.Duration(rapid.IntRange(1, 100).Draw(t, "pass"))
		}
	})
}

func checkCells(t *rapid.T, s State, loads []Load) {
	covered := map[int][]chunk.Interval{}
	var destinations []chunk.Interval
	last, seen := 0, map[int]bool{}
	for i, l := range loads {
		if l.Rounds != 1 || l.Part && s.Demand[l.Chunk] == s.Chunks[l.Chunk].Edges {
			t.Fatalf("load %+v", l)
		}
		if l.Group == last && i > 0 && (l.Cols != loads[i-1].Cols || l.Part != loads[i-1].Part) || l.Group != last &&
			seen[l.Group] {
			t.Fatalf("%v: group %d", loads, l.Group)
		}
		last, seen[l.Group] = l.Group, true
		covered[l.Chunk] = append(covered[l.Chunk], l.Cols)
		if !s.Gather && (len(destinations) == 0 || destinations[len(destinations)-1] != l.Cols) {
			destinations = append(destinations, l.Cols)
		}
	}
	if s.Grid.cols[0].Count == 0 {
		destinations = nil
	}
	for i, cols := range destinations {
		if slices.Contains(destinations[:i], cols) {
			t.Fatalf("columns %+v are returned to: %v", cols, loads)
		}
	}
	for i, edges := range s.Demand {
		slices.SortFunc(covered[i], func(a, b chunk.Interval) int { return int(a.Base) - int(b.Base) })
		if edges == 0 && len(covered[i]) > 0 || edges > 0 && !whole(covered[i], s.Grid.cols) {
			t.Fatalf("chunk %d with %d edges is sent for %v of columns %v", i, edges, covered[i], s.Grid.cols)
		}
	}
}

// groups is how many there are.
func groups(loads []Load) (n int) {
	for _, l := range loads {
		n = max(n, l.Group+1)
	}
	return n
}

// whole tells whether intervals are all columns, each once.
func whole(cols, all []chunk.Interval) bool { return slices.Equal(cols, all) }

func withoutParts(loads []Load) []Load {
	loads = slices.Clone(loads)
	for i := range loads {
		loads[i].Part, loads[i].Group = false, 0
	}
	return loads
}

// Nothing can be faster than a stage alone or the slowest load alone, or slower than everything in turn.
func TestSimulate_IsWithinItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		loads := drawTimes(t, rapid.IntRange(0, 20).Draw(t, "loads"))
		var sum Times
		var longest time.Duration
		for _, l := range loads {
			sum.Add(l)
			longest = max(longest, l.Read+l.Copy+l.Transfer+l.Compute)
		}
		got := drawPipeline(t).Simulate(loads, ascending(len(loads)))
		if got < max(sum.Transfer, sum.Compute, longest) || got > sum.Read+sum.Copy+sum.Transfer+sum.Compute {
			t.Fatalf("%v: makespan %d", loads, got)
		}
	})
}

func TestSimulate_OverlapsStagesAndWaitsForSlots(t *testing.T) {
	loads := []Times{{Copy: 2, Transfer: 3, Compute: 4}, {Copy: 2, Transfer: 3, Compute: 4}}
	for _, c := range []struct {
		p    Pipeline
		want time.Duration
	}{{Pipeline{1, 2}, 13}, {Pipeline{1, 1}, 18}} {
		if got := c.p.Simulate(loads, []int{0, 1}); got != c.want {
			t.Errorf("%+v: %d, want %d", c.p, got, c.want)
		}
	}
}

// However the swaps go, the simulated time gets no worse, and nothing leaves its group.
func TestImprove_NeverMakesItWorse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 25).Draw(t, "loads")
		loads, p := drawTimes(t, n), drawPipeline(t)
		groups := rapid.SliceOfN(rapid.IntRange(0, 3), n, n).Draw(t, "groups")
		slices.Sort(groups)
		order := p.improve(loads, ascending(n), groups)
		if got, before := p.Simulate(loads, order), p.Simulate(loads, ascending(n)); got > before {
			t.Fatalf("%d, before %d", got, before)
		}
		for place, l := range order {
			if groups[place] != groups[l] {
				t.Fatalf("load %d of group %d is at %d: %v", l, groups[l], place, order)
			}
		}
		if slices.Sort(order); !slices.Equal(order, ascending(n)) {
			t.Fatalf("not every load is there once: %v", order)
		}
	})
}

// A load that is copied quickly should be the first, so that the device begins early.
func TestNeuGraph_KeepsAnOrderOnlyIfItIsFaster(t *testing.T) {
	for pass, kept := range map[time.Duration]bool{90: true, 100: false, 110: false} {
		s := four([4]uint64{100, 100, 100, 100}, [4]uint64{})
		s.Active, s.AnyOrder, s.Slot, s.Pipeline = Bitmap{15}, true, 150, Pipeline{1, 4}
		policy := new(NeuGraph)
		for i := range s.Chunks {
			s.Chunks[i].Bytes = 100
		}
		s.Grid = Strips(s.Chunks, 400)
		first := policy.Plan(s)
		s.Took, s.Pass = []Times{{Copy: 30, Compute: 1}, {Copy: 20, Compute: 10}, {Copy: 1, Compute: 20},
			{Copy: 9, Compute: 30}}, 100
		if again := policy.Plan(s); !slices.Equal(again, first) {
			t.Errorf("another order before it is measured: %v", again)
		}
		if better := policy.Plan(s); better[0].Chunk != 2 {
			t.Errorf("%v: chunk 2 could be there first", better)
		}
		s.Pass = pass
		if last := policy.Plan(s); slices.Equal(last, first) == kept {
			t.Errorf("%d after 100: %v", pass, last)
		}
	}
}

// What to filter follows from what was measured.
func TestNeuGraph_FiltersWhenTheLinkIsSlower(t *testing.T) {
	s := four([4]uint64{50, 100, 10, 1}, [4]uint64{})
	for i := range s.Chunks {
		s.Chunks[i].Bytes = 1000
	}
	s.Grid = Strips(s.Chunks, 1000)
	for _, c := range []struct {
		copied, filtered, linked time.Duration // for a byte
		want                     map[int]bool
	}{
		{0, 0, 0, map[int]bool{0: true, 2: true, 3: true}},   // to learn what it takes
		{1, 11, 0, map[int]bool{3: true}},                    // of 10 % it takes 1.1
		{1, 11, 10, map[int]bool{0: true, 2: true, 3: true}}, // a slow link: of a half, 10.5 instead of 11
		{1, 50, 10, map[int]bool{2: true, 3: true}},
	} {
		policy := &NeuGraph{rates: rates{through(c.copied), through(c.filtered), through(c.linked)}}
		got := map[int]bool{}
		for _, l := range policy.Plan(s) {
			if l.Part {
				got[l.Chunk] = true
			}
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%+v: filtered are %v", c, got)
		}
	}
}

// Without a link there is no time to save: bytes have a price of their own.
func TestNeuGraph_FiltersForBytes(t *testing.T) {
	for price, want := range map[float64]int{0: 0, 1e-9: 0, 1e-8: 4} { // seconds a byte, beside 10 to filter and 1 to copy
		s := four([4]uint64{50, 50, 50, 50}, [4]uint64{})
		for i := range s.Chunks {
			s.Chunks[i].Bytes = 1000
		}
		s.Grid, s.Costs.Byte = Strips(s.Chunks, 1000), price
		policy := &NeuGraph{rates: rates{through(1), through(10), through(0)}}
		if got := parts(policy.Plan(s)); got != want {
			t.Errorf("at %g s a byte %d of 4 chunks are filtered, want %d", price, got, want)
		}
	}
}

// Where a few edges of a chunk are wanted again and again, it is not sent whole time and again to learn what that would
// take: a probe waits until it is a small part of what has been sent. But it comes.
func TestNeuGraph_ProbesTakeLittle(t *testing.T) {
	rates := played{copy: 1e9, filter: 1e9, link: 1e10}
	for edges, probed := range map[uint64]bool{5: false, 1e4: true} { // of 100,000 a chunk
		s, policy, sent, whole := partly(), new(NeuGraph), 0., 0
		s.Costs.Byte = 1e-9
		for i := range s.Demand {
			s.Demand[i] = edges
		}
		const iterations = 60
		for range iterations {
			play(t, policy, &s, 1, rates)
			for _, c := range policy.last {
				sent += c.bytes
				whole += len(c.loads) - parts(c.loads)
			}
		}
		lists := float64(iterations*len(s.Chunks)) * float64(edges) / 1e5 * 1e6
		if sent > (1+1.1*probeShare)*lists || whole > 0 != probed {
			t.Errorf("%d edges: %g bytes are sent where lists take %g; %d chunks are sent whole", edges, sent, lists, whole)
		}
	}
}

// through is a line on which a byte takes so long.
func through(perByte time.Duration) (l line) {
	l.add(1000*perByte, 1000, 1)
	return l
}

func TestNeuGraph_LearnsWhatLoadsCost(t *testing.T) {
	var r rates
	sent := []subChunk{{loads: []Load{{Part: true}}, warm: true}, {loads: []Load{{}, {}}, warm: true}, {loads: []Load{{}}}}
	r.learn(sent, []Times{{Read: time.Second, Copy: time.Second, Transfer: 4 * time.Second, Bytes: 2},
		{Copy: time.Second, Bytes: 2},
		{Read: time.Hour, Transfer: 2 * time.Second, Bytes: 2}}) // was cold: of no use but for the link
	for what, got := range map[string][2]float64{"filtered": {r.filtered.at(3), 3}, "copied": {r.copied.at(3), 1.5},
		"linked": {r.linked.at(1), 1}} {
		if math.Abs(got[0]-got[1]) > 1e-9 {
			t.Errorf("%s: %g seconds, want %g", what, got[0], got[1])
		}
	}
}

// played are the bytes a second of the ways to send what has been looked at before. The first look takes a hundred
// times as long.
type played struct{ copy, filter, link float64 }

// play has a policy decide about some iterations, tells it what its answers take, and counts in each how many of its
// loads are filtered.
func play(t *testing.T, policy *NeuGraph, s *State, iterations int, rates played) (filtered []int, loads int) {
	t.Helper()
	for range iterations {
		answer := policy.Plan(*s)
		s.Took, s.Pass = make([]Times, groups(answer)), time.Second
		for _, l := range answer {
			took, bytes, each := &s.Took[l.Group], float64(s.Chunks[l.Chunk].Bytes), rates.copy
			if l.Part {
				bytes, each = bytes*s.share(s.Demand, l.Chunk), rates.filter
			}
			if !s.Chunks[l.Chunk].Seen {
				each /= 100
			}
			s.Chunks[l.Chunk].Seen = true
			took.Add(Times{Read: seconds(bytes / each), Transfer: seconds(bytes / rates.link), Bytes: uint64(bytes)})
		}
		filtered, loads = append(filtered, parts(answer)), len(answer)
	}
	return filtered, loads
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// partly is a state in which 1 of 100 edges is wanted, of chunks that have not been looked at.
func partly() State {
	s := State{All: true, AnyOrder: true, Slot: 1e6, Pipeline: Pipeline{Workers: 1, Slots: 2}}
	for range 20 {
		s.Chunks = append(s.Chunks, Chunk{Edges: 1e5, Bytes: 1e6})
		s.Demand, s.Lists = append(s.Demand, 1e3), append(s.Lists, 100)
	}
	s.Grid = Strips(s.Chunks, 1e7)
	return s
}

// What the first look takes decides nothing: where it pays to filter all is filtered, but for what measures copies
// again, and nothing where it does not.
func TestNeuGraph_DecidesByWarmMeasurements(t *testing.T) {
	for name, c := range map[string]struct {
		rates   played
		filters bool
	}{
		"a slow link":           {played{copy: 1e9, filter: 5e7, link: 1e8}, true},
		"a filter that is fast": {played{copy: 1e9, filter: 1e9, link: 1e10}, true},
		"a filter that is slow": {played{copy: 1e9, filter: 1e6, link: 1e10}, false},
	} {
		s := partly()
		counts, loads := play(t, new(NeuGraph), &s, 40, c.rates)
		for i, filtered := range counts[4:] {
			if most := max(0, loads-filtered); c.filters && most > 1 || !c.filters && filtered > 1 {
				t.Errorf("%s: in iteration %d %d of %d loads are filtered; in all %v", name, i+5, filtered, loads, counts)
				break
			}
		}
	}
}

// A handful of edges take long for their bytes; more of them are filtered all the same.
func TestNeuGraph_FewEdgesSayLittleOfMany(t *testing.T) {
	s, policy := partly(), new(NeuGraph)
	for i := range s.Demand {
		s.Demand[i], s.Chunks[i].Seen = 1, true
	}
	play(t, policy, &s, 3, played{copy: 1e9, filter: 1e4, link: 1e9})
	for i := range s.Demand {
		s.Demand[i] = 3e4
	}
	counts, loads := play(t, policy, &s, 4, played{copy: 1e9, filter: 4e8, link: 1e9})
	if last := counts[len(counts)-1]; last < loads-1 {
		t.Errorf("%v of %d loads are filtered", counts, loads)
	}
}

// A choice that was right once is revised when what it rests on has changed, in either direction.
func TestNeuGraph_RevisesItsChoice(t *testing.T) {
	s, policy := partly(), new(NeuGraph)
	for i, phase := range []struct {
		rates   played
		filters bool
	}{
		{played{copy: 1e9, filter: 1e6, link: 1e10}, false},
		{played{copy: 1e9, filter: 1e9, link: 1e10}, true},
		{played{copy: 1e9, filter: 1e6, link: 1e10}, false},
	} {
		counts, loads := play(t, policy, &s, 60, phase.rates)
		if last := counts[len(counts)-2:]; phase.filters && min(last[0], last[1]) < loads-1 || !phase.filters &&
			max(last[0], last[1]) > 1 {
			t.Errorf("phase %d: %v of %d loads are filtered", i, counts, loads)
		}
	}
}

// A line is found again from points on it, and never foretells less than nothing.
func TestLine_FitsWhatWasMeasured(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fixed, each := rapid.IntRange(0, 100).Draw(t, "fixed"), rapid.IntRange(0, 100).Draw(t, "each")
		var on, off line
		for i := range rapid.IntRange(2, 10).Draw(t, "points") {
			bytes, loads := rapid.IntRange(0, 1000).Draw(t, "bytes")*10+i, 1+i%2
			var later line
			later.add(time.Duration(loads*(fixed+each*bytes))*time.Second, uint64(loads*bytes), loads)
			on.renew(later)
			off.add(time.Duration(rapid.IntRange(0, 100).Draw(t, "seconds"))*time.Second, uint64(bytes), 1)
		}
		if want := float64(fixed + 500*each); math.Abs(on.at(500)-want) > 1e-3*(1+want) {
			t.Fatalf("%d + %d a byte: at 500 %g, want %g", fixed, each, on.at(500), want)
		}
		if got := off.at(rapid.Float64Range(0, 1e6).Draw(t, "at")); got < 0 || math.IsNaN(got) {
			t.Fatalf("%+v foretells %g", off, got)
		}
	})
}
