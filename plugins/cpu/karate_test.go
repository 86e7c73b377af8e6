package cpu_test

import (
	"math"
	"testing"
)

// What networkx 3.6.1 has for Zachary's karate club: members in a k-truss with edges, the articulation point 1, and the
// bridge between 1 and 12.
func TestProcedures_OfTheKarateClub(t *testing.T) {
	g := karate()
	inside := map[int64]int{}
	for _, k := range unverified(t, g, "k-truss")[0].Ints {
		for ; k >= 2; k-- {
			inside[k]++
		}
	}
	for k, want := range map[int64]int{2: 34, 3: 32, 4: 12, 5: 6, 6: 0} {
		if inside[k] != want {
			t.Errorf("%d members have edges in a %d-truss; expected %d", inside[k], k, want)
		}
	}
	points, ends := unverified(t, g, "articulation-points")[0].Bools, unverified(t, g, "bridges")[0].Ints
	for v := range g.N() {
		if points[v] != (v == 0) || (ends[v] == 1) != (v == 11) {
			t.Errorf("member %d: articulation %v, bridge to %d", v+1, points[v], ends[v])
		}
	}
}

// Members that went with the same leader (Zachary 1977) have embeddings of more similar direction than others.
func TestFastRP_TellsTheFactionsOfTheKarateClub(t *testing.T) {
	g, officers := karate(), map[int]bool{}
	for _, member := range []int{10, 15, 16, 19, 21, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34} {
		officers[member-1] = true
	}
	embedding := unverified(t, g, "fastrp")[0]
	width := embedding.Per()
	similarity := func(v, u int) (sum float64) {
		a, b := embedding.Floats[v*width:][:width], embedding.Floats[u*width:][:width]
		squares := [2]float64{}
		for k := range a {
			sum += a[k] * b[k]
			squares[0] += a[k] * a[k]
			squares[1] += b[k] * b[k]
		}
		return sum / math.Sqrt(squares[0]*squares[1])
	}
	var sums, counts [2]float64
	for v := range g.N() {
		for u := range v {
			same := 0
			if officers[v] == officers[u] {
				same = 1
			}
			sums[same] += similarity(v, u)
			counts[same]++
		}
	}
	if apart, together := sums[0]/counts[0], sums[1]/counts[1]; width != 128 || together < apart+0.2 {
		t.Errorf("%d numbers; of one faction the cosine is %.3f in the mean, of two %.3f", width, together, apart)
	}
}
