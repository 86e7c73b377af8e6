package execute_test

import (
	"fmt"
	"slices"
	"testing"
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
	rnd, w := seeded(t), newWorld(t)
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
