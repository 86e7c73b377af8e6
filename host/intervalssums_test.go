package host

import (
	"errors"
	"strconv"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
)

// edge leads from one vertex to another, without weights.
func edge(from, to int) algorithms.Edge {
	return algorithms.Edge{Src: uint32(from), Dst: uint32(to), Weights: map[string]float64{}}
}

// forks is a path of so many vertices, forward or backward, which parts in two and joins again at some places. It has
// a cycle beside it that leads there, of three vertices more.
func forks(vertices int, backward bool, places ...int) *sample {
	g := path(vertices + 3)
	g.directed, g.edges = true, g.edges[:vertices-1]
	for _, v := range places {
		g.edges = append(g.edges, edge(v, v+2))
	}
	if backward {
		for i, e := range g.edges {
			g.edges[i] = edge(int(e.Dst), int(e.Src))
		}
	}
	first := vertices
	g.edges = append(g.edges, edge(first, first+1), edge(first+1, first+2), edge(first+2, first), edge(first, first-1),
		edge(first+1, vertices/2))
	return g
}

// Numbers of paths settle in topological order, interval by interval: in two iterations where intervals follow each
// other, and in one for each interval where they lead backward. Columns to which nothing new leads rest, so that each
// edge is sent about once, to one device or two. A cycle that is not reached is in nobody's way.
func TestIntervals_SumsSettle(t *testing.T) {
	t.Parallel()
	const n = 20_000
	rng := testseed.Rand(t)
	var places []int
	for range 40 { // 2⁴⁰ paths at most, which a double counts exactly
		places = append(places, rng.IntN(n-2))
	}
	for _, backward := range []bool{false, true} {
		g, source := forks(n, backward, places...), 0
		if backward {
			source = n - 1
		}
		snap := g.stored(t, 32<<10)
		req := Request{Algorithm: "num-paths", Params: map[string]string{"source": g.users[source]}}
		want := mustRun(t, snap, req)
		req = tooLarge(t, snap, req, 6)
		got := checkIntervals(t, snap, req)
		v, most := got.Report.Intervals, 2
		if backward {
			most = v.Count + 1
		}
		if !same(got.Columns, want.Columns) || !settlesIntervals(got) || got.Report.Iterations > most ||
			v.Settled > v.Count+1 || v.Rounds != v.Settled || 10*v.OwnBytes < 8*v.CellBytes || 10*v.EdgeBytes > 11*v.CellBytes {
			t.Errorf("backward %v: %d iterations: %+v, because %s; or another result", backward, got.Report.Iterations, v,
				got.Report.Why)
		}
		req.Device = "cpu,cpu"
		two := checkIntervals(t, snap, req)
		if w := two.Report.Intervals; !same(two.Columns, want.Columns) || !settlesIntervals(two) ||
			two.Report.Iterations > w.Count+1 || 10*w.EdgeBytes > 11*w.CellBytes {
			t.Errorf("backward %v, two devices: %d iterations: %+v; or another result", backward, two.Report.Iterations, w)
		}
	}
}

// Where edges among the vertices of an interval are more than there is room for, they come like all others.
func TestIntervals_SumsWithoutRoomToSettle(t *testing.T) {
	t.Parallel()
	const n, near = 8000, 120
	g := &sample{directed: true}
	for v := range n {
		g.users = append(g.users, strconv.Itoa(v))
		if v%2 > 0 {
			continue
		}
		if v > 0 {
			g.edges = append(g.edges, edge(0, v))
		}
		for k := 1; k <= near && v+k < n; k += 2 {
			g.edges = append(g.edges, edge(v, v+k))
		}
	}
	snap := g.stored(t, 32<<10)
	req := Request{Algorithm: "num-paths", Params: map[string]string{"source": g.users[0]}}
	want := mustRun(t, snap, req)
	got := checkIntervals(t, snap, tooLarge(t, snap, req, 2))
	v := got.Report.Intervals // the last interval may be small enough
	if !same(got.Columns, want.Columns) || v.Settled > got.Report.Iterations || !settlesIntervals(got) {
		t.Errorf("%+v, because %s; or another result", v, got.Report.Why)
	}
}

// Where memory is scarce nobody looks for a cycle beforehand. Sums settle all the same.
func TestIntervals_SumsSettleWhereMemoryIsScarce(t *testing.T) {
	t.Parallel()
	const n = 12_000
	g := forks(n, false, 100, 2000)
	snap := g.stored(t, 8<<10)
	req := Request{Algorithm: "num-paths", Params: map[string]string{"source": g.users[0]}}
	want := mustRun(t, snap, req)
	got, _ := runOn(t, &Engine{memory: 1, machine: 1 << 30}, snap, tooLarge(t, snap, req, 2))
	if !same(got.Columns, want.Columns) || !settlesIntervals(got) || got.Report.Iterations > 2 ||
		got.Report.Uncached == nil {
		t.Errorf("%d iterations, because %s; or another result", got.Report.Iterations, got.Report.Why)
	}
}

// A cycle that sums come round, within an interval or from one to another, shows in the end where nobody has looked for
// one.
func TestIntervals_SumsAroundACycle(t *testing.T) {
	t.Parallel()
	const n, many = 12_000, 1000
	for name, to := range map[string]int{"in an interval": n - 22, "across intervals": 0} {
		g := &sample{directed: true}
		for v := range n {
			g.users = append(g.users, strconv.Itoa(v))
			if v > 0 && v < n/2 || v >= n-40 && v+1 < n {
				g.edges = append(g.edges, edge(v, v+1))
			}
		}
		for range many { // so that few iterations come to more than a double can hold
			g.edges = append(g.edges, edge(n-20, to), edge(to, n-20))
		}
		snap := g.stored(t, 32<<10)
		req := Request{Algorithm: "num-paths", Params: map[string]string{"source": g.users[n-40]}}
		engine := &Engine{memory: 1, machine: 1 << 30}
		_, err := engine.Run(t.Context(), snap, tooLarge(t, snap, req, 2), Events{})
		var diverged *algorithms.DivergedError
		if !errors.As(err, &diverged) {
			t.Errorf("%s: %v; expected that it diverges", name, err)
		}
	}
}
