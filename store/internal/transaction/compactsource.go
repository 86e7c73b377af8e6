package transaction

import (
	"context"
	"iter"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// compaction streams what a transaction sees, as an importer would: nodes by ascending id,
// relationships of the base and then newer ones, each by ascending id. So the k-th of
// parallel ones stays the k-th.
type compaction struct {
	tx           *Tx
	nodes, edges []compactColumn
	ids          formats.IDs // user ids by the transaction's ids
	loaded       []uint32    // places in the order of loading, of the base's nodes; nil: their ids
}

func NewCompaction(tx *Tx) (c *compaction, err error) {
	c = &compaction{tx: tx}
	nodes, edges := map[base.Token][]value.Value{}, map[base.Token][]value.Value{}
	for id, n, ok := tx.State.Nodes.Next(0); ok; id, n, ok = tx.State.Nodes.Next(id + 1) {
		setValues(nodes, n.Properties)
	}
	for id, r, ok := tx.State.Relationships.Next(0); ok; id, r, ok = tx.State.Relationships.Next(id + 1) {
		setValues(edges, r.Properties)
	}
	if tx.Base.IDs != nil {
		delete(nodes, tx.Base.IDs.Key)
	}
	m := tx.Base.Manifest
	if c.nodes, err = compactColumns(m.NodeProperties, nodes, tx.Graph.keys); err != nil {
		return nil, err
	}
	if err = retype(c.nodes, c.nodeValues); err != nil {
		return nil, err
	}
	if c.edges, err = compactColumns(m.EdgeProperties, edges, tx.Graph.keys); err != nil {
		return nil, err
	}
	if err = retype(c.edges, c.edgeValues); err != nil {
		return nil, err
	}
	if c.loaded, err = tx.Base.Snapshot.LoadPlaces(tx.ctx); err != nil {
		return nil, err
	}
	return c, c.readIDs()
}

// DeletesOfBase tells whether a node of the base is deleted, so that the ids of others close ranks.
func (tx *Tx) DeletesOfBase() bool {
	for id, n, ok := tx.State.Nodes.Next(0); ok && id < tx.Base.Vertices; id, n, ok = tx.State.Nodes.Next(id + 1) {
		if n.Deleted {
			return true
		}
	}
	return false
}

// numbers are the transaction's ids of all nodes, ascending.
func (c *compaction) numbers() iter.Seq[uint64] {
	// fails only when the context ends, as all else then does
	return func(yield func(uint64) bool) { _ = c.tx.Nodes(yield) }
}

// readIDs finds the user ids, which are the new dense ids where nodes have none.
func (c *compaction) readIDs() (err error) {
	b := c.tx.Base
	if b.IDs != nil {
		if c.ids, err = b.Snapshot.UserIDs(c.tx.ctx, 0, b.Vertices); err != nil {
			return err
		}
	}
	rank := int64(0)
	for id := range c.numbers() {
		if b.IDs != nil && id < b.Vertices {
			continue
		}
		for uint64(c.ids.Len()) < id {
			c.ids.AppendInt(-1) // of a deleted node: nothing asks for it
		}
		if b.IDs == nil {
			c.ids.AppendInt(rank)
			rank++
		} else if err := c.appendNewID(id); err != nil {
			return err
		}
	}
	return nil
}

func (c *compaction) appendNewID(node uint64) error {
	v, err := c.tx.NodeProperty(node, c.tx.Base.IDs.Key)
	if err != nil {
		return err
	}
	if v.Kind() == value.String {
		c.ids.Append(v.Str())
	} else {
		c.ids.AppendInt(v.Int())
	}
	return nil
}

func (c *compaction) Close() error { return nil }

func (c *compaction) Schema() formats.Schema {
	orientation := formats.Undirected
	if c.tx.Base.Manifest.Directed {
		orientation = formats.Directed
	}
	return formats.Schema{
		Orientation: orientation, NodesDeclared: true,
		Node: schemaOfColumns(c.nodes), Edge: schemaOfColumns(c.edges),
		IntegerIDs: c.ids.Strings == nil,
		Vertices:   int64(c.tx.NodeCount()), Edges: int64(c.tx.RelationshipCount()),
	}
}

func (c *compaction) where(int) formats.Position {
	return formats.Position{File: "graph " + c.tx.Graph.Name}
}

// Nodes yields batches of nodes that are in one block of the base's columns, or new.
func (c *compaction) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) (err error) {
	var batch []uint64
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		some := batch
		batch = batch[:0]
		return c.nodeBatch(some, yield)
	}
	for id := range c.numbers() {
		if len(batch) > 0 && batch[0]/manifest.BlockRows != id/manifest.BlockRows || len(batch) > 0 &&
			batch[0] < c.tx.Base.Vertices && id >= c.tx.Base.Vertices {
			if err := flush(); err != nil {
				return err
			}
		}
		batch = append(batch, id)
	}
	if err := flush(); err != nil {
		return err
	}
	return ctx.Err()
}

func (c *compaction) nodeBatch(ids []uint64, yield func(*formats.NodeBatch) error) error {
	batch := &formats.NodeBatch{Where: c.where}
	rows := make([]compactRow, len(ids))
	for i, id := range ids {
		snapshot.AppendID(&batch.ID, c.ids, uint32(id))
		labels, err := c.labels(id)
		if err != nil {
			return err
		}
		batch.Labels = append(batch.Labels, labels)
		rows[i].at = -1
		if id < c.tx.Base.Vertices {
			rows[i].at = int(id % manifest.BlockRows)
		}
		if n := c.tx.State.Nodes.Get(id); n != nil {
			rows[i].set = n.Properties
		}
	}
	if len(c.nodes) == 0 {
		return yield(batch)
	}
	b := c.tx.Base
	record, err := compactRecord(c.tx.Graph.all.Mem, c.nodes, rows, func(column compactColumn) (arrow.Array, error) {
		if rows[0].at < 0 {
			return nil, nil
		}
		p := column.base
		return b.Snapshot.Block(manifest.NamedColumn{Column: &p.Column, Name: p.Name}, uint32(ids[0]/manifest.BlockRows))
	})
	if err != nil {
		return err
	}
	defer record.Release()
	batch.Props = record
	return yield(batch)
}

// labels are a node's, as a source gives them.
func (c *compaction) labels(id uint64) (string, error) {
	labels, err := c.tx.labels(id)
	if err != nil || len(labels) == 0 {
		return "", err
	}
	names := make([]string, len(labels))
	for i, l := range labels {
		names[i] = c.tx.LabelName(l)
	}
	return strings.Join(names, manifest.LabelSeparator), nil
}

// Edges yields the relationships of the base that are left and then the new ones.
func (c *compaction) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	b := &compactEdges{compaction: c, yield: yield}
	for i, info := range c.tx.Base.Out.Chunks {
		b.start = c.tx.Base.Out.Starts[i]
		if err := c.tx.Base.Snapshot.WholeChunk(ctx, info, b.chunk); err != nil {
			return err
		}
	}
	return b.added()
}

// compactEdges collects a batch of relationships.
type compactEdges struct {
	*compaction
	yield func(*formats.EdgeBatch) error
	start uint64 // the id of the chunk's first entry

	batch formats.EdgeBatch
	rows  []compactRow
}

// chunk yields what is left of a chunk.
func (b *compactEdges) chunk(c *chunk.Chunk) error {
	types := base.TypeCodes{Untyped: b.tx.Base.Out.Untyped}
	if codes, ok := c.Column(manifest.TypeColumn); ok && !types.Read(codes, b.tx.Base.Out.Types) {
		return b.tx.Base.Snapshot.Mistyped("edge types")
	}
	rows := c.Meta().Rows
	offsets, neighbors, vertices := c.Offsets(), c.Neighbors(), c.Vertices()
	changed, record, more := b.tx.State.Relationships.Next(b.start)
	for i := range c.Rows() {
		v := rows.Base + uint64(i)
		if vertices != nil {
			v = rows.Base + uint64(vertices[i])
		}
		for at := int(offsets[i]); at < int(offsets[i+1]); at++ {
			id, end := b.start+uint64(at), uint64(neighbors[at])
			row := compactRow{at: at}
			if more && id > changed {
				changed, record, more = b.tx.State.Relationships.Next(id)
			}
			if more && id == changed {
				row.set = record.Properties
			}
			if more && id == changed && record.Deleted || !b.tx.Base.Manifest.Directed && end < v {
				continue
			}
			if err := b.append(c, row, v, end, types.At(at)); err != nil {
				return err
			}
		}
	}
	return b.flush(c)
}

// added yields the new relationships.
func (b *compactEdges) added() error {
	state := b.tx.State
	for id, r, ok := state.Relationships.Next(state.RelationshipBase); ok; id, r, ok = state.Relationships.Next(id + 1) {
		if r.Deleted {
			continue
		}
		if err := b.append(nil, compactRow{at: -1, set: r.Properties}, r.Start, r.End, r.Type); err != nil {
			return err
		}
	}
	return b.flush(nil)
}

func (b *compactEdges) append(c *chunk.Chunk, row compactRow, start, end uint64, typ base.Token) error {
	snapshot.AppendID(&b.batch.Src, b.ids, uint32(start))
	snapshot.AppendID(&b.batch.Dst, b.ids, uint32(end))
	b.batch.Types = append(b.batch.Types, b.tx.TypeName(typ))
	if b.rows = append(b.rows, row); len(b.rows) < formats.BatchRows {
		return nil
	}
	return b.flush(c)
}

// flush yields what has been collected of c, or of new relationships.
func (b *compactEdges) flush(c *chunk.Chunk) error {
	if len(b.rows) == 0 {
		return nil
	}
	batch, rows := b.batch, b.rows
	b.batch, b.rows = formats.EdgeBatch{}, nil
	batch.Where = b.where
	if len(b.edges) == 0 {
		return b.yield(&batch)
	}
	record, err := compactRecord(b.tx.Graph.all.Mem, b.edges, rows, func(column compactColumn) (arrow.Array, error) {
		if c == nil {
			return nil, nil
		}
		values, ok := c.Column(column.stored.Name)
		if !ok || !arrow.TypeEqual(values.DataType(), column.stored.Type) {
			return nil, b.tx.Base.Snapshot.Mistyped("edge property " + column.stored.Name)
		}
		values.Retain()
		return values, nil
	})
	if err != nil {
		return err
	}
	defer record.Release()
	batch.Props = record
	return b.yield(&batch)
}

// Places are the nodes' places in the order of loading, by new dense id; nil: they are the
// same. New nodes come last.
func (c *compaction) Places() []uint32 {
	if c.loaded == nil {
		return nil
	}
	rank := make([]uint32, len(c.loaded)) // by place: how many survivors come before
	for old, place := range c.loaded {
		if c.tx.NodeExists(uint64(old)) {
			rank[place] = 1
		}
	}
	survivors := uint32(0)
	for place, alive := range rank {
		rank[place] = survivors
		survivors += alive
	}
	var places []uint32
	for old := range c.numbers() {
		if old < uint64(len(c.loaded)) {
			places = append(places, rank[c.loaded[old]])
		} else {
			places = append(places, uint32(len(places)))
		}
	}
	return places
}
