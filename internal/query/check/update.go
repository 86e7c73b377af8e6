package check

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

func (b bindings) update(clause ast.Clause) {
	switch clause := clause.(type) {
	case *ast.CreateClause:
		for _, p := range clause.Patterns {
			b.create(p, false)
		}
	case *ast.MergeClause:
		b.noParameters(clause.Pattern)
		b.create(clause.Pattern, true)
		b.setItems(clause.OnCreate)
		b.setItems(clause.OnMatch)
	case *ast.SetClause:
		b.setItems(clause.Items)
	case *ast.RemoveClause:
		b.setItems(clause.Items)
	case *ast.DeleteClause:
		for _, e := range clause.Expressions {
			b.delete(e)
		}
	}
}

// create checks a pattern that is made. Its properties cannot name what it makes.
func (b bindings) create(p ast.PathPattern, merge bool) {
	if p.Shortest != ast.AnyPath {
		b.syntax("UnexpectedSyntax", p.Position, "a shortest path can be found, but not created: write out its relationships")
	}
	b.properties(p)
	b.storableProperties(p)
	for _, r := range p.Relationships {
		b.unbound(r.Variable, r.Position)
		b.creatable(r, merge)
		b.set(r.Variable, of(value.Relationship))
	}
	for _, n := range p.Nodes {
		b.createNode(n, len(p.Relationships) > 0)
	}
	b.unbound(p.Variable, p.Position)
	b.set(p.Variable, of(value.Path))
}

// createNode checks a node: one that is there already can only be an end of something new.
func (b bindings) createNode(n ast.NodePattern, isEnd bool) {
	bound, ok := b.lookup(n.Variable)
	if ok && bound.may(KindsOf(value.Node)) && (!isEnd || n.Labels != nil || n.Properties != nil) {
		b.syntax(
			"VariableAlreadyBound", n.Position, "node %s is there already: it cannot be created again, nor get labels or properties here; use SET", n.Variable)
	}
	if n.Is != nil {
		b.syntax("UnexpectedSyntax", n.Is.Position, "a node is created with labels that are sure: (:A:B) or (:A&B)")
	}
	b.bindAs(n.Variable, of(value.Node), n.Position)
}

// creatable checks that it is known what relationship is meant.
func (c *checker) creatable(r ast.RelationshipPattern, merge bool) {
	switch {
	case r.Length != nil:
		c.syntax("CreatingVarLength", r.Position, "a path of variable length cannot be created: write out its relationships")
	case len(r.Types) != 1:
		c.syntax("NoSingleRelationshipType", r.Position, "a relationship is created with exactly one type: -[:TYPE]->")
	case r.Direction == ast.Either && !merge:
		c.syntax("RequiresDirectedRelationship", r.Position, "a relationship is created in one direction: --> or <--")
	}
}

func (b bindings) setItems(items []ast.SetItem) {
	for _, item := range items {
		target := b.place().expression(item.Target)
		given := b.place().optional(item.Value)
		b.settable(item, target, given)
	}
}

func (c *checker) settable(item ast.SetItem, target, given Type) {
	needs := entities
	if item.Labels != nil {
		needs = KindsOf(value.Node)
	}
	whole := item.Key == "" && item.Labels == nil
	switch {
	case !target.may(needs):
		c.syntax("InvalidArgumentType", item.Position, "a %s is changed by SET and REMOVE, this is a %s", needs, target.kinds)
	case item.Key != "" && item.Value != nil:
		c.storable(item.Value, given)
	case whole && !given.may(entities|KindsOf(value.Map)):
		c.syntax("InvalidArgumentType", item.Value.At(), "all properties are set by a Map, this is a %s", given.kinds)
	}
}

func (b bindings) delete(e ast.Expression) {
	if _, ok := e.(*ast.HasLabels); ok {
		b.syntax("InvalidDelete", e.At(), "labels and types are not deleted: use REMOVE n:Label")
	}
	if t := b.place().expression(e); !t.may(entities | KindsOf(value.Path)) {
		b.syntax("InvalidArgumentType", e.At(), "nodes, relationships and paths are deleted, this is a %s", t.kinds)
	}
}
