package check

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

func (c *checker) update(clause ast.Clause, s *scope) {
	switch clause := clause.(type) {
	case *ast.CreateClause:
		for _, p := range clause.Patterns {
			c.create(p, s, false)
		}
	case *ast.MergeClause:
		c.noParameters(clause.Pattern)
		c.create(clause.Pattern, s, true)
		c.set(clause.OnCreate, s)
		c.set(clause.OnMatch, s)
	case *ast.SetClause:
		c.set(clause.Items, s)
	case *ast.RemoveClause:
		c.set(clause.Items, s)
	case *ast.DeleteClause:
		for _, e := range clause.Expressions {
			c.delete(e, s)
		}
	}
}

// create checks a pattern that is made. Its properties cannot name what it makes.
func (c *checker) create(p ast.PathPattern, s *scope, merge bool) {
	c.properties(p, s)
	c.storableProperties(p, s)
	for _, r := range p.Relationships {
		c.unbound(r.Variable, r.Position, s)
		c.creatable(r, merge)
		s.set(r.Variable, of(value.Relationship))
	}
	for _, n := range p.Nodes {
		c.createNode(n, len(p.Relationships) > 0, s)
	}
	c.unbound(p.Variable, p.Position, s)
	s.set(p.Variable, of(value.Path))
}

// createNode checks a node: one that is there already can only be an end of something new.
func (c *checker) createNode(n ast.NodePattern, isEnd bool, s *scope) {
	bound, ok := s.lookup(n.Variable)
	if ok && bound.may(KindsOf(value.Node)) && (!isEnd || n.Labels != nil || n.Properties != nil) {
		c.syntax("VariableAlreadyBound", n.Position, "node %s is there already: it cannot be created again, nor get labels or properties here; use SET", n.Variable)
	}
	c.bindAs(n.Variable, of(value.Node), n.Position, s)
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

func (c *checker) set(items []ast.SetItem, s *scope) {
	for _, item := range items {
		target := c.expression(item.Target, env{scope: s})
		given := c.optional(item.Value, env{scope: s})
		c.settable(item, target, given)
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

func (c *checker) delete(e ast.Expression, s *scope) {
	if _, ok := e.(*ast.HasLabels); ok {
		c.syntax("InvalidDelete", e.At(), "labels and types are not deleted: use REMOVE n:Label")
	}
	if t := c.expression(e, env{scope: s}); !t.may(entities | KindsOf(value.Path)) {
		c.syntax("InvalidArgumentType", e.At(), "nodes, relationships and paths are deleted, this is a %s", t.kinds)
	}
}
