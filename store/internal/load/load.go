// Package load makes chunks and columns of what a source streams:
//
//	source ─nodes, edges─▶ numbers ─▶ records ─▶ dense ids in some order ─▶ lists of neighbors ─▶ chunks
//
// loader.run tells it step by step; each step works on values of its own:
//
//	vertices   numbers and degrees, as they are met         nodes      properties and labels of declared nodes
//	edgeSpool  edges as records                             places     which vertex has which dense id
//	lists      the chunks of one direction (pairs: on all   budget     the memory that all of it may take
//	           processors, where records are small)
package load

import (
	"context"
	"errors"
	"os"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/store/internal/generation"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// Options say how to load a graph. The zero value suits most.
//
// A load holds the ids of vertices (nothing for integers from 0 on that few are missing
// of, 8 bytes each for other consecutive integers, up to 62 when they are not; about 70
// and the text of string ids), their degrees (4 bytes, 8 of directed graphs), up to 40
// bytes a vertex while they are put in order, edges and node properties, and chunks on
// their way to the disk. Beside it the open database takes about 50 MiB. Columns of
// variable width count with their average size.
type Options struct {
	// Orientation overrides what the source declares; OrientationUnknown does not.
	Orientation formats.Orientation
	// Memory bounds all of that; edges and node properties that it has no room for are
	// sorted by way of files in the database directory. 0: half of the machine's, or of
	// its control group's, of which 1 GiB is for edges and node properties.
	Memory int64
	// Order is the order of dense ids; empty: OrderAuto. Node properties of any order
	// but OrderNone are kept until all edges have been read. OrderBFS needs 9 bytes a
	// vertex and 8 an edge within Memory; OrderRabbit 57 a vertex, 8 more for each
	// processor, and 24 an edge.
	Order manifest.Order
	// ChunkBytes is the target size of a chunk's body; 0: 2 MiB, which cost no time where
	// the graph fits, and let several wait where memory is little. A vertex's list is
	// never divided.
	ChunkBytes int
	// Replace puts the graph in the place of one of the same name, which stays
	// readable until the new one is whole.
	Replace bool
	// Source says, for people, where the graph comes from.
	Source string
}

// Again says that the graph is in the database already, with changes that are now made part of it.
type Again struct {
	// Places are the vertices' places in the order of loading, by dense id, where OrderNone
	// keeps an order that was made before; nil: they are the same.
	Places []uint32
}

func (o Options) withDefaults() Options {
	o.Memory = max(0, o.Memory)
	if o.ChunkBytes <= 0 {
		o.ChunkBytes = 2 << 20
	}
	if o.Order == "" {
		o.Order = manifest.OrderAuto
	}
	o.ChunkBytes = min(o.ChunkBytes, tree.ValueLogFileSize/4)
	return o
}

// Run loads what src streams as generation g, with temporary files in a directory of its own in temp. It returns what
// the graph then consists of. again is nil for a graph that is new.
func Run(
	ctx context.Context, g *generation.Generation, src formats.Source, opts Options, again *Again, temp string,
) (m *manifest.Manifest, err error) {
	dir, err := os.MkdirTemp(temp, "load-")
	if err != nil {
		return nil, err
	}
	l := newLoader(g, src, opts.withDefaults(), again, dir)
	m, err = l.run(ctx)
	return m, errors.Join(err, l.nodes.close(), l.edges.spool.Close(), os.RemoveAll(dir))
}

// loader is one load on its way: what is read, in memory and in files of dir, and the budget that it keeps to.
type loader struct {
	generation *generation.Generation
	src        formats.Source
	schema     formats.Schema
	opts       Options
	budget     budget
	dir        string
	loaded     []uint32 // see Again.Places

	vertices *vertices
	nodes    *nodes
	edges    *edgeSpool
}

func newLoader(g *generation.Generation, src formats.Source, opts Options, again *Again, dir string) *loader {
	schema := src.Schema()
	l := &loader{
		generation: g, src: src, schema: schema, opts: opts, budget: newBudget(opts, again != nil), dir: dir,
		vertices: newVertices(schema.NodesDeclared, directed(schema, opts)),
		nodes:    newNodes(),
	}
	if again != nil {
		l.loaded = again.Places
	}
	l.edges = newEdgeSpool(dir, l.budget.room(0)/2, FieldsOf(schema.Edge))
	g.BatchBytes = uint64(l.budget.batch)
	return l
}

// run is the load.
//
//  1. It refuses properties and orders that cannot be, before it reads anything.
//  2. It reads nodes and then edges. Vertices get numbers as they are met, records go to the spools.
//  3. It checks that the rest fits the budget, now that all sizes are known.
//  4. It gives the vertices dense ids, in the order that was asked for.
//  5. It writes the columns of the vertices.
//  6. It makes lists of the edges, and chunks of these.
func (l *loader) run(ctx context.Context) (*manifest.Manifest, error) {
	nodeFields, edgeFields := FieldsOf(l.schema.Node), FieldsOf(l.schema.Edge)
	if err := checkSchema(l.generation.Mem, nodeFields, edgeFields); err != nil {
		return nil, err
	}
	order, err := checkOrder(l.opts.Order, nodeFields)
	if err != nil {
		return nil, err
	}
	if err := l.readNodes(ctx, nodeFields, order.Taken != manifest.OrderNone); err != nil {
		return nil, err
	}
	if err := l.readEdges(ctx); err != nil {
		return nil, err
	}
	properties, err := edgeProperties(edgeFields)
	if err != nil {
		return nil, err
	}
	if err := l.checkRest(); err != nil {
		return nil, err
	}
	p, err := l.reorder(ctx, l.vertices.assign(l.loaded), &order)
	if err != nil {
		return nil, err
	}
	m := &manifest.Manifest{
		Version: manifest.Version, ID: l.generation.Number, Log: l.generation.Number, Graph: l.generation.Graph,
		Source: l.opts.Source, Directed: l.vertices.degrees.directed, Order: order,
		Vertices: p.count, Edges: l.edges.count,
		Types: l.edges.types.list, TypeEdges: l.edges.typeEdges, EdgeProperties: properties,
	}
	if err := l.writeColumns(ctx, p, m); err != nil {
		return nil, err
	}
	return m, l.writeLists(ctx, p, m)
}

// readNodes numbers the declared nodes, and keeps or stores what they have. In OrderNone their numbers are their dense
// ids, so that their properties can be written as they come; else they are kept to be reordered.
func (l *loader) readNodes(ctx context.Context, fields []arrow.Field, reordered bool) error {
	if err := l.checkMemory(); err != nil {
		return err
	}
	count, err := checkDeclared(l.schema, l.budget, l.vertices.degrees.directed, l.opts.ChunkBytes, l.edges)
	if err != nil {
		return err
	}
	l.vertices.ids.reserve(count)
	l.nodes.begin(l.generation, fields)
	if len(fields) > 0 && reordered {
		l.nodes.rows = newNodeRows(l.budget, l.dir, fields)
	}
	err = l.src.Nodes(ctx, func(b *formats.NodeBatch) error {
		first, err := l.vertices.declare(b)
		if err != nil {
			return err
		}
		l.nodes.labels.add(b, first)
		if err := l.checkMemory(); err != nil {
			return err
		}
		return l.nodes.append(b, first, l.budget, l.budget.room(l.tableBytes())-l.held())
	})
	l.vertices.declared = uint32(l.vertices.ids.len())
	if err == nil && l.nodes.rows != nil {
		err = l.nodes.rows.spool.Finish()
	}
	return endOf(ctx, err)
}

// readEdges spools all edges with the numbers of their ends, and counts degrees.
func (l *loader) readEdges(ctx context.Context) error {
	err := l.src.Edges(ctx, func(b *formats.EdgeBatch) error {
		if b.SrcNumbers != nil && b.DstNumbers != nil && l.edges.forms[mark(b)].exact {
			return l.readNumbered(b)
		}
		limit := coverLimit(int64(l.edges.count)+int64(b.Src.Len()), l.budget.given)
		shift, alike := l.vertices.shift(b, limit)
		if err := l.checkMemory(); err != nil {
			return err
		}
		return l.edges.append(b, l.vertices, shift, alike)
	})
	return endOf(ctx, err)
}

// readNumbered spools edges whose source knows the numbers of their ends.
func (l *loader) readNumbered(b *formats.EdgeBatch) error {
	if err := l.vertices.checkNumbers(b); err != nil {
		return err
	}
	if err := l.checkMemory(); err != nil {
		return err
	}
	numbered := *b
	numbered.Src, numbered.Dst = formats.IDs{Ints: b.SrcNumbers}, formats.IDs{Ints: b.DstNumbers}
	return l.edges.append(&numbered, l.vertices, 0, true)
}

// endOf is how a step ends that may not have noticed that ctx did.
func endOf(ctx context.Context, err error) error {
	if err != nil {
		return err
	}
	return ctx.Err()
}

// tableBytes is what is held of vertices, and of names, while the input is read.
func (l *loader) tableBytes() int64 {
	return l.vertices.bytes() + l.nodes.labels.bytes() + l.edges.types.bytes()
}

// keptBytes is what is held of vertices once they are in order.
func (l *loader) keptBytes(p *places) int64 { return l.tableBytes() + orderedBytes*int64(p.count) }

// held is how many of Memory's bytes the spools hold.
func (l *loader) held() int64 { return l.edges.spool.InMemory() + l.nodes.inMemory() }

// checkMemory is called before rows are kept: more of them go to files as the tables grow.
func (l *loader) checkMemory() error {
	tables := l.tableBytes()
	if short := l.budget.short(withBatch(LoadBuffers + tables)); short != nil {
		short.Partial = true
		return short
	}
	room := l.budget.room(tables)
	l.edges.spool.Limit = room / 2
	if l.nodes.rows != nil {
		l.nodes.rows.spool.Limit = room / 4
	}
	return nil
}

// checkRest refuses to go on, once all has been read, with less memory than the rest
// takes. It leaves in memory of what was read what the rest does not need.
func (l *loader) checkRest() error {
	v, rows := l.vertices, l.nodes.rows
	v.degrees.grow(v.ids.len())
	tables, count := l.tableBytes(), v.named()
	entries, longest := v.degrees.entries()
	lists := leastForLists(l.edges, l.opts.ChunkBytes, int64(v.ids.len()), int64(entries), int64(longest))
	building := max(lists, leastForRows(rows), leastForIDs(v.ids))
	if short := l.budget.short(leastBeside(tables, count, building)); short != nil {
		return short
	}
	spare := min(l.budget.room(tables+orderingBytes*count), l.budget.room(tables+orderedBytes*count+building))
	if rows == nil {
		return l.edges.keep(spare)
	}
	return errors.Join(rows.keep(spare/3), l.edges.keep(spare*2/3))
}

// writeColumns stores what is known of each vertex: properties, labels, ids and degrees. With the columns of degrees,
// to read them reads no chunk.
func (l *loader) writeColumns(ctx context.Context, p *places, m *manifest.Manifest) (err error) {
	g, d := l.generation, l.vertices.degrees
	memory := l.budget.room(l.keptBytes(p)) - l.held()
	if m.NodeProperties, err = l.nodes.finish(p, l.vertices.declared, memory); err != nil {
		return err
	}
	if m.LabelSets, m.Labels, err = l.nodes.labels.write(g, p); err != nil {
		return err
	}
	if m.IDs, err = writeIDs(g, p); err != nil {
		return err
	}
	if m.OutDegree, err = generation.WriteColumn(g, "degree", arrow.PrimitiveTypes.Uint32, d.out); err != nil {
		return err
	}
	if d.directed {
		m.InDegree, err = generation.WriteColumn(g, "degree", arrow.PrimitiveTypes.Uint32, d.in)
	}
	return endOf(ctx, err)
}

// writeLists stores the chunks, and notes how close together the vertices in a list are.
func (l *loader) writeLists(ctx context.Context, p *places, m *manifest.Manifest) (err error) {
	lists := listing{
		edges: l.edges, form: *l.edges.form(), places: p, generation: l.generation, locality: newLocality(p),
		budget: l.budget, chunkBytes: l.opts.ChunkBytes, dir: l.dir,
	}
	memory := l.budget.room(l.keptBytes(p)) - l.edges.spool.InMemory()
	m.Both, m.Out, m.In, err = lists.write(ctx, l.vertices.degrees, memory)
	lists.locality.writeTo(&m.Order)
	return endOf(ctx, err)
}
