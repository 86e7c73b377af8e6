package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/query/ast"
)

func (c *chain) create(clause *ast.CreateClause) {
	if !c.own { // thousands of CREATE after one another do not copy it each
		c.scope, c.own = c.scope.over(nil), true
	}
	op := &Create{}
	for i := range clause.Patterns {
		c.newPattern(&op.Pattern, &clause.Patterns[i], c.scope, nil)
	}
	op.Step = c.step(c.op)
	c.op = op
}

// newPattern adds what of a path is to be created, and to s what can be named after that: there
// may be many paths. Names in given have their slots already.
func (p *planner) newPattern(to *Pattern, path *ast.PathPattern, s, given scope) {
	var parts []int
	var last int
	for i := range path.Nodes {
		node := p.newNode(to, &path.Nodes[i], s, given)
		if i > 0 {
			parts = append(parts, p.newRelationship(to, &path.Relationships[i-1], last, node, s, given))
		}
		parts = append(parts, node)
		last = node
	}
	if path.Variable != "" {
		slot := p.given(path.Variable, given)
		s[path.Variable] = slot
		to.Paths = append(to.Paths, Path{Slot: slot, Name: path.Variable, Parts: parts})
	}
	to.written = append(to.written, path)
}

func (p *planner) given(name string, given scope) int {
	if slot, ok := given[name]; ok && name != "" {
		return slot
	}
	return p.slot()
}

func (p *planner) newNode(to *Pattern, n *ast.NodePattern, s, given scope) int {
	if slot, known := s[n.Variable]; known && n.Variable != "" {
		return slot
	}
	slot := p.given(n.Variable, given)
	to.Nodes = append(to.Nodes, NewNode{slot, n.Labels, p.resolve(n.Properties, s)})
	s.name(n.Variable, slot)
	return slot
}

func (p *planner) newRelationship(to *Pattern, r *ast.RelationshipPattern, from, end int, s, given scope) int {
	if r.Direction == ast.Incoming {
		from, end = end, from
	}
	slot := p.given(r.Variable, given)
	to.Relationships = append(to.Relationships, NewRelationship{slot, from, end, r.Types[0], p.resolve(r.Properties, s)})
	s.name(r.Variable, slot)
	return slot
}

// merge plans MERGE. What is matched and what is created leave their parts in the same slots.
func (c *chain) merge(clause *ast.MergeClause) {
	pattern := named(clause.Pattern)
	match, inner := c.match(&ast.MatchClause{Position: clause.Position, Patterns: []ast.PathPattern{pattern}}, c.scope, c.argument())
	op := &Merge{Match: match}
	c.newPattern(&op.Pattern, &pattern, c.scope.over(nil), inner)
	for name, slot := range inner {
		if _, known := c.scope[name]; !known {
			op.Live = append(op.Live, slot)
		}
	}
	slices.Sort(op.Live)
	c.scope = visible(inner)
	op.OnCreate, op.OnMatch = c.changes(clause.OnCreate, false), c.changes(clause.OnMatch, false)
	op.Step = c.step(c.op)
	c.op = op
}

// named is the pattern with names for all nodes and relationships, also where none is written.
func named(path ast.PathPattern) ast.PathPattern {
	path.Nodes, path.Relationships = slices.Clone(path.Nodes), slices.Clone(path.Relationships)
	for i := range path.Nodes {
		if n := &path.Nodes[i]; n.Variable == "" {
			n.Variable = fmt.Sprintf("%snode %d", unwritten, i)
		}
	}
	for i := range path.Relationships {
		if r := &path.Relationships[i]; r.Variable == "" {
			r.Variable = fmt.Sprintf("%srelationship %d", unwritten, i)
		}
	}
	return path
}

// unwritten begins names that no statement can have.
const unwritten = "\x00"

// visible is the scope without names that are not written.
func visible(s scope) scope {
	s = maps.Clone(s)
	maps.DeleteFunc(s, func(name string, _ int) bool { return strings.HasPrefix(name, unwritten) })
	return s
}

func (c *chain) set(items []ast.SetItem, removes bool) {
	c.op = &Set{Changes: c.changes(items, removes), Removes: removes, Step: c.step(c.op)}
}

func (c *chain) changes(items []ast.SetItem, removes bool) []Change {
	var all []Change
	for _, item := range items {
		change := Change{Target: c.resolve(item.Target, c.scope), Key: item.Key, Labels: item.Labels, Add: item.Merge, Removes: removes}
		if !removes {
			change.Value = c.resolve(item.Value, c.scope)
		}
		all = append(all, change)
	}
	return all
}

func (c *chain) remove(clause *ast.DeleteClause) {
	c.op = &Delete{Step: c.step(c.op), Expressions: c.resolveAll(clause.Expressions, c.scope), Detach: clause.Detach}
}

func (c *chain) foreach(clause *ast.ForeachClause) {
	slot := c.slot()
	inner := &chain{planner: c.planner, op: c.argument(), scope: c.scope.with(clause.Variable, slot)}
	for i, each := range clause.Clauses {
		inner.separate(each, i)
		inner.clause(each)
	}
	c.op = &Foreach{Step: c.step(c.op), Slot: slot, Name: clause.Variable, List: c.resolve(clause.List, c.scope), Plan: inner.op}
}
