package cpu_test

import "testing"

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
