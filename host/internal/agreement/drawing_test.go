package agreement_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graphtest"
	"github.com/penstock-db/penstock/store"
)

// drawing is a graph, and how it was drawn.
type drawing struct {
	*algorithms.Graph
	acyclic bool
	weights string
}

// weights are kinds of them. What an algorithm cannot take it has to refuse. Sums of the huge may overflow, on the way
// to a result, or in the oracle: there a refusal is always right.
var weights = []struct {
	name string
	draw func(*rand.Rand) float64
}{
	{"none", nil},
	{"shares", nil},
	{"whole, some of them 0", func(rng *rand.Rand) float64 { return float64(rng.IntN(5)) }},
	{"of any size", func(rng *rand.Rand) float64 { return math.Exp2(float64(rng.IntN(80) - 40)) }},
	{"some of them negative", func(rng *rand.Rand) float64 { return float64(rng.IntN(12) - 2) }},
	{huge, func(rng *rand.Rand) float64 { return 1e307 * float64(1+rng.IntN(9)) }},
}

const huge = "huge"

// draw draws a graph of up to 300 vertices: of the first three, one has none, one has one, and one has no edges.
func draw(rng *rand.Rand, number int) drawing {
	kind := weights[number%len(weights)]
	c := oracletest.Config{MaxVertices: 300, Directed: rng.IntN(2) == 0, Simple: rng.IntN(4) == 0,
		Unweighted: kind.name == "none", Weight: kind.draw}
	c.Acyclic = c.Directed && rng.IntN(2) == 0
	switch number {
	case 0:
		return drawing{oracletest.WithProperties(algorithms.NewGraph(c.Directed, nil, nil)), true, "none"}
	case 1:
		c.MaxVertices = 1
	case 2:
		return drawing{oracletest.WithProperties(algorithms.NewGraph(c.Directed, []int64{7, 5, 6}, nil)), true, "none"}
	}
	return drawing{oracletest.RandomGraph(rng, c), c.Acyclic, kind.name}
}

// stored loads the graph into a database of its own.
func (d drawing) stored(t *testing.T, chunkBytes int) *store.Snapshot {
	t.Helper()
	db, err := store.Open(t.TempDir(), store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	options := store.LoadOptions{ChunkBytes: chunkBytes, Order: store.OrderNone, Orientation: formats.Undirected}
	if d.Directed {
		options.Orientation = formats.Directed
	}
	if _, err := db.Load(t.Context(), "g", d.source(), options); err != nil {
		t.Fatal(err)
	}
	snap, err := db.Snapshot("g")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(snap.Close)
	return snap
}

// source is the graph as a file of nodes and edges would have it.
func (d drawing) source() formats.Source {
	g := &graphtest.Graph{NodesDeclared: true, IntegerIDs: true}
	for _, id := range d.IDs {
		g.Nodes = append(g.Nodes, graphtest.Node{ID: strconv.FormatInt(id, 10)})
	}
	var nodes, edges []arrow.Field
	for name, values := range d.Properties {
		nodes = append(nodes, arrow.Field{Name: name, Type: typeOf(values), Nullable: true})
		for v := range g.Nodes {
			g.Nodes[v].Values = append(g.Nodes[v].Values, valueOf(values, v))
		}
	}
	g.NodeSchema = arrow.NewSchema(nodes, nil)
	for _, name := range d.EdgeColumns() {
		edges = append(edges, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64, Nullable: true})
	}
	g.EdgeSchema = arrow.NewSchema(edges, nil)
	for v := range d.N() {
		for k, u := range d.Out.Of(v) {
			if !d.Directed && int(u) < v {
				continue // it is among those of u
			}
			e := graphtest.Edge{Src: g.Nodes[v].ID, Dst: g.Nodes[u].ID}
			for _, name := range d.EdgeColumns() {
				e.Values = append(e.Values, d.Out.Columns[name][d.Out.Offsets[v]+k])
			}
			g.Edges = append(g.Edges, e)
		}
	}
	return g.Source(memory.DefaultAllocator, 1000)
}

func typeOf(values algorithms.Values) arrow.DataType {
	numbers := arrow.PrimitiveTypes.Float64
	if values.Type == algorithms.Int {
		numbers = arrow.PrimitiveTypes.Int64
	}
	if values.Each > 0 {
		return arrow.ListOf(numbers)
	}
	return numbers
}

// valueOf is what vertex v has: a number, or a list of them.
func valueOf(values algorithms.Values, v int) any {
	var list []any
	for k := v * values.Per(); k < (v+1)*values.Per(); k++ {
		if values.Type == algorithms.Int {
			list = append(list, values.Ints[k])
		} else {
			list = append(list, values.Floats[k])
		}
	}
	if values.Each > 0 {
		return list
	}
	return list[0]
}
