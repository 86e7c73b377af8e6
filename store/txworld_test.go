package store

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// world is a graph as plain maps: the oracle of transactions.
type world struct {
	directed bool
	nodes    map[uint64]*worldNode
	rels     map[uint64]*worldRel
}

type worldNode struct {
	labels map[string]bool
	props  map[string]string // values as value.Append encodes them
}

type worldRel struct {
	start, end uint64
	typ        string
	props      map[string]string
}

func newWorld(directed bool) *world {
	return &world{directed, map[uint64]*worldNode{}, map[uint64]*worldRel{}}
}

func (w *world) clone() *world {
	c := newWorld(w.directed)
	for id, n := range w.nodes {
		c.nodes[id] = &worldNode{maps.Clone(n.labels), maps.Clone(n.props)}
	}
	for id, r := range w.rels {
		c.rels[id] = &worldRel{r.start, r.end, r.typ, maps.Clone(r.props)}
	}
	return c
}

// compact gives ids as Compact does.
func (w *world) compact() {
	rank := map[uint64]uint64{}
	nodes := map[uint64]*worldNode{}
	for i, id := range slices.Sorted(maps.Keys(w.nodes)) {
		rank[id], nodes[uint64(i)] = uint64(i), w.nodes[id]
	}
	type entry struct{ row, other, id uint64 }
	var entries []entry
	for id, r := range w.rels {
		r.start, r.end = rank[r.start], rank[r.end]
		entries = append(entries, entry{r.start, r.end, id})
		if !w.directed && r.start != r.end {
			entries = append(entries, entry{r.end, r.start, id})
		}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.other, b.other), cmp.Compare(a.id, b.id))
	})
	rels := map[uint64]*worldRel{}
	for i, e := range entries {
		if r := w.rels[e.id]; r.start == e.row {
			rels[uint64(i)] = r
		}
	}
	w.nodes, w.rels = nodes, rels
}

// readWorld is the world of a stored snapshot, by way of its Source.
func readWorld(t *testing.T, s *snapshot.Snapshot) *world {
	w := newWorld(s.Manifest().Directed)
	dense := map[string]uint64{}
	src := s.Source(nil)
	must(t, src.Nodes(t.Context(), func(b *formats.NodeBatch) error {
		for i := range b.ID.Len() {
			n := &worldNode{map[string]bool{}, recordProps(t, b.Props, i)}
			if _, taken := n.props[manifest.IdProperty]; !taken && !hasField(b.Props, manifest.IdProperty) {
				number, text := b.ID.At(i)
				n.props[manifest.IdProperty] = spellValue(value.OfInt(number))
				if text != "" {
					n.props[manifest.IdProperty] = spellValue(value.OfString(text))
				}
			}
			if b.Labels != nil {
				for label := range strings.SplitSeq(b.Labels[i], ";") {
					if label != "" {
						n.labels[label] = true
					}
				}
			}
			id := uint64(len(w.nodes))
			w.nodes[id], dense[b.ID.Text(i)] = n, id
		}
		return nil
	}))
	must(t, src.Edges(t.Context(), func(b *formats.EdgeBatch) error {
		for i := range b.Src.Len() {
			r := &worldRel{start: dense[b.Src.Text(i)], end: dense[b.Dst.Text(i)], props: recordProps(t, b.Props, i)}
			if b.Types != nil {
				r.typ = b.Types[i]
			}
			w.rels[uint64(len(w.rels))] = r
		}
		return nil
	}))
	w.compact() // the source yields relationships by start
	return w
}

func hasField(props arrow.Record, name string) bool {
	return props != nil && props.Schema().HasField(name)
}

func recordProps(t *testing.T, props arrow.Record, row int) map[string]string {
	all := map[string]string{}
	if props == nil {
		return all
	}
	for j, field := range props.Schema().Fields() {
		read, ok := arrays.NewReader(field, props.Column(j))
		if !ok {
			t.Fatal("no values of type", field.Type)
		}
		if v := read(row); !v.IsNull() {
			all[field.Name] = spellValue(v)
		}
	}
	return all
}

func spellValue(v value.Value) string { return string(value.Append(nil, v)) }

// randomValue draws a value that a property can have, also of mixed lists and maps.
func randomValue(r *rand.Rand) value.Value {
	switch r.IntN(14) {
	case 0:
		return value.OfBool(r.IntN(2) == 0)
	case 1, 2:
		return value.OfInt(r.Int64() >> r.IntN(64))
	case 3:
		return value.OfFloat([]float64{r.NormFloat64(), math.NaN(), math.Inf(-1), math.Copysign(0, -1)}[r.IntN(4)])
	case 4, 5:
		return value.OfString([]string{"", "a", "größer", strings.Repeat("x", r.IntN(100))}[r.IntN(4)])
	case 6:
		list := make([]value.Value, r.IntN(4))
		first := r.IntN(2)
		for i := range list {
			if list[i] = value.OfInt(int64(i)); first == 0 {
				list[i] = randomValue(r)
			}
		}
		return value.OfList(list)
	case 7:
		return value.OfDate(r.Int64N(1<<34) - 1<<33)
	case 8:
		return value.OfLocalTime(r.Int64N(24 * 3600 * 1e9))
	case 9:
		return value.OfTime(value.ZonedTime{Nanos: r.Int64N(24 * 3600 * 1e9), Offset: int32(r.IntN(100)) * 60})
	case 10:
		return value.OfLocalDateTime(time.Unix(r.Int64N(1<<40), r.Int64N(1e9)).UTC())
	case 11:
		return value.OfDateTime(time.Unix(r.Int64N(1<<40), r.Int64N(1e9)).In(time.FixedZone("", 3600)))
	case 12:
		return value.OfDuration(value.Span{Months: r.Int64N(9), Days: -3, Seconds: r.Int64N(1e6), Nanos: int32(r.IntN(1e9))})
	}
	return value.OfPoint(value.Place{SRID: 4979, X: r.Float64(), Y: r.Float64(), Z: 1})
}

// compareWorld fails unless tx sees exactly w.
func compareWorld(t *testing.T, tx *transaction.Tx, w *world) {
	t.Helper()
	var nodes []uint64
	must(t, tx.Nodes(func(id uint64) bool { nodes = append(nodes, id); return true }))
	if want := slices.Sorted(maps.Keys(w.nodes)); !slices.Equal(nodes, want) || tx.NodeCount() != uint64(len(want)) {
		t.Fatalf("nodes are %v (%d), not %v", nodes, tx.NodeCount(), want)
	}
	if tx.RelationshipCount() != uint64(len(w.rels)) {
		t.Fatalf("%d relationships instead of %d", tx.RelationshipCount(), len(w.rels))
	}
	for id, n := range w.nodes {
		compareNode(t, tx, id, n)
	}
	for id, r := range w.rels {
		start, end, typ, err := tx.Ends(id)
		must(t, err)
		if start != r.start || end != r.end || tx.TypeName(typ) != r.typ {
			t.Fatalf("relationship %d is %d-%s->%d, not %d-%s->%d", id, start, tx.TypeName(typ), end, r.start, r.typ, r.end)
		}
		got := map[string]string{}
		must(t, tx.RelationshipProperties(id, func(k base.Token,
			v value.Value) bool {
			got[tx.KeyName(k)] = spellValue(v)
			return true
		}))
		if !maps.Equal(got, r.props) {
			t.Fatalf("relationship %d has %q, not %q", id, got, r.props)
		}
	}
	compareLabels(t, tx, w)
	compareLists(t, tx, w)
	compareIndexes(t, tx, w)
}

// compareIndexes asks each index for some values that there are, and ranges between two.
func compareIndexes(t *testing.T, tx *transaction.Tx, w *world) {
	t.Helper()
	for _, index := range tx.Indexes() {
		has := map[uint64]value.Value{}
		keep := func(id uint64, has1 bool, props map[string]string, into map[uint64]value.Value) {
			if spelled, ok := props[index.Key]; ok && has1 {
				v, _, err := value.Decode([]byte(spelled))
				must(t, err)
				into[id] = v
			}
		}
		for id, n := range w.nodes {
			keep(id, !index.OnRelationship && (index.Label == "" || n.labels[index.Label]), n.props, has)
		}
		for id, r := range w.rels {
			keep(id, index.OnRelationship && r.typ == index.Label, r.props, has)
		}
		others := map[uint64]value.Value{}
		for id, n := range w.nodes {
			keep(id, true, n.props, others)
		}
		asked := []value.Value{value.OfInt(1), value.OfString("a")}
		for _, some := range []map[uint64]value.Value{has, others} {
			asked = append(asked, slices.Collect(maps.Values(some))[:min(12, len(some))]...)
		}
		for i, v := range asked {
			compareSeek(t, tx, index, has, v)
			compareRange(t, tx, index, has, &transaction.Bound{Value: v, Inclusive: i%2 == 0},
				&transaction.Bound{Value: asked[(i+1)%len(asked)], Inclusive: true})
			compareRange(t, tx, index, has, &transaction.Bound{Value: v, Inclusive: i%2 == 0}, nil)
			compareRange(t, tx, index, has, nil, &transaction.Bound{Value: v, Inclusive: i%2 == 0})
		}
	}
}

func compareSeek(t *testing.T, tx *transaction.Tx, index manifest.Index, has map[uint64]value.Value, v value.Value) {
	t.Helper()
	var got, want []uint64
	must(t, tx.Seek(index, v, func(id uint64) bool { got = append(got, id); return true }))
	for id, there := range has {
		if eq, known := value.Equal(there, v); eq && known {
			want = append(want, id)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%v: %s is found at %v, not %v", index, v.Text(), got, want)
	}
}

func compareRange(t *testing.T, tx *transaction.Tx, index manifest.Index, has map[uint64]value.Value, from,
	to *transaction.Bound) {
	t.Helper()
	var got, want []uint64
	must(t, tx.Range(index, from, to, func(id uint64) bool { got = append(got, id); return true }))
	for id, v := range has {
		below, above := true, true
		if from != nil {
			c, ok := value.Compare(v, from.Value)
			below = ok && (c == 1 || c == 0 && from.Inclusive)
		}
		if to != nil {
			c, ok := value.Compare(v, to.Value)
			above = ok && (c == -1 || c == 0 && to.Inclusive)
		}
		if below && above {
			want = append(want, id)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%v: a range has %v, not %v", index, got, want)
	}
}

func compareNode(t *testing.T, tx *transaction.Tx, id uint64, n *worldNode) {
	t.Helper()
	tokens, err := tx.LabelsOf(id, nil)
	must(t, err)
	labels := map[string]bool{}
	for _, l := range tokens {
		labels[tx.LabelName(l)] = true
	}
	got := map[string]string{}
	must(
		t, tx.NodeProperties(id, func(k base.Token, v value.Value) bool { got[tx.KeyName(k)] = spellValue(v); return true }))
	if !maps.Equal(labels, n.labels) || !maps.Equal(got, n.props) {
		t.Fatalf("node %d has %v %q, not %v %q", id, labels, got, n.labels, n.props)
	}
	for _, name := range tx.Keys() {
		key, _ := tx.Key(name)
		v, err := tx.NodeProperty(id, key)
		must(t, err)
		if want, has := n.props[name]; has != !v.IsNull() || has && want != spellValue(v) {
			t.Fatalf("node %d: %s is %q, not %q", id, name, spellValue(v), want)
		}
	}
}

func compareLabels(t *testing.T, tx *transaction.Tx, w *world) {
	t.Helper()
	for _, name := range tx.Labels() {
		label, _ := tx.Label(name)
		var got, want []uint64
		must(t, tx.NodesWith(label, func(id uint64) bool { got = append(got, id); return true }))
		for id, n := range w.nodes {
			if n.labels[name] {
				want = append(want, id)
			}
		}
		slices.Sort(want)
		if !slices.Equal(got, want) || tx.LabelCount(label) != uint64(len(want)) {
			t.Fatalf("nodes with %s: %v (%d), not %v", name, got, tx.LabelCount(label), want)
		}
	}
}

// compareLists compares Expand and Degree, of all types and of one.
func compareLists(t *testing.T, tx *transaction.Tx, w *world) {
	t.Helper()
	types := append(tx.Types(), "", "-any-")
	want := map[string][]string{}
	for id, r := range w.rels {
		enter := func(node uint64, dir transaction.Direction, other uint64) {
			for _, typ := range []string{r.typ, "-any-"} {
				key := fmt.Sprint(node, dir, typ)
				want[key] = append(want[key], fmt.Sprint(id, " ", other))
			}
		}
		enter(r.start, transaction.Out, r.end)
		enter(r.end, transaction.In, r.start)
		enter(r.start, transaction.Both, r.end)
		if r.start != r.end {
			enter(r.end, transaction.Both, r.start)
		}
	}
	counts := map[string]uint64{}
	for _, r := range w.rels {
		counts[r.typ]++
	}
	for _, name := range append(tx.Types(), "") {
		if typ, ok := tx.Type(name); ok && tx.TypeCount(typ) != counts[name] {
			t.Fatalf("%d relationships of type %q, not %d", tx.TypeCount(typ), name, counts[name])
		}
	}
	for id := range w.nodes {
		for _, dir := range []transaction.Direction{transaction.Out, transaction.In, transaction.Both} {
			for _, name := range types {
				var filter []base.Token
				if name != "-any-" {
					filter = []base.Token{tx.NewType(name)}
				}
				var got []string
				var ends, neighbors []uint64
				must(t, tx.Expand(id, dir, filter, func(rel, other uint64) bool {
					got, ends = append(got, fmt.Sprint(rel, " ", other)), append(ends, other)
					return true
				}))
				must(t, tx.Neighbors(id, dir, filter, func(other uint64) bool {
					neighbors = append(neighbors, other)
					return true
				}))
				slices.Sort(got)
				slices.Sort(ends)
				if slices.Sort(neighbors); !slices.Equal(ends, neighbors) {
					t.Fatalf("node %d, direction %d, type %s: neighbors %v, not %v", id, dir, name, neighbors, ends)
				}
				list := want[fmt.Sprint(id, dir, name)]
				slices.Sort(list)
				degree, err := tx.Degree(id, dir, filter)
				must(t, err)
				if !slices.Equal(got, list) || degree != uint64(len(list)) {
					t.Fatalf("node %d, direction %d, type %s: %v (%d), not %v", id, dir, name, got, degree, list)
				}
			}
		}
	}
}

// reader is an open transaction and what it must go on seeing.
type openReader struct {
	tx *transaction.Tx
	w  *world
}
