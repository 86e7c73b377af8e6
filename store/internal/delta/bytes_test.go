package delta

import (
	"errors"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
)

func indexed() *State {
	s := &State{NodeBase: 4, RelationshipBase: 4}
	s.NodePostings.keys, s.RelationshipPostings.keys = []Token{2}, []Token{2}
	return s
}

// What changes take is what starts compactions: each record once, each property, what its value takes, and its posting.
func TestBytes_OfADraft(t *testing.T) {
	d := indexed().Fork()
	want := int64(0)
	step := func(what string, bytes int64, change func()) {
		t.Helper()
		change()
		if want += bytes; d.Bytes != want {
			t.Fatalf("%s: %d bytes, want %d", what, d.Bytes, want)
		}
	}
	x := value.OfString("four")
	step("create a node", nodeBytes, func() { d.CreateNode(4, []Token{1}) })
	step("set a property of it", propertyBytes+4, func() { d.SetNodeProperty(4, 1, x) })
	step("set an indexed one", propertyBytes+4+postingBytes, func() { d.SetNodeProperty(4, 2, x) })
	step("remove an indexed one", propertyBytes+32, func() { d.SetNodeProperty(4, 2, value.Value{}) })
	step("delete it", 0, func() { d.DeleteNode(4, []Token{1}) })
	step("relabel a node of the base", nodeBytes, func() { d.SetLabels(1, nil, []Token{1}) })
	step("create a relationship", relationBytes, func() { d.CreateRelationship(4, 1, 2, 0) })
	step("set a property of it", propertyBytes+4, func() { d.SetRelationshipProperty(4, Relationship{}, 1, x) })
	step("set an indexed one", propertyBytes+4+postingBytes, func() { d.SetRelationshipProperty(4, Relationship{}, 2, x) })
	step("delete one of the base", relationBytes, func() { d.DeleteRelationship(1, Relationship{Start: 1, End: 2}) })
}

func TestBytes_OfChangesApplied(t *testing.T) {
	s := indexed()
	x := value.OfString("four")
	apply := func(what string, bytes int64, change func(d *Draft)) {
		t.Helper()
		d := s.Fork()
		change(d)
		before := s.Bytes
		s = s.Apply(d.Changes())
		if got := s.Bytes - before; got != bytes {
			t.Fatalf("%s: %d bytes, want %d", what, got, bytes)
		}
	}
	apply("nodes", 2*nodeBytes+propertyBytes+4, func(d *Draft) {
		d.CreateNode(4, nil)
		d.CreateNode(5, nil)
		d.SetNodeProperty(4, 1, x)
	})
	apply("a known node", 2*propertyBytes+4+4+postingBytes, func(d *Draft) { d.SetNodeProperty(4, 2, x) })
	apply("a known node deleted", 0, func(d *Draft) { d.DeleteNode(4, nil) })
	apply("a relationship", relationBytes+propertyBytes+4, func(d *Draft) {
		d.CreateRelationship(4, 1, 2, 0)
		d.SetRelationshipProperty(4, Relationship{}, 1, x)
	})
	apply("a known relationship", 2*propertyBytes+4+4+postingBytes, func(d *Draft) {
		d.SetRelationshipProperty(4, Relationship{}, 2, x)
	})
	apply("a known relationship deleted", 0, func(d *Draft) { d.DeleteRelationship(4, Relationship{}) })
}

func TestValueBytes(t *testing.T) {
	for _, c := range []struct {
		v    value.Value
		want int64
	}{
		{value.OfInt(1), 32},
		{value.OfString("abc"), 3},
		{value.OfList([]value.Value{value.OfString("abc"), value.OfString("de")}), 24 + 3 + 24 + 2},
		{value.OfMap(map[string]value.Value{"k": value.OfString("abc"), "kk": value.OfString("")}),
			propertyBytes + 1 + 3 + propertyBytes + 2},
	} {
		if got := ValueBytes(c.v); got != c.want {
			t.Errorf("%v: %d, want %d", c.v, got, c.want)
		}
	}
}

// Postings made for keys that have none yet count, too, and have what their caller says is missing.
func TestReindex(t *testing.T) {
	d := (&State{NodeBase: 4, RelationshipBase: 4}).Fork()
	x, y := value.OfString("x"), value.OfString("y")
	d.CreateNode(5, nil)
	d.SetNodeProperty(5, 3, x)
	d.SetNodeProperty(6, 3, x)
	d.SetNodeProperty(2, 1, x)
	d.CreateNode(7, nil)
	d.DeleteNode(7, nil)
	d.CreateRelationship(4, 1, 2, 0)
	d.SetRelationshipProperty(4, Relationship{}, 3, x)
	d.CreateRelationship(5, 1, 2, 0)
	d.SetRelationshipProperty(5, Relationship{}, 3, x)
	d.CreateRelationship(7, 1, 2, 0)
	d.SetRelationshipProperty(7, Relationship{}, 3, x)
	before := &d.State
	nodes, relationships := []Token{3, 1, 3}, []Token{3}
	asked := []uint64{}
	after, err := before.Reindex(nodes, relationships, func(id uint64, n *Node) ([]Property, error) {
		if asked = append(asked, id); id == 6 {
			return []Property{{1, y}}, nil
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !equal(asked, 2, 5, 6) || !equal(nodes, 3, 1, 3) {
		t.Errorf("asked for nodes %v; the keys are %v", asked, nodes)
	}
	if got := after.NodePostings.Find(3, x); !equal(got, 5, 6) {
		t.Errorf("x is the value of %v", got)
	}
	if got := after.NodePostings.Find(1, y); !equal(got, 6) {
		t.Errorf("what was missing leads to %v", got)
	}
	if got := after.RelationshipPostings.Find(3, x); !equal(got, 4, 5, 7) {
		t.Errorf("x is the value of relationships %v", got)
	}
	if got, want := after.Bytes-before.Bytes, int64(3*postingBytes+nodeBytes+propertyBytes+1+postingBytes+
		3*postingBytes); got != want {
		t.Errorf("%d bytes more, want %d", got, want)
	}
	if before.NodePostings.Find(3, x) != nil {
		t.Error("the version before has postings")
	}
	if _, err := before.Reindex(nodes, nil, func(uint64, *Node) ([]Property, error) {
		return nil,
			errEncoding
	}); !errors.Is(err, errEncoding) {
		t.Errorf("the caller's error became %v", err)
	}
}

func equal[T uint64 | Token](got []T, want ...T) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if got[i] != want[i] {
			return false
		}
	}
	return true
}
