package projection

import (
	"context"
	"math"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/store/internal/arrays"
)

// Source streams the part: its nodes in the order of its dense ids, and its edges, with the users' ids. It holds,
// beside what the snapshot's source does, 4 bytes for each vertex of the snapshot, unless all are in the part. Of what
// is drawn up it holds the ids of the vertices.
func (p *Part) Source(mem memory.Allocator) formats.Source {
	s := &source{Source: p.whole.Source(mem), part: p, mem: mem, added: newAdded(p.Added), linked: p.asked(),
		bothWays: p.bothWays()}
	if mem == nil {
		s.mem = memory.DefaultAllocator
	}
	if p.vertices != nil {
		s.dense = slices.Repeat([]uint32{outside}, int(p.whole.Manifest().Vertices))
		for dense, v := range p.vertices {
			s.dense[v] = uint32(dense)
		}
	}
	return s
}

// bothWays tells whether relationships lead both ways, but for linked ones.
func (p *Part) bothWays() bool {
	if p.Orientation == Undirected {
		return true
	}
	if p.Drawn != nil {
		return p.Drawn.Undirected
	}
	return !p.whole.Manifest().Directed
}

// outside stands for a vertex that is not in the part.
const outside = math.MaxUint32

type source struct {
	formats.Source
	part  *Part
	dense []uint32 // by dense ids of the snapshot, those of the part; nil: they are the same
	mem   memory.Allocator
	added []*added    // to vertices
	ids   formats.IDs // of the part's vertices, where relationships are drawn up or linked

	linked   []Linked // relationships of the part
	bothWays bool     // those of the graph, or that are drawn up, lead both ways; not so linked ones
}

// Schema is the snapshot's, but for the number of edges, which nobody knows yet.
func (s *source) Schema() formats.Schema {
	schema := s.Source.Schema()
	schema.Vertices, schema.Edges = int64(s.part.Vertices()), -1
	if d := s.part.Drawn; d != nil {
		schema.Orientation = formats.Directed
		if schema.Edge = nil; len(d.Relationships) > 0 {
			schema.Edge = arrow.NewSchema(fields(d.Relationships), nil)
		}
	}
	if s.bothWays {
		schema.Orientation = formats.Undirected
	}
	if len(s.linked) > 0 {
		schema.Edge, schema.Orientation = s.edgeSchema(schema.Edge), formats.Directed
	}
	schema.Node = s.nodeSchema(schema.Node)
	return schema
}

// Nodes yields of each batch the nodes of the part.
func (s *source) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	if s.dense == nil && len(s.added) == 0 && len(s.linked) == 0 {
		return s.Source.Nodes(ctx, yield)
	}
	first := 0
	return s.Source.Nodes(ctx, func(b *formats.NodeBatch) (err error) {
		var rows []int
		var vertices []uint32
		for i := range b.ID.Len() {
			if s.dense == nil || s.dense[first+i] != outside {
				rows, vertices = append(rows, i), append(vertices, uint32(first+i))
			}
		}
		first += b.ID.Len()
		if len(rows) == 0 {
			return nil
		}
		some := &formats.NodeBatch{ID: idsOf(b.ID, rows), Labels: textsOf(b.Labels, rows), Where: b.Where}
		if s.part.Drawn != nil || len(s.linked) > 0 {
			for i := range rows {
				s.ids.AppendRow(some.ID, i)
			}
		}
		if d := s.part.Drawn; d != nil && d.Labels != nil {
			some.Labels = d.labelsOf(vertices)
		}
		if some.Props, err = s.withAdded(recordOf(b.Props, rows), vertices); err != nil {
			return err
		}
		defer release(some.Props)
		return yield(some)
	})
}

// labelsOf are the labels that are drawn up of some vertices.
func (d *Drawn) labelsOf(vertices []uint32) []string {
	labels := make([]string, len(vertices))
	for i, v := range vertices {
		at, _ := slices.BinarySearch(d.Vertices, v)
		labels[i] = d.Labels[at]
	}
	return labels
}

// Edges yields the edges of the part, with the numbers of their ends: of each batch of the graph, or of what is drawn
// up, then of what is linked.
func (s *source) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) (err error) {
	switch {
	case s.part.linkedOnly():
	case s.part.Drawn != nil:
		err = s.drawn(ctx, yield)
	default:
		err = s.stored(ctx, yield)
	}
	for _, l := range s.linked {
		if err == nil {
			err = s.links(ctx, l, yield)
		}
	}
	return err
}

// stored yields the graph's edges.
func (s *source) stored(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	takes := s.part.takes()
	return s.Source.Edges(ctx, func(b *formats.EdgeBatch) error {
		some := &formats.EdgeBatch{Where: b.Where}
		var rows []int
		for i := range b.Src.Len() {
			source, target := s.number(b.SrcNumbers[i]), s.number(b.DstNumbers[i])
			if source == outside || target == outside || !takes(typeOf(b.Types, i)) {
				continue
			}
			rows = append(rows, i)
			some.SrcNumbers, some.DstNumbers = append(some.SrcNumbers, source), append(some.DstNumbers, target)
		}
		if len(rows) == 0 {
			return nil
		}
		some.Src, some.Dst, some.Types = idsOf(b.Src, rows), idsOf(b.Dst, rows), textsOf(b.Types, rows)
		if s.part.Orientation == Reverse {
			some.Src, some.Dst = some.Dst, some.Src
			some.SrcNumbers, some.DstNumbers = some.DstNumbers, some.SrcNumbers
		}
		some.Props = recordOf(b.Props, rows)
		defer release(some.Props)
		return s.own(some, yield)
	})
}

// typeOf is one of the types of relationships; "": they have none.
func typeOf(types []string, i int) string {
	if types == nil {
		return ""
	}
	return types[i]
}

// number is a vertex's number in the part, or outside.
func (s *source) number(whole int64) int64 {
	if s.dense == nil {
		return whole
	}
	return int64(s.dense[whole])
}

func idsOf(ids formats.IDs, rows []int) (some formats.IDs) {
	if len(rows) == ids.Len() {
		return ids
	}
	for _, i := range rows {
		some.AppendRow(ids, i)
	}
	return some
}

func textsOf(texts []string, rows []int) []string {
	if texts == nil || len(rows) == len(texts) {
		return texts
	}
	some := make([]string, len(rows))
	for k, i := range rows {
		some[k] = texts[i]
	}
	return some
}

// recordOf is these rows of a record; nil: of none.
func recordOf(record arrow.Record, rows []int) arrow.Record {
	if record == nil {
		return nil
	}
	if int64(len(rows)) == record.NumRows() {
		record.Retain()
		return record
	}
	columns := make([]arrow.Array, record.NumCols())
	for i, values := range record.Columns() {
		columns[i] = arrays.Gather(values, rows)
	}
	defer arrays.ReleaseArrays(columns)
	return array.NewRecord(record.Schema(), columns, int64(len(rows)))
}

func release(record arrow.Record) {
	if record != nil {
		record.Release()
	}
}
