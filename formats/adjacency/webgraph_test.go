package adjacency

import (
	"testing"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

// The published counts (Laboratory for Web Algorithmics).
func TestOpenWebGraph_CNR2000(t *testing.T) {
	nodes, edges, schema := webGraph.CountFile(t, sourcetest.SharedData(t, "cnr-2000", "cnr-2000.graph-txt.gz"))
	if nodes != 325557 || edges != 3216152 || schema.Orientation != formats.Directed {
		t.Errorf("%d nodes, %d edges, orientation %d", nodes, edges, schema.Orientation)
	}
}

func TestOpenWebGraph_Bad(t *testing.T) {
	webGraph.RunBad(t, []sourcetest.Bad{
		{Name: "empty", Content: "", Want: `: ""; expected the number of vertices`},
		{Name: "two numbers", Content: "2 1\n1\n0\n", Want: `:1: "2 1"; expected the number of vertices`},
		{Name: "list missing", Content: "2\n1\n", Want: ":2: the end before the list of vertex 1; expected 2 lists"},
		{Name: "list too many", Content: "1\n0\n0\n", Want: `:3: "0"; expected the end after 1 lists`},
		{Name: "successor too large", Content: "2\n1\n0 2\n", Want: `:3:3: neighbor "2"; expected a vertex from 0 to 1`},
		{Name: "successor negative", Content: "2\n-1\n", Want: `:2:1: neighbor "-1"; expected a vertex from 0 to 1`},
	})
}

func FuzzOpenWebGraph(f *testing.F) {
	webGraph.Fuzz(f, "no files of this form are small", "3\n1 2\n\n0\n", "0\n", "1\n0 0\n")
}
