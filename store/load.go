package store

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
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/space"
	"golang.org/x/sync/errgroup"
)

// LoadOptions say how to load a graph. The zero value suits most.
//
// A load holds the ids of vertices (nothing for integers from 0 on that few are missing
// of, 8 bytes each for other consecutive integers, up to 62 when they are not; about 70
// and the text of string ids), their degrees (4 bytes, 8 of directed graphs), up to 40
// bytes a vertex while they are put in order, edges and node properties, and chunks on
// their way to the disk. Beside it the open database takes about 50 MiB. Columns of
// variable width count with their average size.
type LoadOptions struct {
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
	Order Order
	// ChunkBytes is the target size of a chunk's body; 0: 2 MiB, which cost no time where
	// the graph fits, and let several wait where memory is little. A vertex's list is
	// never divided.
	ChunkBytes int
	// Replace puts the graph in the place of one of the same name, which stays
	// readable until the new one is whole.
	Replace bool
	// Source says, for people, where the graph comes from.
	Source string

	// places are the vertices' places in the order of loading, by dense id, where OrderNone
	// keeps an order that was made before; nil: they are the same.
	places []uint32
	// whatever: a load without Memory takes what it takes. A compaction that is refused
	// would leave its changes in memory.
	whatever bool
}

func (o LoadOptions) withDefaults() LoadOptions {
	o.Memory = max(0, o.Memory)
	if o.ChunkBytes <= 0 {
		o.ChunkBytes = 2 << 20
	}
	if o.Order == "" {
		o.Order = OrderAuto
	}
	o.ChunkBytes = min(o.ChunkBytes, valueLogFileSize/4)
	return o
}

// maxVertices is how many vertices a chunk's 32-bit neighbours can name.
const maxVertices = math.MaxUint32

// Load stores the graph that src streams and makes it the current snapshot of the
// name graph; src is not closed. Whatever goes wrong, the database stays as it was.
//
// Errors: *GraphNameError, *GraphExistsError, *formats.ParseError for an edge to an
// undeclared node or a node declared twice, *TooLargeError, *OrderError, *MemoryError,
// *DiskFullError, and what src returns.
func (db *DB) Load(ctx context.Context, graph string, src formats.Source, opts LoadOptions) (*Manifest, error) {
	if err := checkName(graph); err != nil {
		return nil, err
	}
	if err := db.checkReplace(graph, opts.Replace); err != nil {
		return nil, err
	}
	return db.write(ctx, graph, func(g *generation) (*Manifest, error) {
		if err := db.checkReplace(graph, opts.Replace); err != nil { // again, now that nobody else writes
			return nil, err
		}
		return db.load(ctx, g, src, opts.withDefaults())
	})
}

// load runs a loader with a directory for its temporary files.
func (db *DB) load(ctx context.Context, g *generation, src formats.Source, opts LoadOptions) (m *Manifest, err error) {
	dir, err := os.MkdirTemp(db.tempDir(), "load-")
	if err != nil {
		return nil, space.DiskFull(db.dir, err)
	}
	l := newLoader(g, src, opts, dir)
	m, err = l.run(ctx)
	if err = errors.Join(err, l.close(), os.RemoveAll(dir)); err != nil {
		return nil, space.DiskFull(db.dir, err)
	}
	return m, nil
}

func (db *DB) checkReplace(graph string, replace bool) error {
	_, err := db.current(graph)
	var unknown *failure.UnknownGraphError
	var damaged *failure.DamagedError
	switch {
	case errors.As(err, &unknown):
		return nil
	case err == nil || errors.As(err, &damaged):
		if replace {
			return nil
		}
		return &failure.GraphExistsError{Graph: graph}
	}
	return err
}

// loader is one load on its way.
type loader struct {
	generation *generation
	src        formats.Source
	schema     formats.Schema
	opts       LoadOptions
	bound      int64  // of memory, see LoadOptions.Memory
	dir        string // for temporary files
	directed   bool

	ids      *idTable
	declared uint32   // vertices that were declared; the numbers after them were met in edges
	dense    []uint32 // by number: the dense id; nil: the number itself
	order    []uint32 // the inverse of dense
	loaded   []uint32 // by dense id: the place in order of loading; nil: the dense id itself

	properties []*columnWriter // of nodes
	rows       *nodeRows       // nil: properties are stored as they come
	labels     []uint32        // by number, as far as known: the code of the label set
	labelSets  *names

	types     *names
	typeEdges []uint64 // by type code
	spool     *spool
	forms     [2]recordForm // untyped, typed
	out, in   []uint32      // degrees, by number and later by dense id; undirected: only out
	locality  locality
	manifest  *Manifest
}

func newLoader(g *generation, src formats.Source, opts LoadOptions, dir string) *loader {
	schema := src.Schema()
	orientation := schema.Orientation
	if opts.Orientation != formats.OrientationUnknown {
		orientation = opts.Orientation
	}
	fields := fieldsOf(schema.Edge)
	l := &loader{
		generation: g, src: src, schema: schema, opts: opts, bound: opts.MemoryBound(), dir: dir,
		directed: orientation != formats.Undirected,
		ids:      newIDTable(), loaded: opts.places,
		types: newNames(), labelSets: newNames(),
		forms: [2]recordForm{newRecordForm(fields, false), newRecordForm(fields, true)},
	}
	l.spool = newSpool(filepath.Join(dir, "edges"), l.room(0)/2)
	g.batchBytes = uint64(l.batchBytes())
	return l
}

func fieldsOf(s *arrow.Schema) []arrow.Field {
	if s == nil {
		return nil
	}
	return s.Fields()
}

// run is the load: nodes, edges, dense ids, id and degree columns, chunks.
func (l *loader) run(ctx context.Context) (*Manifest, error) {
	l.manifest = &Manifest{
		Version: ManifestVersion, ID: l.generation.number, Log: l.generation.number, Graph: l.generation.graph,
		Source: l.opts.Source, Directed: l.directed,
		Order: Ordering{Asked: l.opts.Order, Taken: l.opts.Order, Why: "as asked"},
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
	nodes, edges := fieldsOf(l.schema.Node), fieldsOf(l.schema.Edge)
	if err := errors.Join(checkNames(nodes), checkNames(edges)); err != nil {
		return err
	}
	for _, field := range nodes {
		if !storable(field.Type) {
			return unstorable(field.Name, field.Type)
		}
	}
	return l.checkEdgeTypes(edges)
}

// checkEdgeTypes asks formats/chunk, by way of a chunk without edges.
func (l *loader) checkEdgeTypes(fields []arrow.Field) error {
	var columns []chunk.EdgeColumn
	for _, field := range fields {
		none := array.MakeArrayOfNull(l.generation.db.mem, field.Type, 0)
		defer none.Release()
		columns = append(columns, chunk.EdgeColumn{Name: field.Name, Values: none})
	}
	c, err := chunk.FromCSR(l.generation.db.mem, chunk.Meta{}, nil, []int32{0}, nil, columns)
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
		case field.Name == TypeColumn:
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
		w.abandon()
	}
	if l.rows != nil {
		return errors.Join(l.rows.spool.close(), l.spool.close())
	}
	return l.spool.close()
}

// held is how many of Memory's bytes the spools hold.
func (l *loader) held() int64 {
	if l.rows != nil {
		return l.spool.inMemory() + l.rows.spool.inMemory()
	}
	return l.spool.inMemory()
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
	return max(int64(form.fixed), l.spool.size/int64(l.manifest.Edges))
}

// typeField is the edge column of relationship types.
func (l *loader) typeField() arrow.Field {
	t := arrow.PrimitiveTypes.Uint16
	if len(l.types.list) > math.MaxUint16 {
		t = arrow.PrimitiveTypes.Uint32
	}
	return arrow.Field{Name: TypeColumn, Type: t, Nullable: true}
}

// writeLists builds both directions, or the one symmetric set. Where pairs keeps all
// processors busy it is one direction after the other, else both at once.
func (l *loader) writeLists(ctx context.Context) error {
	memory := l.room(l.keptBytes()) - l.spool.inMemory()
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
