package cpu_test

import (
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/community"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Labels settle on every graph, where those that all change at once swing to and fro: in the end no label weighs more
// among a vertex' neighbors than its own, and it is one that a vertex began with.
func TestLabelPropagation_Settles(t *testing.T) {
	random := testseed.Rand(t)
	for i := range 50 {
		g := oracletest.RandomGraph(random, oracletest.Config{MaxVertices: 60, Directed: i%2 == 0, Unweighted: i%3 == 0})
		label, err := propagated(t, g, map[string]string{"iterations": "1000", "seedProperty": "group"})
		if err != nil {
			t.Fatalf("graph %d: %v", i, err)
		}
		for v := range g.N() {
			weights, most := map[int64]float64{}, 0.0
			for _, lists := range []algorithms.Lists{g.Out, g.In}[:1+(i+1)%2] {
				for k, u := range lists.Of(v) {
					w := 1.0
					if column := lists.Columns["weight"]; column != nil {
						w = column[lists.Offsets[v]+k]
					}
					if int(u) != v {
						weights[label[u]] += w
						most = max(most, weights[label[u]])
					}
				}
			}
			if weights[label[v]] < most {
				t.Fatalf("graph %d, vertex %d: its label weighs %v, another %v", i, v, weights[label[v]], most)
			}
			if label[v] < -2 || label[v] > 4 {
				t.Fatalf("graph %d, vertex %d: label %d is no seed", i, v, label[v])
			}
		}
	}
}

// Members of the karate club come to two labels, and most to that of the one they went with, the instructor or the
// president (Zachary 1977). Where every member begins with the number of its faction, these are the labels, and whoever
// begins with none gets a label above them, which no other takes.
func TestLabelPropagation_FactionsOfTheKarateClub(t *testing.T) {
	g, officers := karate(), officers()
	seeds := algorithms.NewValues(algorithms.Column{Name: "faction", Type: algorithms.Int}, g.N())
	for v := range seeds.Ints {
		if seeds.Ints[v] = 1; officers[v] {
			seeds.Ints[v] = 2
		}
	}
	seeds.Ints[11] = community.NoSeed // with one friend
	g.Properties = map[string]algorithms.Values{"faction": seeds}
	for name, params := range map[string]map[string]string{"": nil, "faction": {"seedProperty": "faction"}} {
		label, err := propagated(t, g, params)
		if err != nil {
			t.Fatal(err)
		}
		as, leaders := 0, map[bool]int64{false: label[0], true: label[33]}
		for v, l := range label {
			if l == leaders[officers[v]] {
				as++
			}
		}
		if leaders[false] == leaders[true] || as < 32 {
			t.Errorf("seeds %q: %d of %d members have the label of their leader: %v", name, as, g.N(), label)
		}
		if name != "" && (leaders[false] != 1 || leaders[true] != 2) {
			t.Errorf("seeds %q: the labels of both leaders are %v", name, leaders)
		}
	}
}

// An edge that weighs less than nothing is refused, and a seed that leaves no number for others.
func TestLabelPropagation_Refuses(t *testing.T) {
	edges := []algorithms.Edge{{Src: 0, Dst: 1, Weights: map[string]float64{"weight": -1}}}
	_, err := propagated(t, algorithms.NewGraph(true, []int64{7, 8}, edges), nil)
	if err == nil || !strings.Contains(err.Error(), "an edge of vertex 7 weighs -1") {
		t.Errorf("a weight of -1: %v", err)
	}
	g := algorithms.NewGraph(true, []int64{7, 8}, nil)
	seeds := algorithms.NewValues(algorithms.Column{Name: "faction", Type: algorithms.Int}, 2)
	seeds.Ints[1] = algorithms.Unreached - 1
	g.Properties = map[string]algorithms.Values{"faction": seeds}
	_, err = propagated(t, g, map[string]string{"seedProperty": "faction"})
	if err == nil || !strings.Contains(err.Error(), "vertex 8 has the seed 9223372036854775806") {
		t.Errorf("a seed that is too large: %v", err)
	}
}

// propagated are the labels that label-propagation finds.
func propagated(t *testing.T, g *algorithms.Graph, params map[string]string) ([]int64, error) {
	t.Helper()
	a, err := catalog.Lookup("label-propagation")
	if err != nil {
		t.Fatal(err)
	}
	args, err := a.Bind(params, oracletest.Env(g))
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, g, 16<<20)
	if err := r.procedure(a, args); err != nil {
		return nil, err
	}
	return r.column(a.Result[0]).Ints, nil
}
