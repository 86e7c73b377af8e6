// Package load makes chunks and columns of what a source streams:
//
//	source ─nodes, edges─▶ numbers ─▶ spool of records ─▶ dense ids in some order ─▶ lists of neighbors ─▶ chunks
//
// loader.run tells it step by step: nodes.go and edges.go read, ids.go and reorder.go give dense ids, lists.go, pairs.go and
// noderows.go write. memory.go keeps all of it within LoadOptions.Memory.
package load

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/generation"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/sorting"
	"github.com/penstock-db/penstock/store/internal/tree"
	"golang.org/x/sync/errgroup"
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

// loader is one load on its way.
type loader struct {
	generation *generation.Generation
	src        formats.Source
	schema     formats.Schema
	opts       Options
	bound      int64  // of memory, see LoadOptions.Memory
	dir        string // for temporary files
	directed   bool

	ids      *idTable
	declared uint32   // vertices that were declared; the numbers after them were met in edges
	dense    []uint32 // by number: the dense id; nil: the number itself
	order    []uint32 // the inverse of dense
	loaded   []uint32 // by dense id: the place in order of loading; nil: the dense id itself

	properties []*generation.ColumnWriter // of nodes
	rows       *nodeRows                  // nil: properties are stored as they come
	labels     []uint32                   // by number, as far as known: the code of the label set
	labelSets  *names

	types     *names
	typeEdges []uint64 // by type code
	spool     *sorting.Spool
	forms     [2]recordForm // untyped, typed
	out, in   []uint32      // degrees, by number and later by dense id; undirected: only out
	locality  locality
	manifest  *manifest.Manifest
}

// Run loads what src streams as generation g, with temporary files in a directory of its own in temp. It returns what the
// graph then consists of. again is nil for a graph that is new.
func Run(ctx context.Context, g *generation.Generation, src formats.Source, opts Options, again *Again, temp string) (m *manifest.Manifest, err error) {
	dir, err := os.MkdirTemp(temp, "load-")
	if err != nil {
		return nil, err
	}
	opts = opts.withDefaults()
	bound := opts.MemoryBound()
	if again != nil && opts.Memory == 0 {
		bound = math.MaxInt64 // a compaction that is refused would leave its changes in memory
	}
	l := newLoader(g, src, opts, bound, dir)
	if again != nil {
		l.loaded = again.Places
	}
	m, err = l.run(ctx)
	return m, errors.Join(err, l.close(), os.RemoveAll(dir))
}

func newLoader(g *generation.Generation, src formats.Source, opts Options, bound int64, dir string) *loader {
	schema := src.Schema()
	orientation := schema.Orientation
	if opts.Orientation != formats.OrientationUnknown {
		orientation = opts.Orientation
	}
	fields := FieldsOf(schema.Edge)
	l := &loader{
		generation: g, src: src, schema: schema, opts: opts, bound: bound, dir: dir,
		directed: orientation != formats.Undirected,
		ids:      newIDTable(),
		types:    newNames(), labelSets: newNames(),
		forms: [2]recordForm{newRecordForm(fields, false), newRecordForm(fields, true)},
	}
	l.spool = sorting.NewSpool(filepath.Join(dir, "edges"), l.room(0)/2)
	g.BatchBytes = uint64(l.batchBytes())
	return l
}

func FieldsOf(s *arrow.Schema) []arrow.Field {
	if s == nil {
		return nil
	}
	return s.Fields()
}

// run is the load: nodes, edges, dense ids, id and degree columns, chunks.
func (l *loader) run(ctx context.Context) (*manifest.Manifest, error) {
	l.manifest = &manifest.Manifest{
		Version: manifest.Version, ID: l.generation.Number, Log: l.generation.Number, Graph: l.generation.Graph,
		Source: l.opts.Source, Directed: l.directed,
		Order: manifest.Ordering{Asked: l.opts.Order, Taken: l.opts.Order, Why: "as asked"},
	}
	steps := []func(context.Context) error{
		l.checkSchema, l.checkOrder, l.readNodes, l.readEdges, l.assignDense, l.reorder,
		l.finishNodes, l.writeIDs, l.writeDegrees, l.writeLists,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	l.locality.writeTo(&l.manifest.Order)
	return l.manifest, nil
}

// checkSchema refuses properties that cannot be stored.
func (l *loader) checkSchema(context.Context) error {
	nodes, edges := FieldsOf(l.schema.Node), FieldsOf(l.schema.Edge)
	if err := errors.Join(checkNames(nodes), checkNames(edges)); err != nil {
		return err
	}
	for _, field := range nodes {
		if !arrays.Storable(field.Type) {
			return arrays.Unstorable(field.Name, field.Type)
		}
	}
	return l.checkEdgeTypes(edges)
}

// checkEdgeTypes asks formats/chunk, by way of a chunk without edges.
func (l *loader) checkEdgeTypes(fields []arrow.Field) error {
	var columns []chunk.EdgeColumn
	for _, field := range fields {
		none := array.MakeArrayOfNull(l.generation.Mem, field.Type, 0)
		defer none.Release()
		columns = append(columns, chunk.EdgeColumn{Name: field.Name, Values: none})
	}
	c, err := chunk.FromCSR(l.generation.Mem, chunk.Meta{}, nil, []int32{0}, nil, columns)
	if err == nil {
		c.Release()
	}
	return err
}

func checkNames(fields []arrow.Field) error {
	seen := map[string]bool{}
	for _, field := range fields {
		switch {
		case field.Name == "":
			return &failure.PropertyError{Name: field.Name, Reason: "needs a name"}
		case field.Name == manifest.TypeColumn:
			return &failure.PropertyError{Name: field.Name, Reason: "is the name of the relationship type"}
		case seen[field.Name]:
			return &failure.PropertyError{Name: field.Name, Reason: "is given twice"}
		}
		seen[field.Name] = true
	}
	return nil
}

// close lets go of what the load holds beside its directory.
func (l *loader) close() error {
	for _, w := range l.properties {
		w.Abandon()
	}
	if l.rows != nil {
		return errors.Join(l.rows.spool.Close(), l.spool.Close())
	}
	return l.spool.Close()
}

// held is how many of Memory's bytes the spools hold.
func (l *loader) held() int64 {
	if l.rows != nil {
		return l.spool.InMemory() + l.rows.spool.InMemory()
	}
	return l.spool.InMemory()
}

// form is how the records of the loaded graph look.
func (l *loader) form() *recordForm {
	if len(l.types.list) > 0 {
		return &l.forms[1]
	}
	return &l.forms[0]
}

// recordBytes is the average size of a record.
func (l *loader) recordBytes() int64 {
	form := l.form()
	if form.exact || l.manifest.Edges == 0 {
		return int64(form.fixed)
	}
	return max(int64(form.fixed), l.spool.Size/int64(l.manifest.Edges))
}

// typeField is the edge column of relationship types.
func (l *loader) typeField() arrow.Field {
	t := arrow.PrimitiveTypes.Uint16
	if len(l.types.list) > math.MaxUint16 {
		t = arrow.PrimitiveTypes.Uint32
	}
	return arrow.Field{Name: manifest.TypeColumn, Type: t, Nullable: true}
}

// writeLists builds both directions, or the one symmetric set. Where pairs keeps all
// processors busy it is one direction after the other, else both at once.
func (l *loader) writeLists(ctx context.Context) error {
	memory := l.room(l.keptBytes()) - l.spool.InMemory()
	if !l.directed {
		made, err := l.lists(chunk.Both, l.out, memory).build(ctx)
		l.manifest.Both = made
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	out, in := l.lists(chunk.Out, l.out, memory), l.lists(chunk.In, l.in, memory)
	if _, buckets := out.newPairs(out.plan()); out.parallel(buckets) {
		group.SetLimit(1)
	} else {
		out.memory, in.memory = memory/2, memory/2
	}
	group.Go(func() (err error) {
		l.manifest.Out, err = out.build(ctx)
		return err
	})
	group.Go(func() (err error) {
		l.manifest.In, err = in.build(ctx)
		return err
	})
	return group.Wait()
}

func (l *loader) lists(d chunk.Direction, degrees []uint32, memory int64) *lists {
	return &lists{load: l, direction: d, degrees: degrees, form: *l.form(), memory: memory}
}
