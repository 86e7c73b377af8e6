// Package sourcetest holds what the tests of all readers share: it drains a Source and
// checks what every Source promises, finds the data beside the repository, and fuzzes.
package sourcetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats"
)

// Limit is how many nodes or edges Read takes before it stops: a header of a few bytes
// may declare more vertices than a test should wait for.
const Limit = 4_000_000

// errLimit ends a stream at Limit.
var errLimit = errors.New("enough")

// Graph is all that a Source yielded. Values has one row an edge or node, one number a column.
type Graph struct {
	Nodes      []string
	NodeValues [][]float64
	Edges      []Edge
	Cut        bool // the stream was ended at Limit
}

// Edge is one edge and where it stands.
type Edge struct {
	Src, Dst string
	Values   []float64
	Line     int64
}

// Pairs are the edges as "source→target".
func (g *Graph) Pairs() []string {
	pairs := make([]string, len(g.Edges))
	for i, e := range g.Edges {
		pairs[i] = e.Src + "→" + e.Dst
	}
	return pairs
}

// Read drains src and closes it. It fails the test when a batch or the promised counts
// are not as formats.Source says; an error of the source is returned.
func Read(t testing.TB, src formats.Source) (*Graph, error) {
	t.Helper()
	return read(t, src, Limit)
}

func read(t testing.TB, src formats.Source, limit int) (*Graph, error) {
	t.Helper()
	defer func() {
		if err := src.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	g := &Graph{}
	if err := g.readNodes(t, src, limit); err != nil || g.Cut {
		return g, err
	}
	if err := g.readEdges(t, src, limit); err != nil || g.Cut {
		return g, err
	}
	if promised := src.Schema().Vertices; promised >= 0 && src.Schema().NodesDeclared && promised != int64(len(g.Nodes)) {
		t.Errorf("%d nodes, but the schema promises %d", len(g.Nodes), promised)
	}
	if promised := src.Schema().Edges; promised >= 0 && promised != int64(len(g.Edges)) {
		t.Errorf("%d edges, but the schema promises %d", len(g.Edges), promised)
	}
	return g, nil
}

func (g *Graph) readNodes(t testing.TB, src formats.Source, limit int) error {
	schema := src.Schema().Node
	return g.end(src.Nodes(context.Background(), func(b *formats.NodeBatch) error {
		checkBatch(t, b.ID.Len(), b.Props, schema, b.Where)
		for row := range min(b.ID.Len(), limit+1-len(g.Nodes)) {
			g.Nodes = append(g.Nodes, b.ID.Text(row))
			g.NodeValues = append(g.NodeValues, values(b.Props, row))
		}
		return over(len(g.Nodes), limit)
	}))
}

func (g *Graph) readEdges(t testing.TB, src formats.Source, limit int) error {
	schema := src.Schema().Edge
	return g.end(src.Edges(context.Background(), func(b *formats.EdgeBatch) error {
		checkBatch(t, b.Src.Len(), b.Props, schema, b.Where)
		if b.Dst.Len() != b.Src.Len() {
			t.Errorf("%d sources and %d targets", b.Src.Len(), b.Dst.Len())
		}
		for row := range min(b.Src.Len(), limit+1-len(g.Edges)) {
			g.Edges = append(g.Edges, Edge{b.Src.Text(row), b.Dst.Text(row), values(b.Props, row), b.Where(row).Line})
		}
		return over(len(g.Edges), limit)
	}))
}

func over(n, limit int) error {
	if n > limit {
		return errLimit
	}
	return nil
}

func (g *Graph) end(err error) error {
	if errors.Is(err, errLimit) {
		g.Cut = true
		return nil
	}
	return err
}

func checkBatch(t testing.TB, rows int, props arrow.Record, schema *arrow.Schema, where func(int) formats.Position) {
	t.Helper()
	if rows < 1 || rows > formats.BatchRows {
		t.Errorf("a batch of %d rows", rows)
	}
	if (props != nil) != (schema != nil) {
		t.Fatalf("schema %v, but properties %v", schema, props)
	}
	if props != nil && (int(props.NumRows()) != rows || !props.Schema().Equal(schema)) {
		t.Errorf("%d rows, properties %v; schema %v", rows, props, schema)
	}
	if where(0).File == "" || where(rows-1).File == "" {
		t.Error("a row without a file")
	}
}

func values(props arrow.Record, row int) []float64 {
	if props == nil {
		return nil
	}
	var numbers []float64
	for _, column := range props.Columns() {
		switch column := column.(type) {
		case *array.Float64:
			numbers = append(numbers, column.Value(row))
		case *array.Int64:
			numbers = append(numbers, float64(column.Value(row)))
		case *array.List:
			from, to := column.ValueOffsets(row)
			numbers = append(numbers, column.ListValues().(*array.Float64).Float64Values()[from:to]...)
		default:
			panic(fmt.Sprintf("column of type %T", column))
		}
	}
	return numbers
}
