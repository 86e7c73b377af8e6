package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graphtest"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/backup"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// setting is how a sequence of operations is run. No setting changes a result.
type setting struct {
	name    string
	options store.Options
	load    store.LoadOptions
	reopen  int // after each so many checks the database is opened again; 0: never
	restore int // after each so many checks it is restored from a backup; 0: never
	rows    int // of a batch that is loaded
}

// With few ChangesBytes a graph is compacted in the background, and again by transactions that begin.
var settings = []setting{
	{name: "default", rows: 1000},
	{name: "small chunks", load: store.LoadOptions{ChunkBytes: 64, Order: store.OrderDegree}, rows: 1},
	{name: "no cache", options: store.Options{CacheBytes: 1, IndexBytes: 1},
		load: store.LoadOptions{Order: store.OrderBFS, ChunkBytes: 256}, rows: 7},
	{name: "few changes", options: store.Options{ChangesBytes: 40 << 10, CacheBytes: 4 << 10},
		load: store.LoadOptions{ChunkBytes: 512}, rows: 3},
	{name: "reopened", load: store.LoadOptions{Order: store.OrderRabbit}, reopen: 1, rows: 5},
	{name: "restored", options: store.Options{ChangesBytes: 64 << 10}, reopen: 3, restore: 2, rows: 2},
}

// A random sequence of operations finds the same on every setting, which is what the model says (after pebble's
// metamorphic tests). PENSTOCK_METAMORPHIC is how many sequences there are; the first one's seed is the test's.
func TestMetamorphic(t *testing.T) {
	t.Parallel()
	sequences, steps := 2, 120
	if n, err := strconv.Atoi(os.Getenv("PENSTOCK_METAMORPHIC")); err == nil {
		sequences, steps = n, 400
	}
	seed := testseed.New(t)
	for i := range uint64(sequences) {
		ops := generate(seed+i, steps)
		for _, s := range settings {
			t.Run(fmt.Sprintf("seed %d/%s", seed+i, s.name), func(t *testing.T) { execute(t, s, ops) })
		}
	}
}

// subject is a database under test, and its open transactions.
type subject struct {
	t       *testing.T
	setting setting
	home    string
	dir     string
	made    int // directories
	quiets  int
	db      *store.DB

	writer  *transaction
	done    []op // in the writer, to be done again after a conflict
	readers map[int]*transaction
}

// transaction knows the store's ids of the test's numbers.
type transaction struct {
	*store.Tx
	nodes, relationships map[int]uint64
}

func execute(t *testing.T, s setting, ops []op) {
	x := &subject{t: t, setting: s, home: scratchDir(t), readers: map[int]*transaction{}}
	x.dir = x.place()
	x.open()
	defer func() {
		for _, r := range x.readers {
			r.Rollback()
		}
		if x.writer != nil {
			x.writer.Rollback()
		}
		x.must(x.db.Close())
	}()
	for i, o := range ops {
		if got := x.do(o); got != o.want {
			t.Fatalf("operation %d, %v: got\n%s\nwant\n%s\nafter\n%s", i, o, got, o.want, history(ops[:i+1], o.graph))
		}
		if t.Failed() {
			t.Fatalf("at operation %d, %v", i, o)
		}
	}
}

// history is the last operations on a graph.
func history(ops []op, graph string) string {
	var lines []string
	for _, o := range ops {
		if o.graph == graph || o.what == "quiet" {
			lines = append(lines, o.String())
		}
	}
	return strings.Join(lines[max(0, len(lines)-60):], "\n")
}

// scratchDir is a temporary directory, in memory where there is some: nothing here is about the disk.
func scratchDir(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "penstock-metamorphic-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (x *subject) place() string {
	x.made++
	return filepath.Join(x.home, strconv.Itoa(x.made))
}

func (x *subject) must(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

func (x *subject) open() {
	options := x.setting.options
	options.Create = true
	db, err := store.Open(x.dir, options)
	x.must(err)
	x.db = db
}

// do does one operation, and returns what it finds.
func (x *subject) do(o op) string {
	ctx := x.t.Context()
	switch o.what {
	case "create":
		x.must(x.db.CreateGraph(ctx, o.graph))
	case "load":
		x.load(o)
	case "drop":
		x.must(x.db.Drop(ctx, o.graph))
	case "compact":
		_, err := x.db.Compact(ctx, o.graph)
		x.must(err)
	case "write back":
		x.writeBack(o)
	case "index":
		index := store.Index{Name: o.name + "." + o.key, Label: o.name, Key: o.key}
		x.again(func() error { return x.db.CreateIndex(ctx, o.graph, index) })
	case "drop index":
		x.again(func() error { return x.db.DropIndex(ctx, o.graph, o.name+"."+o.key) })
	case "begin":
		x.writer, x.done = x.begin(o.graph, store.WriteAccess), nil
	case "rollback":
		x.writer.Rollback()
		x.writer = nil
	case "commit":
		x.commit(o.graph)
	case "open reader":
		x.readers[o.id] = x.begin(o.graph, store.ReadAccess)
	case "close reader":
		r := x.readers[o.id]
		delete(x.readers, o.id)
		defer r.Rollback()
		return x.text(r)
	case "graphs":
		return x.graphs()
	case "check":
		r := x.begin(o.graph, store.ReadAccess)
		defer r.Rollback()
		return x.text(r)
	case "seek":
		return x.seek(o)
	case "quiet":
		x.quiet()
	default:
		x.done = append(x.done, o)
		x.write(o)
	}
	return ""
}

func (x *subject) graphs() string {
	manifests, err := x.db.Graphs()
	x.must(err)
	var names []string
	for _, m := range manifests {
		names = append(names, m.Graph)
	}
	return strings.Join(names, " ")
}

// quiet verifies the database, and opens or restores it, as the setting has it.
func (x *subject) quiet() {
	x.quiets++
	manifests, err := x.db.Graphs()
	x.must(err)
	if every(x.quiets, x.setting.restore) {
		x.restore()
	}
	if every(x.quiets, x.setting.reopen) {
		x.must(x.db.Close())
		x.open()
	}
	for _, m := range manifests {
		x.must(x.db.Verify(x.t.Context(), m.Graph))
	}
}

func every(n, k int) bool { return k > 0 && n%k == 0 }

// restore goes on with a copy of the database that a backup becomes.
func (x *subject) restore() {
	ctx, path := x.t.Context(), x.place()
	x.must(backup.Create(ctx, path, "", func(w io.Writer, _ *backup.PreviousFile) error {
		return backup.Write(ctx, x.db, x.dir, w, backup.Options{Compress: x.quiets%4 == 0})
	}))
	x.must(x.db.Close())
	chain, err := backup.OpenChain(path)
	x.must(err)
	defer chain.Close()
	x.dir = x.place()
	_, err = chain.Restore(ctx, x.dir, backup.RestoreOptions{})
	x.must(err)
	x.open()
}

// load loads a graph of the model. The test's numbers are the users' ids, too.
func (x *subject) load(o op) {
	number := func(name string) *arrow.Schema {
		return arrow.NewSchema([]arrow.Field{
			{Name: name, Type: arrow.PrimitiveTypes.Int64, Nullable: true},
			{Name: "k", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		}, nil)
	}
	g := &graphtest.Graph{
		NodesDeclared: true, NodeSchema: number("number"), EdgeSchema: number("number"), IntegerIDs: true, NodeLabels: true,
		EdgeType: true,
	}
	k := func(values map[string]value.Value) any {
		if v, ok := values["k"]; ok {
			return v.Int()
		}
		return nil
	}
	for _, id := range ascending(o.load.nodes) {
		n := o.load.nodes[id]
		labels := strings.Join(slices.Sorted(maps.Keys(n.labels)), ";")
		g.Nodes = append(g.Nodes, graphtest.Node{ID: strconv.Itoa(id), Labels: labels, Values: []any{int64(id), k(n.values)}})
	}
	for _, id := range ascending(o.load.relationships) {
		r := o.load.relationships[id]
		g.Edges = append(g.Edges, graphtest.Edge{
			Src: strconv.Itoa(r.start), Dst: strconv.Itoa(r.end), Type: r.typ, Values: []any{int64(id), k(r.values)},
		})
	}
	options := x.setting.load
	options.Replace, options.Orientation = true, formats.Undirected
	if o.load.directed {
		options.Orientation = formats.Directed
	}
	_, err := x.db.Load(x.t.Context(), o.graph, g.Source(memory.DefaultAllocator, x.setting.rows), options)
	x.must(err)
}

// writeBack writes a result: a multiple of each node's number.
func (x *subject) writeBack(o op) {
	x.again(func() error {
		_, err := x.db.Compact(x.t.Context(), o.graph)
		x.must(err)
		return x.writeResult(o)
	})
}

// again does what a compaction in the background may conflict with until none does.
func (x *subject) again(do func() error) {
	x.t.Helper()
	for {
		if err := do(); !errors.Is(err, store.ErrConflict) {
			x.must(err)
			return
		}
	}
}

func (x *subject) writeResult(o op) error {
	s, err := x.db.Snapshot(o.graph)
	x.must(err)
	defer s.Close()
	if s.Manifest().Vertices == 0 {
		return nil
	}
	values := array.NewFloat64Builder(memory.DefaultAllocator)
	defer values.Release()
	x.must(s.NodeProperty(x.t.Context(), "number", func(_ uint64, block arrow.Array) error {
		for _, n := range block.(*array.Int64).Int64Values() {
			values.Append(float64(n) * float64(o.id))
		}
		return nil
	}))
	column := values.NewArray()
	defer column.Release()
	_, err = x.db.WriteProperties(x.t.Context(), s, []store.PropertyColumn{{Name: "rank", Values: column}},
		store.Provenance{Algorithm: "test"})
	return err
}

// begin begins a transaction and finds out the ids of all that it sees.
func (x *subject) begin(graph string, access store.Access) *transaction {
	tx, err := x.db.Begin(context.Background(), graph, access)
	x.must(err)
	t := &transaction{tx, map[int]uint64{}, map[int]uint64{}}
	x.must(tx.Nodes(func(id uint64) bool {
		v, err := tx.NodeProperty(id, tx.NewKey("number"))
		x.must(err)
		t.nodes[int(v.Int())] = id
		x.must(tx.Expand(id, store.Out, nil, func(rel, _ uint64) bool {
			v, err := tx.RelationshipProperty(rel, tx.NewKey("number"))
			x.must(err)
			t.relationships[int(v.Int())] = rel
			return true
		}))
		return true
	}))
	return t
}

// commit commits the writer. What conflicts with a compaction or a write-back is done again.
func (x *subject) commit(graph string) {
	for {
		err := x.writer.Commit(x.t.Context())
		if err == nil {
			x.writer, x.done = nil, nil
			return
		}
		if !errors.Is(err, store.ErrConflict) {
			x.t.Fatal(err)
		}
		x.writer = x.begin(graph, store.WriteAccess)
		for _, o := range x.done {
			x.write(o)
		}
	}
}

// write makes one change in the writer.
func (x *subject) write(o op) {
	w := x.writer
	number := w.NewKey("number")
	switch o.what {
	case "create node":
		id, err := w.CreateNode([]store.Token{w.NewLabel(o.name)})
		x.must(err)
		x.must(w.SetNodeProperty(id, number, value.OfInt(int64(o.id))))
		w.nodes[o.id] = id
	case "connect":
		id, err := w.CreateRelationship(w.nodes[o.start], w.nodes[o.end], w.NewType(o.name))
		x.must(err)
		x.must(w.SetRelationshipProperty(id, number, value.OfInt(int64(o.other))))
		w.relationships[o.other] = id
	case "set node":
		x.must(w.SetNodeProperty(w.nodes[o.id], w.NewKey(o.key), o.value))
	case "label":
		_, err := w.AddLabel(w.nodes[o.id], w.NewLabel(o.name))
		x.must(err)
	case "unlabel":
		_, err := w.RemoveLabel(w.nodes[o.id], w.NewLabel(o.name))
		x.must(err)
	case "delete node":
		id := w.nodes[o.id]
		var all []uint64
		x.must(w.Expand(id, store.Both, nil, func(rel, _ uint64) bool { all = append(all, rel); return true }))
		for _, rel := range all {
			x.must(w.DeleteRelationship(rel))
		}
		x.must(w.DeleteNode(id))
	case "set relationship":
		x.must(w.SetRelationshipProperty(w.relationships[o.other], w.NewKey(o.key), o.value))
	case "disconnect":
		x.must(w.DeleteRelationship(w.relationships[o.other]))
	default:
		x.t.Fatalf("no operation is called %q", o.what)
	}
}

func (x *subject) seek(o op) string {
	r := x.begin(o.graph, store.ReadAccess)
	defer r.Rollback()
	var found []string
	for _, index := range r.Indexes() {
		if index.Label != o.name || index.Key != o.key {
			continue
		}
		x.must(r.Seek(index, o.value, func(id uint64) bool {
			v, err := r.NodeProperty(id, r.NewKey("number"))
			x.must(err)
			found = append(found, fmt.Sprint(v.Int()))
			return true
		}))
		return joined(found)
	}
	x.t.Fatalf("there is no index %s.%s", o.name, o.key)
	return ""
}

// text is everything that a transaction sees, and a check of its counts.
func (x *subject) text(t *transaction) string {
	var lines []string
	var relationships uint64
	numbers := map[uint64]int64{}
	labeled := map[string]uint64{}
	x.must(t.Nodes(func(id uint64) bool {
		numbers[id] = x.number(t.NodeProperty(id, t.NewKey("number")))
		return true
	}))
	manifest := x.directed(t)
	x.must(t.Nodes(func(id uint64) bool {
		labels, err := t.LabelsOf(id, nil)
		x.must(err)
		var names []string
		for _, l := range labels {
			names = append(names, t.LabelName(l))
			labeled[t.LabelName(l)]++
		}
		values := x.values(t, func(yield func(store.Token, value.Value) bool) error { return t.NodeProperties(id, yield) })
		lines = append(lines, nodeLine(int(numbers[id]), names, values))
		degree, err := t.Degree(id, store.Out, nil)
		x.must(err)
		x.must(t.Expand(id, store.Out, nil, func(rel, other uint64) bool {
			degree--
			relationships++
			start, end, typ, err := t.Ends(rel)
			x.must(err)
			if start != id && end != id || other != start && other != end {
				x.t.Errorf("relationship %d of node %d leads from %d to %d", rel, id, start, end)
			}
			n := x.number(t.RelationshipProperty(rel, t.NewKey("number")))
			values := x.values(t, func(yield func(store.Token, value.Value) bool) error {
				return t.RelationshipProperties(rel,
					yield)
			})
			lines = append(lines, relationshipLine(int(n), manifest, int(numbers[start]), int(numbers[end]), t.TypeName(typ),
				values))
			return true
		}))
		if degree != 0 {
			x.t.Errorf("node %d has %d relationships too few", id, degree)
		}
		return true
	}))
	if t.NodeCount() != uint64(len(numbers)) || t.RelationshipCount() != relationships {
		x.t.Errorf("%d nodes and %d relationships are counted; there are %d and %d", t.NodeCount(), t.RelationshipCount(),
			len(numbers), relationships)
	}
	for _, name := range labelNames {
		if label, ok := t.Label(name); ok && t.LabelCount(label) != labeled[name] {
			x.t.Errorf("%d nodes of label %s are counted; there are %d", t.LabelCount(label), name, labeled[name])
		}
	}
	return joined(lines)
}

func (x *subject) number(v value.Value, err error) int64 {
	x.t.Helper()
	x.must(err)
	return v.Int()
}

// directed tells whether the graph of a transaction is.
func (x *subject) directed(t *transaction) bool {
	s, err := x.db.Snapshot(t.Name())
	x.must(err)
	defer s.Close()
	return s.Manifest().Directed
}

// values are all properties but the test's number and the user's id, which depends on what was free.
func (x *subject) values(t *transaction, each func(func(store.Token, value.Value) bool) error) map[string]value.Value {
	values := map[string]value.Value{}
	x.must(each(func(key store.Token, v value.Value) bool {
		if name := t.KeyName(key); name != "number" && name != "id" {
			values[name] = v
		}
		return true
	}))
	return values
}
