package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// Graphs that were stored before there were logs are changed like others, and from then on
// kept from programs that know of none.
func TestTx_ChangesOldGraphs(t *testing.T) {
	ctx, dir := context.Background(), scratch(t)
	reopen(t, dir, func(db *DB) {
		m, err := db.Load(ctx, "g", edgeModel([2]int{1, 2}), load.Options{})
		must(t, err)
		m.Version, m.Log, m.TypeEdges = 1, 0, nil
		text, err := manifest.Encode(m)
		must(t, err)
		key := layout.GraphKey("g")
		must(t, db.badger.Update(func(txn *badger.Txn) error { return txn.Set(key, layout.Seal(key, text)) }))
	})
	reopen(t, dir, func(db *DB) {
		tx := begin(t, db, "g")
		must(t, tx.SetNodeProperty(0, tx.NewKey("k"), value.OfInt(7)))
		must(t, tx.Commit(ctx))
		s, err := db.Snapshot("g")
		must(t, err)
		defer s.Close()
		must(t, writeMark(db, s, 1))
	})
	reopen(t, dir, func(db *DB) {
		m, err := db.current("g")
		must(t, err)
		tx := begin(t, db, "g")
		defer tx.Rollback()
		v, err := tx.NodeProperty(0, tx.NewKey("k"))
		must(t, err)
		mark, err := tx.NodeProperty(1, tx.NewKey("mark"))
		must(t, err)
		if m.Version != manifest.Version || v.IsNull() || v.Int() != 7 || mark.IsNull() {
			t.Fatalf("version %d, k is %s, the result %s", m.Version, v.Text(), mark.Text())
		}
	})
}

// Compaction keeps the order of dense ids, and with it which vertex was loaded when: new ones
// come last.
func TestCompact_KeepsTheOrderOfLoading(t *testing.T) {
	ctx, db := context.Background(), testDB(t)
	m := edgeModel()
	for i := range 40 {
		m.nodes = append(m.nodes, modelNode{id: fmt.Sprintf("v%02d", i)})
		m.edges = append(m.edges, modelEdge{src: fmt.Sprintf("v%02d", i), dst: fmt.Sprintf("v%02d", i*i%40)})
	}
	m.schema.NodesDeclared = true
	_, err := db.Load(ctx, "g", m, load.Options{Order: manifest.OrderDegree})
	must(t, err)
	ids := func() (dense, loaded []string) {
		s, err := db.Snapshot("g")
		must(t, err)
		defer s.Close()
		if s.Manifest().Order.Taken != manifest.OrderDegree {
			t.Fatal("the order is now", s.Manifest().Order)
		}
		all, err := s.UserIDs(ctx, 0, s.Manifest().Vertices)
		must(t, err)
		for i := range all.Len() {
			dense = append(dense, all.Text(i))
		}
		return dense, inLoadOrder(t, s, dense)
	}
	dense, loaded := ids()
	if slices.Equal(dense, loaded) {
		t.Fatal("the order of degrees is that of loading")
	}
	tx := begin(t, db, "g")
	gone := map[string]bool{}
	for _, node := range []uint64{0, 7, 39} {
		var rels []uint64
		must(t, tx.Expand(node, transaction.Both, nil, func(rel, _ uint64) bool { rels = append(rels, rel); return true }))
		for _, rel := range rels {
			must(t, tx.DeleteRelationship(rel))
		}
		must(t, tx.DeleteNode(node))
		gone[dense[node]] = true
	}
	_, err = tx.CreateNode(nil)
	must(t, err)
	must(t, tx.Commit(ctx))
	_, err = db.Compact(ctx, "g")
	must(t, err)
	must(t, db.Verify(ctx, "g"))
	without := func(list []string) []string {
		return append(slices.DeleteFunc(list, func(id string) bool { return gone[id] }), "0")
	}
	denseNow, loadedNow := ids()
	if want := without(dense); !slices.Equal(denseNow, want) {
		t.Errorf("dense ids are of %s, not %s", strings.Join(denseNow, " "), strings.Join(want, " "))
	}
	if want := without(loaded); !slices.Equal(loadedNow, want) {
		t.Errorf("loaded were %s, not %s", strings.Join(loadedNow, " "), strings.Join(want, " "))
	}
}

// Values that Arrow has no column for stay as they are, and come out of a Source as text.
func TestCompact_MixedValuesAreTextOutside(t *testing.T) {
	ctx, db := context.Background(), testDB(t)
	must(t, db.CreateGraph(ctx, "g"))
	tx := begin(t, db, "g")
	key := tx.NewKey("k")
	for _, v := range []value.Value{value.OfInt(1), value.OfString("it's"), value.OfDate(0),
		value.OfList([]value.Value{value.OfString("a")}), {}} {
		id, err := tx.CreateNode(nil)
		must(t, err)
		must(t, tx.SetNodeProperty(id, key, v))
		rel, err := tx.CreateRelationship(id, id, tx.NewType("T"))
		must(t, err)
		must(t, tx.SetRelationshipProperty(rel, key, v))
	}
	must(t, tx.Commit(ctx))
	_, err := db.Compact(ctx, "g")
	must(t, err)
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	nodes, edges := drain(t, s.Source(nil))
	for _, list := range [][]string{nodes, edges} {
		for i, want := range []string{"1", "it's", "1970-01-01", "['a']", null} {
			if !strings.Contains(list[i], want) {
				t.Errorf("row %d is %s: there is no %s", i, list[i], want)
			}
		}
	}
}

// A property whose values have become of one type again has a column of that type, of nodes and of relationships, what
// the base has and what is new; so have integers and floats, where no float could be an integer. One of other types
// stays encoded.
func TestCompact_TypesColumnsAgain(t *testing.T) {
	for _, orientation := range []formats.Orientation{formats.Directed, formats.Undirected} {
		ctx, db := context.Background(), testDB(t)
		m := edgeModel([2]int{1, 2}, [2]int{2, 3}, [2]int{1, 3})
		m.schema.Orientation = orientation
		mustLoad(t, db, m)
		compacted := func(change func(tx *transaction.Tx, key base.Token)) (node, edge string) {
			tx := begin(t, db, "g")
			change(tx, tx.NewKey("k"))
			must(t, tx.Commit(ctx))
			m, err := db.Compact(ctx, "g")
			must(t, err)
			for _, p := range m.NodeProperties {
				if p.Name == "k" {
					node = p.Type
				}
			}
			return node, m.EdgeProperties[len(m.EdgeProperties)-1].Type
		}
		all := func(tx *transaction.Tx, key base.Token, v value.Value, but int) {
			for id := range uint64(3) {
				if int(id) != but {
					must(t, tx.SetNodeProperty(id, key, v))
				}
			}
			for id, n := uint64(0), 0; n < 3; id++ {
				if !tx.RelationshipExists(id) {
					continue
				}
				if n != but {
					must(t, tx.SetRelationshipProperty(id, key, v))
				}
				n++
			}
		}
		var last value.Value // of the node that some steps leave as it is
		for _, step := range []struct {
			of   value.Value
			but  int
			want string
		}{
			{value.OfFloat(1.5), -1, "float64"},
			{value.OfInt(2), 1, "float64"},
			{value.OfFloat(2.5), 1, "float64"},
			{value.OfString("x"), 1, "binary"},
			{value.OfInt(7), 1, "float64"},
			{value.OfInt(7), -1, "int64"},
			{value.OfFloat(3), 1, "binary"},
			{value.OfFloat(1.5), 1, "float64"},
			{value.OfString("x"), -1, "utf8"},
			{value.OfInt(7), 1, "binary"},
			{value.Value{}, -1, "binary"}, // there is no value: nothing says of which type it is
			{value.OfBool(true), 1, "bool"},
		} {
			node, edge := compacted(func(tx *transaction.Tx, key base.Token) { all(tx, key, step.of, step.but) })
			if node != step.want || edge != step.want {
				t.Errorf("after %s for all but %d: columns of nodes %s, of relationships %s, not %s",
					step.of.Text(), step.but, node, edge, step.want)
			}
			tx := begin(t, db, "g")
			if step.but != 1 {
				last = step.of
			}
			for id, want := range []value.Value{step.of, last, step.of} {
				v, err := tx.NodeProperty(uint64(id), tx.NewKey("k"))
				must(t, err)
				if v.Text() != want.Text() {
					t.Errorf("node %d has %s, not %s", id, v.Text(), want.Text())
				}
			}
			tx.Rollback()
			must(t, db.Verify(ctx, "g"))
		}
	}
}
