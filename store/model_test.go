package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/store/internal/load"
)

// model is a small property graph kept as text, and a formats.Source of it.
type model struct {
	mem        memory.Allocator
	schema     formats.Schema
	batch      int  // rows a batch
	typedFrom  int  // edges before this one come in batches without types
	numbered   bool // edges between declared nodes come with their numbers
	nodes      []modelNode
	edges      []modelEdge
	failAfter  int // batches of edges; 0: never
	failure    error
	afterBatch func() // called after each batch of edges
}

type modelNode struct {
	id, labels string
	props      []string
}

type modelEdge struct {
	src, dst, typ string
	props         []string
}

func (m *model) Schema() formats.Schema { return m.schema }
func (m *model) Close() error           { return nil }

func modelPosition(kind string) func(int) formats.Position {
	return func(row int) formats.Position { return formats.Position{File: kind, Line: int64(row) + 1} }
}

func (m *model) Nodes(_ context.Context, yield func(*formats.NodeBatch) error) error {
	for part := range slices.Chunk(m.nodes, m.batch) {
		b := &formats.NodeBatch{Where: modelPosition("nodes")}
		rows := make([][]string, len(part))
		for i, n := range part {
			b.ID.Append(n.id)
			b.Labels = append(b.Labels, n.labels)
			rows[i] = n.props
		}
		if err := withProps(m.mem, m.schema.Node, rows, &b.Props, func() error { return yield(b) }); err != nil {
			return err
		}
	}
	return nil
}

func (m *model) Edges(_ context.Context, yield func(*formats.EdgeBatch) error) error {
	for at := 0; at < len(m.edges); at += m.batch {
		if m.failure != nil && at/m.batch >= m.failAfter {
			return m.failure
		}
		part := m.edges[at:min(at+m.batch, len(m.edges))]
		b := &formats.EdgeBatch{Where: modelPosition("edges")}
		if m.numbered {
			b.SrcNumbers, b.DstNumbers = m.numbersOf(part)
		}
		rows := make([][]string, len(part))
		for i, e := range part {
			b.Src.Append(e.src)
			b.Dst.Append(e.dst)
			if at >= m.typedFrom {
				b.Types = append(b.Types, e.typ)
			}
			rows[i] = e.props
		}
		if err := withProps(m.mem, m.schema.Edge, rows, &b.Props, func() error { return yield(b) }); err != nil {
			return err
		}
		if m.afterBatch != nil {
			m.afterBatch()
		}
	}
	return m.failure
}

// numbersOf are the numbers of the ends of edges; nil where one is of no declared node.
func (m *model) numbersOf(edges []modelEdge) (sources, targets []int64) {
	number := func(id string) int64 {
		return int64(slices.IndexFunc(m.nodes, func(n modelNode) bool { return n.id == id }))
	}
	for _, e := range edges {
		sources, targets = append(sources, number(e.src)), append(targets, number(e.dst))
	}
	if slices.Contains(sources, -1) || slices.Contains(targets, -1) {
		return nil, nil
	}
	return sources, targets
}

// withProps sets *to to a record of rows while use runs. A column that is null in
// every row is left out of it.
func withProps(mem memory.Allocator, schema *arrow.Schema, rows [][]string, to *arrow.Record, use func() error) error {
	if schema == nil {
		return use()
	}
	var fields []arrow.Field
	var columns []arrow.Array
	for j, field := range schema.Fields() {
		b := array.NewBuilder(mem, field.Type)
		for _, row := range rows {
			if err := b.AppendValueFromString(row[j]); err != nil {
				panic(err)
			}
		}
		values := b.NewArray()
		b.Release()
		defer values.Release()
		if values.NullN() < values.Len() {
			fields, columns = append(fields, field), append(columns, values)
		}
	}
	record := array.NewRecord(arrow.NewSchema(fields, nil), columns, int64(len(rows)))
	defer record.Release()
	*to = record
	return use()
}

// propertyTypes are the types that random models use, with a value of each.
var propertyTypes = []struct {
	arrow.DataType
	value func(*rand.Rand) string
}{
	{arrow.PrimitiveTypes.Int64, func(r *rand.Rand) string { return strconv.FormatInt(r.Int64()-r.Int64(), 10) }},
	{arrow.PrimitiveTypes.Float64, func(r *rand.Rand) string { return strconv.FormatFloat(r.NormFloat64(), 'g', -1, 64) }},
	{arrow.PrimitiveTypes.Int8, func(r *rand.Rand) string { return strconv.Itoa(r.IntN(256) - 128) }},
	{arrow.PrimitiveTypes.Float32, func(r *rand.Rand) string {
		return strconv.FormatFloat(float64(r.Float32()), 'g', -1,
			32)
	}},
	{arrow.FixedWidthTypes.Boolean, func(r *rand.Rand) string { return strconv.FormatBool(r.IntN(2) == 0) }},
	{arrow.BinaryTypes.String, func(r *rand.Rand) string { return fmt.Sprintf("s%*d", r.IntN(20), r.IntN(100)) }},
	{arrow.BinaryTypes.LargeString, func(r *rand.Rand) string { return "größer" + strconv.Itoa(r.IntN(9)) }},
	{arrow.FixedWidthTypes.Date32, func(r *rand.Rand) string {
		return fmt.Sprintf("20%02d-03-%02d", r.IntN(100), 1+
			r.IntN(31))
	}},
	{arrow.FixedWidthTypes.Timestamp_ms, func(r *rand.Rand) string {
		return fmt.Sprintf("2024-05-06 07:08:%02d.%03dZ",
			r.IntN(60), r.IntN(1000))
	}},
	{arrow.ListOf(arrow.BinaryTypes.String), func(r *rand.Rand) string {
		return []string{`[]`, `["a","b"]`,
			`["",null,"c"]`}[r.IntN(3)]
	}},
	{arrow.ListOf(arrow.PrimitiveTypes.Int64), func(r *rand.Rand) string {
		return []string{`[]`, `[1,null]`,
			`[-5]`}[r.IntN(3)]
	}},
	{arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Int64),
		func(r *rand.Rand) string { return []string{`[3,4]`, `[null,0]`}[r.IntN(2)] }},
}

const null = array.NullValueStr

// randomModel draws a property graph with about these many vertices and edges.
func randomModel(r *rand.Rand, mem memory.Allocator, vertices, edges int) *model {
	m := &model{mem: mem, batch: 1 + r.IntN(20)}
	m.schema = formats.Schema{
		Orientation: formats.Orientation(r.IntN(3)), NodesDeclared: r.IntN(2) == 0,
		Node: randomSchema(r), Edge: randomSchema(r), Vertices: -1, Edges: -1,
	}
	ids := randomIDs(r, vertices)
	declared := len(ids)
	if !m.schema.NodesDeclared {
		declared = r.IntN(len(ids) + 1)
	}
	labels := []string{"", "Person", "City;Place", "Place"}[:1+r.IntN(4)]
	for _, id := range ids[:declared] {
		m.nodes = append(m.nodes, modelNode{id, labels[r.IntN(len(labels))], randomProps(r, m.schema.Node)})
	}
	types := []string{"", "KNOWS", "LIKES", "IN"}[:1+r.IntN(4)]
	for range edges {
		if len(ids) == 0 {
			break
		}
		skewed := ids[int(float64(len(ids))*r.Float64()*r.Float64())]
		m.edges = append(m.edges, modelEdge{skewed, ids[r.IntN(len(ids))], types[r.IntN(len(types))],
			randomProps(r, m.schema.Edge)})
	}
	m.typedFrom = m.batch * r.IntN(len(m.edges)/m.batch+2)
	for i := range min(m.typedFrom, len(m.edges)) {
		m.edges[i].typ = ""
	}
	m.numbered = r.IntN(2) == 0
	return m
}

func randomSchema(r *rand.Rand) *arrow.Schema {
	var fields []arrow.Field
	for i := range r.IntN(4) {
		t := propertyTypes[r.IntN(len(propertyTypes))]
		fields = append(fields, arrow.Field{Name: []string{"neighbor", "vertex", "edges", "p"}[i], Type: t.DataType,
			Nullable: true})
	}
	if fields == nil {
		return nil
	}
	return arrow.NewSchema(fields, nil)
}

func randomProps(r *rand.Rand, schema *arrow.Schema) (props []string) {
	for _, field := range load.FieldsOf(schema) {
		value := null
		for _, t := range propertyTypes {
			if arrow.TypeEqual(t.DataType, field.Type) && r.IntN(5) > 0 {
				value = t.value(r)
			}
		}
		props = append(props, value)
	}
	return props
}

// randomIDs draws distinct ids: a run of integers, scattered ones, strings, or a mixture; in any order.
func randomIDs(r *rand.Rand, n int) []string {
	style, base := r.IntN(4), r.Int64N(100)
	ids := make([]string, n)
	for i := range ids {
		switch {
		case style == 0:
			ids[i] = strconv.FormatInt(base+int64(i), 10)
		case style == 1 || style == 2 && r.IntN(2) == 0:
			ids[i] = strconv.FormatInt(r.Int64()/int64(n)*int64(n)+int64(i), 10)
		default:
			ids[i] = fmt.Sprintf("v%d-%d", r.IntN(10), i)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if r.IntN(2) == 0 {
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	}
	return ids
}

// testDB is an open database in a temporary directory, with leak-checked arrays.
func testDB(t testing.TB) *DB {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	db, err := Open(scratch(t), Options{Create: true, Allocator: mem})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		mem.AssertSize(t, 0)
	})
	return db
}

// edgeModel is a graph of plain edges between integer ids.
func edgeModel(edges ...[2]int) *model {
	m := &model{mem: memory.DefaultAllocator, batch: 1000, schema: formats.Schema{Vertices: -1, Edges: -1}}
	m.typedFrom = len(edges)
	for _, e := range edges {
		m.edges = append(m.edges, modelEdge{src: strconv.Itoa(e[0]), dst: strconv.Itoa(e[1])})
	}
	return m
}

// must fails the test when err is not nil.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
