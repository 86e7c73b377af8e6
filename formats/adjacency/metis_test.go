package adjacency

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

func TestOpenMetis_Weights(t *testing.T) {
	g, schema, err := metisGraph.ReadText(t, "3 2 001\n2 7\n% c\n1 7 3 0.5\n2 0.5\n\n")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(g.Pairs(), []string{"1→2", "2→3"}) || g.Edges[1].Values[0] != 0.5 || g.Edges[1].Line != 4 {
		t.Errorf("%v", g.Edges)
	}
	if schema.Orientation != formats.Undirected || schema.Edges != 2 || schema.Edge.Field(0).Name != "weight" {
		t.Errorf("%+v", schema)
	}
}

// The counts of GAPBS's own reader: 14 nodes and 53 directed edges.
func TestOpenMetis_GAP(t *testing.T) {
	for name, weighted := range map[string]bool{"4.graph": false, "4w.graph": true} {
		g, schema, err := metisGraph.ReadFile(t, sourcetest.SharedData(t, "gapbs-test", "graphs", name), formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(g.Nodes) != 14 || len(g.Edges) != 53 || schema.Orientation != formats.Directed ||
			(schema.Edge != nil) != weighted {
			t.Errorf("%s: %d nodes, %d edges, %+v", name, len(g.Nodes), len(g.Edges), schema)
		}
	}
}

func TestOpenMetis_Bad(t *testing.T) {
	const header = "; expected the numbers of vertices and edges, and a form of 0, 1 or 100 (vertex weights and sizes are not supported)"
	metisGraph.RunBad(t, []sourcetest.Bad{
		{Name: "empty", Content: "% c\n", Want: ":1: the end of the file" + header},
		{Name: "one number", Content: "3\n", Want: `:1: "3"` + header},
		{Name: "negative", Content: "3 -1\n", Want: `:1:3: "-1"` + header},
		{Name: "vertex weights", Content: "1 0 10\n5\n", Want: ":1:5: form 10" + header},
		{Name: "list missing", Content: "3 1\n2\n1\n", Want: ":3: the end before the list of vertex 3; expected 3 lists"},
		{Name: "list too many", Content: "2 1\n2\n1\n\n1\n", Want: `:5: "1"; expected the end after 2 lists`},
		{Name: "neighbor 0", Content: "2 1\n0\n1\n", Want: `:2:1: neighbor "0"; expected a vertex from 1 to 2`},
		{Name: "neighbor too large", Content: "2 1\n2\n3\n", Want: `:3:1: neighbor "3"; expected a vertex from 1 to 2`},
		{Name: "weight missing", Content: "2 1 1\n2 5\n1\n",
			Want: `:3:2: weight ""; expected a finite number after each neighbor`},
		{Name: "count", Content: "2 3\n2\n1\n", Want: ":1: 3 edges announced, but the lists hold 2 entries; expected 6, each edge at both ends"},
		{Name: "asymmetric", Content: "3 2\n2\n1 3\n1\n",
			Want: ":1: lists in which an edge stands at one end only, or with two weights; expected each edge at both ends"},
		{Name: "two weights", Content: "2 1 1\n2 5\n1 6\n",
			Want: ":1: lists in which an edge stands at one end only, or with two weights; expected each edge at both ends"},
		{Name: "binary", Content: "2 1\n\x00\n", Want: ":2: binary data; expected text"},
	})
}

func FuzzOpenMetis(f *testing.F) {
	metisGraph.Fuzz(f, "gapbs-test/graphs/*.graph", "3 2\n2\n1 3\n2\n", "3 2 1\n2 7\n1 7 3 5\n2 5\n", "2 1 100\n2\n\n",
		"% c\n1 1\n1\n")
}
