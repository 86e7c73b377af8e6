package delta

import (
	"testing"

	"github.com/penstock-db/penstock/formats/value"
)

func TestDraft_Changed(t *testing.T) {
	base := &State{NodeBase: 4, RelationshipBase: 4}
	if d := base.Fork(); d.Changed() || d.Base() != base {
		t.Error("a new draft has changes")
	}
	d := base.Fork()
	d.SetNodeProperty(1, 1, value.OfInt(1))
	if !d.Changed() || !equal(d.ChangedNodes(), 1) || d.ChangedRelationships() != nil {
		t.Error("a node's change is not seen")
	}
	d = base.Fork()
	d.DeleteRelationship(1, Relationship{})
	if !d.Changed() || !equal(d.ChangedRelationships(), 1) || d.ChangedNodes() != nil {
		t.Error("a relationship's change is not seen")
	}
}

// A draft changes its own records in place, and copies any other.
func TestDraft_Own(t *testing.T) {
	first := (&State{NodeBase: 4, RelationshipBase: 4}).Fork()
	first.CreateNode(4, []Token{1})
	first.SetNodeProperty(4, 1, value.OfInt(1))
	first.CreateRelationship(4, 1, 2, 3)
	first.SetRelationshipProperty(4, Relationship{}, 1, value.OfInt(1))
	node, relationship := first.Nodes.Get(4), first.Relationships.Get(4)
	if !first.Own(node) || !first.OwnRelationship(relationship) {
		t.Error("a draft does not know its own")
	}
	second := first.Fork()
	if second.Own(node) || second.OwnRelationship(relationship) {
		t.Error("a draft has what another one made")
	}
	second.SetNodeProperty(4, 1, value.OfInt(2))
	second.SetRelationshipProperty(4, Relationship{}, 1, value.OfInt(2))
	own := second.Nodes.Get(4)
	if second.SetNodeProperty(4, 2, value.OfInt(3)); own != second.Nodes.Get(4) || !second.Own(own) || own == node {
		t.Error("a record is copied twice, or never")
	}
	ownRelationship := second.Relationships.Get(4)
	second.SetRelationshipProperty(4, Relationship{}, 2, value.OfInt(3))
	if ownRelationship != second.Relationships.Get(4) || ownRelationship == relationship || ownRelationship.Type != 3 {
		t.Error("a relationship's record is copied twice, or never")
	}
	if v, _ := Lookup(node.Properties, 1); v.Int() != 1 {
		t.Error("the older version's node is changed")
	}
	if v, _ := Lookup(relationship.Properties, 1); v.Int() != 1 {
		t.Error("the older version's relationship is changed")
	}
	if !equal(own.Labels, 1) || !own.Labeled {
		t.Error("the copy has no labels")
	}
}

// Of what is deleted, a version keeps nothing but that.
func TestApply_Gone(t *testing.T) {
	d := (&State{NodeBase: 4, RelationshipBase: 4}).Fork()
	d.SetLabels(1, nil, []Token{1})
	d.DeleteNode(1, []Token{1})
	d.DeleteRelationship(2, Relationship{Start: 1, End: 2, Type: 3})
	c := d.Changes()
	s := (&State{NodeBase: 4, RelationshipBase: 4}).Apply(c)
	if s.Nodes.Get(1) != goneNode || s.Relationships.Get(2) != goneRelationship {
		t.Error("records of what is deleted are kept")
	}
	if !s.Deleted(2) || s.Deleted(1) || s.Deleted(9) {
		t.Error("another relationship is deleted")
	}
	again := s.Apply(&Changes{Relationships: c.Relationships})
	if again.Counts.Relationships != -1 || again.Adjacent.Get(1).Out.Removed != 1 {
		t.Errorf("what is deleted twice counts twice: %+v", again.Counts)
	}
}

func TestHas_AtTheBorderOfTheBase(t *testing.T) {
	s := &State{NodeBase: 4, RelationshipBase: 5}
	if !s.HasNode(3) || s.HasNode(4) || !s.HasRelationship(4) || s.HasRelationship(5) {
		t.Error("the base has other ids")
	}
	if s.Fork().New(3) || s.Fork().New(4) {
		t.Error("what was not made is new")
	}
}

func TestSorted(t *testing.T) {
	got := Sorted([]Property{{Key: 3}, {Key: 1}, {Key: 2}})
	for i, p := range got {
		if p.Key != Token(i+1) {
			t.Fatalf("got %v", got)
		}
	}
	if _, ok := Lookup(got, 4); ok {
		t.Error("a key that is not there is found")
	}
}
