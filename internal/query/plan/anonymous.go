package plan

import (
	"slices"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// following is an edge and its operator.
type following struct {
	*edge
	op Operator
}

// hideRelationships finds the operators whose relationships cannot be told apart by the statement: there the graph
// need not say which they are. That they differ from each other still counts: where one that the
// row has could be followed again, all that matters is that one fewer leads back along it.
func hideRelationships(follows []following) {
	hidden := map[int]*bool{} // by the slot of the relationships
	for _, f := range follows {
		switch x := f.op.(type) {
		case *Expand:
			x.Anonymous = !f.shown && !slices.ContainsFunc(x.Unlike, func(t Trail) bool { return !x.tells(t) })
			hidden[f.slot] = &x.Anonymous
		case *VarExpand:
			x.Anonymous = !f.shown
			hidden[f.slot] = &x.Anonymous
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range follows {
			changed = showAll(f.op, hidden) || changed
		}
	}
}

// tells tells whether the pattern alone says if the relationship of a trail is one that the
// Expand can follow: by its type, and by which end is which.
func (o *Expand) tells(t Trail) bool {
	return !t.List && covered(t.Types, o.Types) && (t.Direction != ast.Either || o.Direction == ast.Either)
}

// covered tells whether a relationship of one of the types is of one of others; none: any.
func covered(types, of []string) bool {
	if len(of) == 0 {
		return true
	}
	return len(types) > 0 && !slices.ContainsFunc(types, func(typ string) bool { return !slices.Contains(of, typ) })
}

// showAll makes relationships known that an operator compares its own with, unless that one is
// hidden too. It tells whether there were any.
func showAll(op Operator, hidden map[int]*bool) bool {
	changed := false
	for _, t := range unlike(op) {
		if is := hidden[t.Slot]; is != nil && *is {
			*is, changed = false, true
		}
	}
	return changed
}

// unlike are the trails that an operator compares the ids of relationships with.
func unlike(op Operator) []Trail {
	switch op := op.(type) {
	case *Expand:
		if !op.Anonymous {
			return op.Unlike
		}
	case *VarExpand:
		return op.Unlike
	case *RelationshipEnds:
		return op.Unlike
	}
	return nil
}
