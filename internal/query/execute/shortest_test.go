package execute_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// lengths are the distances from a node, along the arrows or both ways; -1: it is not reached.
func (o *oracle) lengths(from int, both bool) []int {
	far := slices.Repeat([]int{-1}, len(o.nodes))
	far[from] = 0
	for range o.nodes {
		for _, r := range o.rels {
			relax(far, r.start, r.end)
			if both {
				relax(far, r.end, r.start)
			}
		}
	}
	return far
}

func relax(far []int, a, b int) {
	if far[a] >= 0 && (far[b] < 0 || far[b] > far[a]+1) {
		far[b] = far[a] + 1
	}
}

// A shortest path is as long as the distance, and all shortest paths are all paths of that length.
func TestShortestPathsAreOfTheDistance(t *testing.T) {
	rnd, w := testseed.Rand(t), newWorld(t)
	o := w.fill(rnd, 12, 18)
	for from := range o.nodes {
		for _, arrow := range []string{"->", "-"} {
			far := o.lengths(from, arrow == "-")
			to := rnd.IntN(len(o.nodes))
			ends := fmt.Sprintf("MATCH (a {n: %d}), (b {n: %d})", from, to)
			var want []string
			if far[to] > 0 {
				want = []string{fmt.Sprintf("[%d]", far[to])}
			}
			one := fmt.Sprintf("%s MATCH p = shortestPath((a)-[*]%s(b)) RETURN length(p)", ends, arrow)
			if got := w.run(one); !slices.Equal(got, want) {
				t.Fatalf("%s: %v, not %v, of %v", one, got, want, o.rels)
			}
			if far[to] < 1 || far[to] > 4 {
				continue
			}
			all := sorted(w.run(fmt.Sprintf("%s MATCH p = allShortestPaths((a)-[*]%s(b)) RETURN p", ends, arrow)))
			if paths := sorted(w.run(fmt.Sprintf("%s MATCH p = (a)-[*%d..%d]%s(b) RETURN p", ends, far[to], far[to],
				arrow))); !slices.Equal(all, paths) {
				t.Fatalf("%s %s: all shortest %v, paths of that length %v", ends, arrow, all, paths)
			}
		}
	}
}

// SHORTEST k are the first k trails in order of length, and with GROUPS all that are of one of the first k lengths.
func TestShortestTrailsAreTheFirstOfAll(t *testing.T) {
	const edges = "[r IN relationships(p) | id(r)]" // which tell parallel ones apart
	rnd, w := testseed.Rand(t), newWorld(t)
	o := w.fill(rnd, 8, 14)
	for from := range o.nodes {
		for _, arrow := range []string{"->", "-"} {
			low, to, most := rnd.IntN(3), rnd.IntN(len(o.nodes)), 1+rnd.IntN(4)
			ends := fmt.Sprintf("MATCH (a {n: %d}), (b {n: %d})", from, to)
			trails := map[string]string{} // lengths
			var lengths []string
			for _, row := range w.run(fmt.Sprintf("%s MATCH p = (a)-[*%d..6]%s(b) RETURN length(p), %s ORDER BY length(p)",
				ends, low, arrow, edges)) {
				length, path, _ := strings.Cut(row, ", ")
				trails[path] = length
				lengths = append(lengths, length)
			}
			w.firstOfAll(fmt.Sprintf("%s MATCH p = SHORTEST %d (a)-%s{%d,6}(b) RETURN length(p), %s", ends, most, arrow, low,
				edges), trails, lengths[:min(most, len(lengths))])
			groups := slices.Compact(slices.Clone(lengths))
			last := len(lengths)
			if most < len(groups) {
				last = slices.Index(lengths, groups[most])
			}
			w.firstOfAll(fmt.Sprintf("%s MATCH p = SHORTEST %d PATHS GROUPS (a)-%s{%d,6}(b) RETURN length(p), %s", ends, most,
				arrow, low, edges), trails, lengths[:last])
		}
	}
}

// firstOfAll runs a statement, whose rows must be trails of these lengths, each once.
func (w *world) firstOfAll(text string, trails map[string]string, lengths []string) {
	w.t.Helper()
	var got []string
	seen := map[string]bool{}
	for _, row := range w.run(text) {
		length, path, _ := strings.Cut(row, ", ")
		if trails[path] != length || seen[path] {
			w.t.Fatalf("%s: %s is no trail, or is there twice", text, row)
		}
		seen[path] = true
		got = append(got, length)
	}
	if !slices.Equal(got, lengths) {
		w.t.Fatalf("%s: of lengths %v, not %v", text, got, lengths)
	}
}

// The search from the end goes no further than trails ask for: a long way that leads there is not walked.
func TestShortestTrailsAskForWhatTheyNeed(t *testing.T) {
	w := newWorld(t)
	w.run("CREATE (a {n: 0})-[:R]->(b {n: 1}) WITH b UNWIND range(1, 5000) AS i CREATE (:Tail {i: i})")
	w.run("MATCH (t:Tail), (u:Tail {i: t.i + 1}) CREATE (u)-[:R]->(t)")
	w.run("MATCH (t:Tail {i: 1}), (b {n: 1}) CREATE (t)-[:R]->(b)")
	w.limits.Memory = 100 << 10
	got := w.run("MATCH (a {n: 0}), (b {n: 1}) MATCH p = ANY SHORTEST (a)-->+(b) RETURN length(p)")
	if !slices.Equal(got, []string{"[1]"}) {
		t.Errorf("%v", got)
	}
}
