package store

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// Random transactions do to a graph what they do to maps: whatever commits, rolls back, is
// compacted or opened again meanwhile, and whoever goes on reading.
func TestTx_Random(t *testing.T) {
	rounds := 6
	if n, err := strconv.Atoi(os.Getenv("PENSTOCK_TX_ROUNDS")); err == nil {
		rounds = n
	}
	seeds := testseed.Rand(t)
	for range rounds {
		seed := seeds.Uint64()
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { randomHistory(t, seed) })
	}
}

func randomHistory(t *testing.T, seed uint64) {
	h := newHistory(t, rand.New(rand.NewPCG(seed, 0)))
	defer func() { h.close() }()
	for range 40 {
		h.step()
	}
}

// newHistory begins with a database of one graph.
func newHistory(t *testing.T, r *rand.Rand) *history {
	h := &history{t: t, r: r, dir: scratch(t)}
	h.open()
	if r.IntN(3) == 0 {
		must(t, h.db.CreateGraph(t.Context(), "g"))
		h.world = newWorld(true)
	} else {
		options := randomOptions(r)
		options.Memory = 0
		_, err := h.db.Load(t.Context(), "g", randomModel(r, memory.DefaultAllocator, r.IntN(30), r.IntN(60)), options)
		must(t, err)
		h.readBase()
	}
	for range 3 {
		h.changeSchema()
	}
	return h
}

// history is a database, the world that it must be, and the readers and writers at work.
type history struct {
	t     *testing.T
	r     *rand.Rand
	dir   string
	db    *DB
	world *world

	readers []openReader
	writers []*writer
}

// writer is an open transaction that writes, what it must see, and what it has done.
type writer struct {
	tx      *transaction.Tx
	w       *world
	done    []func(*world)
	touched map[string]bool // what it has changed: "n 7", "r 3"
	deleted map[uint64]bool
	linked  map[uint64]bool // nodes at which it has made or deleted relationships

	others []*writer // that have committed since it began
	stale  bool      // the graph was compacted since

	reindexed bool // an index was made since, so that records have changed
}

func (h *history) open() {
	db, err := Open(h.dir, Options{Create: true, CacheBytes: int64(1 + h.r.IntN(20000)),
		IndexBytes: int64(1 + h.r.IntN(1000))})
	must(h.t, err)
	h.db = db
}

// close ends all transactions.
func (h *history) close() {
	for _, o := range h.readers {
		o.tx.Rollback()
	}
	for _, w := range h.writers {
		w.tx.Rollback()
	}
	h.readers, h.writers = nil, nil
	must(h.t, h.db.Close())
}

func (h *history) readBase() {
	s, err := h.db.Snapshot("g")
	must(h.t, err)
	defer s.Close()
	h.world = readWorld(h.t, s)
}

func (h *history) step() {
	switch n := h.r.IntN(20); {
	case n == 0:
		must(h.t, h.db.Verify(h.t.Context(), "g"))
		h.close()
		h.open()
	case n == 1 || n == 18:
		h.compact()
	case n == 2:
		h.changeSchema()
	case n <= 4:
		tx, err := h.db.Begin(h.t.Context(), "g", transaction.ReadAccess)
		must(h.t, err)
		h.readers = append(h.readers, openReader{tx, h.world.clone()})
	case n <= 8 || len(h.writers) == 0:
		h.writers = append(h.writers, &writer{
			tx: begin(h.t, h.db, "g"), w: h.world.clone(),
			touched: map[string]bool{}, deleted: map[uint64]bool{}, linked: map[uint64]bool{},
		})
	case n <= 13:
		h.change(h.writers[h.r.IntN(len(h.writers))])
	default:
		h.end(h.r.IntN(len(h.writers)))
	}
	for _, o := range h.readers {
		compareWorld(h.t, o.tx, o.w)
	}
}

func (h *history) compact() {
	_, err := h.db.Compact(h.t.Context(), "g")
	must(h.t, err)
	changed, err := h.db.HasChanges("g")
	must(h.t, err)
	if changed {
		h.t.Fatal("compaction leaves changes")
	}
	must(h.t, h.db.Verify(h.t.Context(), "g"))
	h.world.compact()
	for _, w := range h.writers {
		w.stale = true // unless there was nothing to compact
	}
	tx, err := h.db.Begin(h.t.Context(), "g", transaction.ReadAccess)
	must(h.t, err)
	defer tx.Rollback()
	compareWorld(h.t, tx, h.world)
}

// changeSchema makes an index or drops one.
func (h *history) changeSchema() {
	index := manifest.Index{
		OnRelationship: h.r.IntN(3) == 0, Label: someLabels[h.r.IntN(2)], Key: someKeys[h.r.IntN(2)],
	}
	if index.OnRelationship {
		index.Label = someTypes[h.r.IntN(2)]
	}
	index.Name = fmt.Sprint(index)
	err := h.db.CreateIndex(h.t.Context(), "g", index)
	if errors.As(err, new(*transaction.SchemaExistsError)) {
		err = h.db.DropIndex(h.t.Context(), "g", index.Name)
	}
	must(h.t, err)
	for _, w := range h.writers {
		w.reindexed = true
	}
}

// end commits or rolls back a writer.
func (h *history) end(i int) {
	w := h.writers[i]
	h.writers = slices.Delete(h.writers, i, i+1)
	compareWorld(h.t, w.tx, w.w)
	if h.r.IntN(4) == 0 {
		w.tx.Rollback()
		return
	}
	err := w.tx.Commit(h.t.Context())
	switch {
	case err == nil:
		if len(w.done) > 0 && w.mustConflict() {
			h.t.Fatal("two transactions have changed the same entity")
		}
		for _, do := range w.done {
			do(h.world)
		}
		for _, other := range h.writers {
			other.others = append(other.others, w)
		}
	case !errors.Is(err, failure.ErrConflict):
		h.t.Fatal(err)
	case !w.mayConflict():
		h.t.Fatal("nobody else has changed what this has:", err)
	}
	tx, err := h.db.Begin(h.t.Context(), "g", transaction.ReadAccess)
	must(h.t, err)
	defer tx.Rollback()
	compareWorld(h.t, tx, h.world)
}

func (w *writer) mustConflict() bool {
	return slices.ContainsFunc(w.others, func(o *writer) bool {
		return overlap(w.touched, o.touched) || overlap(w.linked, o.deleted)
	})
}

func (w *writer) mayConflict() bool {
	return w.stale || w.reindexed || w.mustConflict() ||
		slices.ContainsFunc(w.others, func(o *writer) bool { return overlap(w.deleted, o.linked) })
}

func overlap[K comparable](a, b map[K]bool) bool {
	for k := range a {
		if b[k] {
			return true
		}
	}
	return false
}

// change does some random things.
func (h *history) change(w *writer) {
	for range 1 + h.r.IntN(12) {
		h.changeOne(w)
	}
	must(h.t, w.tx.CheckDeleted())
	compareWorld(h.t, w.tx, w.w)
}

var (
	someLabels = []string{"A", "B", "Person"}
	someKeys   = []string{"k", "name", "x", "p0", "p1", "p2"}
	someTypes  = []string{"T", "KNOWS", "type 0", "type 1"}
)

func (h *history) changeOne(w *writer) {
	nodes, rels := slices.Sorted(maps.Keys(w.w.nodes)), slices.Sorted(maps.Keys(w.w.rels))
	key, label := someKeys[h.r.IntN(len(someKeys))], someLabels[h.r.IntN(len(someLabels))]
	what := h.r.IntN(10)
	switch {
	case what <= 1 || len(nodes) == 0:
		h.createNode(w, label)
	case what <= 3:
		h.createRel(w, pick1(h.r, nodes), pick1(h.r, nodes))
	case what == 4:
		h.setNode(w, pick1(h.r, nodes), key)
	case what == 5 && len(rels) > 0:
		h.setRel(w, pick1(h.r, rels), key)
	case what == 6:
		h.label(w, pick1(h.r, nodes), label)
	case what == 7 && len(rels) > 0:
		h.deleteRel(w, pick1(h.r, rels))
	case what == 8:
		h.deleteNode(w, pick1(h.r, nodes))
	}
}

func pick1(r *rand.Rand, ids []uint64) uint64 { return ids[r.IntN(len(ids))] }

// do notes a change and makes it in what the writer sees.
func (w *writer) do(change func(*world)) {
	w.done = append(w.done, change)
	change(w.w)
}

func (h *history) createNode(w *writer, label string) {
	id, err := w.tx.CreateNode([]base.Token{w.tx.NewLabel(label)})
	must(h.t, err)
	props := map[string]string{}
	must(h.t, w.tx.NodeProperties(id, func(k base.Token,
		v value.Value) bool {
		props[w.tx.KeyName(k)] = spellValue(v)
		return true
	}))
	w.touched[fmt.Sprint("n ", id)] = true
	w.do(func(g *world) { g.nodes[id] = &worldNode{map[string]bool{label: true}, maps.Clone(props)} })
	if h.r.IntN(2) == 0 {
		h.setNode(w, id, someKeys[h.r.IntN(2)])
	}
}

func (h *history) createRel(w *writer, a, b uint64) {
	typ := someTypes[h.r.IntN(len(someTypes))]
	id, err := w.tx.CreateRelationship(a, b, w.tx.NewType(typ))
	must(h.t, err)
	if !w.w.directed {
		a, b = min(a, b), max(a, b)
	}
	w.touched[fmt.Sprint("r ", id)], w.linked[a], w.linked[b] = true, true, true
	w.do(func(g *world) { g.rels[id] = &worldRel{a, b, typ, map[string]string{}} })
}

func (h *history) drawValue() value.Value {
	if h.r.IntN(5) == 0 {
		return value.Value{}
	}
	return randomValue(h.r)
}

func setProp(props map[string]string, key string, v value.Value) {
	if delete(props, key); !v.IsNull() {
		props[key] = spellValue(v)
	}
}

func (h *history) setNode(w *writer, id uint64, key string) {
	v := h.drawValue()
	must(h.t, w.tx.SetNodeProperty(id, w.tx.NewKey(key), v))
	if _, had := w.w.nodes[id].props[key]; !had && v.IsNull() {
		return // nothing is changed: another writer may even delete it
	}
	w.touched[fmt.Sprint("n ", id)] = true
	w.do(func(g *world) { setProp(g.nodes[id].props, key, v) })
}

func (h *history) setRel(w *writer, id uint64, key string) {
	v := h.drawValue()
	must(h.t, w.tx.SetRelationshipProperty(id, w.tx.NewKey(key), v))
	if _, had := w.w.rels[id].props[key]; !had && v.IsNull() {
		return // nothing is changed: another writer may even delete it
	}
	w.touched[fmt.Sprint("r ", id)] = true
	w.do(func(g *world) { setProp(g.rels[id].props, key, v) })
}

func (h *history) label(w *writer, id uint64, label string) {
	has := w.w.nodes[id].labels[label]
	change, want := w.tx.AddLabel, !has
	add := h.r.IntN(2) == 0
	if !add {
		change, want = w.tx.RemoveLabel, has
	}
	changed, err := change(id, w.tx.NewLabel(label))
	must(h.t, err)
	if changed != want {
		h.t.Fatalf("label %s of node %d: changed is %v", label, id, changed)
	}
	if !changed {
		return
	}
	w.touched[fmt.Sprint("n ", id)] = true
	w.do(func(g *world) {
		if delete(g.nodes[id].labels, label); add {
			g.nodes[id].labels[label] = true
		}
	})
}

func (h *history) deleteRel(w *writer, id uint64) {
	must(h.t, w.tx.DeleteRelationship(id))
	must(h.t, w.tx.DeleteRelationship(id))
	r := w.w.rels[id]
	w.touched[fmt.Sprint("r ", id)] = true
	w.linked[r.start], w.linked[r.end] = true, true
	w.do(func(g *world) { delete(g.rels, id) })
	if _, err := w.tx.RelationshipProperty(id, w.tx.NewKey("k")); !errors.As(err, new(*transaction.DeletedError)) ||
		w.tx.RelationshipExists(id) {
		h.t.Fatal("a deleted relationship is read:", err)
	}
}

// deleteNode deletes a node with its relationships.
func (h *history) deleteNode(w *writer, id uint64) {
	var rels []uint64
	must(h.t, w.tx.Expand(id, transaction.Both, nil, func(rel, _ uint64) bool { rels = append(rels, rel); return true }))
	must(h.t, w.tx.DeleteNode(id))
	if len(rels) > 0 {
		if err := w.tx.CheckDeleted(); !errors.As(err, new(*transaction.ConnectedError)) {
			h.t.Fatal("a connected node is deleted:", err)
		}
	}
	for _, rel := range rels {
		h.deleteRel(w, rel)
	}
	w.touched[fmt.Sprint("n ", id)], w.deleted[id] = true, true
	w.do(func(g *world) { delete(g.nodes, id) })
	if _, err := w.tx.LabelsOf(id, nil); !errors.As(err, new(*transaction.DeletedError)) || w.tx.NodeExists(id) {
		h.t.Fatal("a deleted node is read:", err)
	}
}
