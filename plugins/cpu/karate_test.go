package cpu_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
)

// What networkx 3.6.1 has for Zachary's karate club: members in a k-truss with edges, the articulation point 1, the
// bridge between 1 and 12, and the three biconnected components that 1 is in.
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
	blocks, members := unverified(t, g, "biconnected-components"), map[int64]int{}
	for v := 1; v < g.N(); v++ {
		members[blocks[0].Ints[v]]++
		if blocks[1].Ints[v] != 1 {
			t.Errorf("member %d hangs on %d", v+1, blocks[1].Ints[v])
		}
	}
	if want := map[int64]int{2: 27, 5: 5, 12: 1}; !maps.Equal(members, want) {
		t.Errorf("biconnected components %v instead of %v", members, want)
	}
}

// Ego networks of the karate club: vertices, edges, components without the ego, by ego_graph of networkx 2.8.8.
func TestEgoNetwork_OfTheKarateClub(t *testing.T) {
	for _, c := range []struct {
		ego, radius string
		want        []int64
	}{
		{"1", "1", []int64{17, 34, 4}}, {"34", "1", []int64{18, 32, 4}}, {"12", "2", []int64{17, 34, 1}},
		{"17", "2", []int64{6, 10, 1}}, {"1", "0", []int64{1, 0, 0}},
	} {
		a, _, result := found(t, karate(), "ego-network", map[string]string{"source": c.ego, "radius": c.radius})
		var got []int64
		for _, figure := range a.Figures(result) {
			got = append(got, figure.Value)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("around %s, %s edges away: %v; expected %v", c.ego, c.radius, got, c.want)
		}
	}
}

// Members that went with the same leader (Zachary 1977) have embeddings of more similar direction than others.
func TestFastRP_TellsTheFactionsOfTheKarateClub(t *testing.T) {
	g, officers := karate(), officers()
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

// The two factions of the karate club, as communities: modularity, with a resolution of 1 and of 0.5, and conductance,
// each edge counting 1 or by its ends. NetworkX 3.6.1: community.modularity, and cut_size by volume.
func TestQuality_OfTheFactionsOfTheKarateClub(t *testing.T) {
	officers := officers()
	for _, c := range []struct {
		name                 string
		params               map[string]string
		instructors, officer float64
	}{
		{"modularity", nil, math.NaN(), 0.3582347140039448},
		{"modularity", map[string]string{"resolution": "0.5"}, math.NaN(), 0.6086045364891519},
		{"modularity", map[string]string{"weight": "weight"}, math.NaN(), 0.3455075445816186},
		{"conductance", nil, 0.13580246913580246, 0.14666666666666667},
		{"conductance", map[string]string{"weight": "weight"}, 0.15151515151515152, 0.15723270440251572},
	} {
		g := karate()
		if c.params["weight"] != "" {
			weights := make([]float64, len(g.Out.Neighbors))
			for v := range g.N() {
				for k, u := range g.Out.Of(v) {
					weights[g.Out.Offsets[v]+k] = float64(1 + (v+int(u))%3)
				}
			}
			g.Out.Columns["weight"] = weights
		}
		faction := algorithms.NewValues(algorithms.Column{Name: "faction", Type: algorithms.Int}, g.N())
		for v := range g.N() {
			if officers[v] {
				faction.Ints[v] = -7
			}
		}
		g.Properties = map[string]algorithms.Values{"faction": faction}
		params := map[string]string{"community": "faction"}
		maps.Copy(params, c.params)
		a, err := catalog.Lookup(c.name)
		if err != nil {
			t.Fatal(err)
		}
		args, err := a.Bind(params, oracletest.Env(g))
		if err != nil {
			t.Fatal(err)
		}
		r := newRig(t, g, 1<<20)
		if err := r.procedure(a, args); err != nil {
			t.Fatal(err)
		}
		result := []algorithms.Values{r.column(a.Result[0]), r.column(a.Result[1])}
		instructors, officer := result[0].Floats[0], result[0].Floats[33]
		if c.name == "modularity" { // that of both together is known
			instructors, officer = math.NaN(), a.Measures(result)[0].Value
		}
		if math.Abs(officer-c.officer) > 1e-15 || math.Abs(instructors-c.instructors) > 1e-15 ||
			!slices.Equal(result[1].Ints, faction.Ints) {
			t.Errorf("%s, %v: %v, %v; expected %v, %v", c.name, params, instructors, officer, c.instructors, c.officer)
		}
	}
}

// officers are those who went with the president (Zachary 1977).
func officers() map[int]bool {
	all := map[int]bool{}
	for _, member := range []int{10, 15, 16, 19, 21, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34} {
		all[member-1] = true
	}
	return all
}
