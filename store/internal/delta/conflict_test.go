package delta

import (
	"testing"

	"github.com/penstock-db/penstock/formats/value"
)

// The draft's commit conflicts with another one since it began when both changed an entity, or one has deleted the end
// of a relationship that the other made.
func TestConflict(t *testing.T) {
	one := value.OfInt(1)
	setNode := func(id uint64) func(*Draft) { return func(d *Draft) { d.SetNodeProperty(id, 1, one) } }
	setRelationship := func(id uint64) func(*Draft) {
		return func(d *Draft) { d.SetRelationshipProperty(id, Relationship{Start: 1, End: 2}, 1, one) }
	}
	deleteNode := func(id uint64) func(*Draft) { return func(d *Draft) { d.DeleteNode(id, nil) } }
	connect := func(start, end uint64) func(*Draft) { return func(d *Draft) { d.CreateRelationship(9, start, end, 0) } }
	node := func(id uint64) *Entity { return &Entity{ID: id} }
	for _, c := range []struct {
		what         string
		mine, theirs func(*Draft)
		want         *Entity
	}{
		{"other nodes", setNode(1), setNode(2), nil},
		{"the same node", setNode(1), setNode(1), node(1)},
		{"a node that I delete and they change", deleteNode(1), setNode(1), node(1)},
		{"a node that I delete and they connect", deleteNode(1), connect(3, 1), node(1)},
		{"a node that I delete and they leave alone", deleteNode(1), connect(3, 2), nil},
		{"a node that I change and they connect", setNode(1), connect(1, 2), nil},
		{"other relationships", setRelationship(1), setRelationship(2), nil},
		{"the same relationship", setRelationship(1), setRelationship(1), &Entity{Relationship: true, ID: 1}},
		{"the start of what I make is deleted", connect(1, 2), deleteNode(1), node(1)},
		{"the end of what I make is deleted", connect(2, 1), deleteNode(1), node(1)},
		{"another node is deleted", connect(1, 2), deleteNode(3), nil},
		{"the end of what I make is changed", connect(1, 2), setNode(1), nil},
	} {
		base := &State{NodeBase: 8, RelationshipBase: 8}
		mine, theirs := base.Fork(), base.Fork()
		c.mine(mine)
		c.theirs(theirs)
		now := theirs.Commit(base, theirs.Changes())
		got, conflict := mine.Conflict(now)
		if conflict != (c.want != nil) || conflict && got != *c.want {
			t.Errorf("%s: got %+v, %v", c.what, got, conflict)
		}
		if got, conflict := mine.Conflict(base); conflict || got != (Entity{}) {
			t.Errorf("%s: without another commit, %+v conflicts", c.what, got)
		}
		if mine.Commit(base, mine.Changes()) != &mine.State {
			t.Errorf("%s: without another commit the draft is not what is committed", c.what)
		}
	}
}

// A commit after another one has what both have done.
func TestCommit_AfterAnother(t *testing.T) {
	base := &State{NodeBase: 8, RelationshipBase: 8}
	mine, theirs := base.Fork(), base.Fork()
	mine.CreateNode(8, []Token{1})
	theirs.CreateNode(9, []Token{1})
	now := theirs.Commit(base, theirs.Changes())
	both := mine.Commit(now, mine.Changes())
	if !both.HasNode(8) || !both.HasNode(9) || both.Counts.Nodes != 2 || both.Counts.Label(1) != 2 {
		t.Errorf("got %+v", both.Counts)
	}
}
