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
	to := creation{planner: c.planner, Pattern: &op.Pattern, scope: c.scope}
	for i := range clause.Patterns {
		to.add(&clause.Patterns[i])
	}
	op.Step = c.step(c.op)
	c.op = op
}

// creation is a pattern to create on the way. To its scope it adds what can be named after a path of
// the pattern: there may be many. Names in given have their slots already.
type creation struct {
	*planner
	*Pattern
	scope, given scope
}

// add adds what of a path is to be created.
func (to creation) add(path *ast.PathPattern) {
	var parts []int
	var last int
	for i := range path.Nodes {
		node := to.node(&path.Nodes[i])
		if i > 0 {
			parts = append(parts, to.relationship(&path.Relationships[i-1], last, node))
		}
		parts = append(parts, node)
		last = node
	}
	if path.Variable != "" {
		slot := to.slotOf(path.Variable)
		to.scope[path.Variable] = slot
		to.Paths = append(to.Paths, Path{Slot: slot, Name: path.Variable, Parts: parts})
	}
	to.written = append(to.written, path)
}

// slotOf is the slot that a name is given, or a new one.
func (to creation) slotOf(name string) int {
	if slot, ok := to.given[name]; ok && name != "" {
		return slot
	}
	return to.slot()
}

func (to creation) node(n *ast.NodePattern) int {
	if slot, known := to.scope[n.Variable]; known && n.Variable != "" {
		return slot
	}
	slot := to.slotOf(n.Variable)
	to.Nodes = append(to.Nodes, NewNode{slot, n.Labels, to.resolve(n.Properties, to.scope)})
	to.scope.name(n.Variable, slot)
	return slot
}

func (to creation) relationship(r *ast.RelationshipPattern, from, end int) int {
	if r.Direction == ast.Incoming {
		from, end = end, from
	}
	slot := to.slotOf(r.Variable)
	to.Relationships = append(to.Relationships, NewRelationship{slot, from, end, r.Types[0],
		to.resolve(r.Properties, to.scope)})
	to.scope.name(r.Variable, slot)
	return slot
}

// merge plans MERGE. What is matched and what is created leave their parts in the same slots.
func (c *chain) merge(clause *ast.MergeClause) {
	pattern := named(clause.Pattern)
	match, inner := c.match(&ast.MatchClause{Position: clause.Position, Patterns: []ast.PathPattern{pattern}}, c.scope,
		c.argument())
	op := &Merge{Match: match}
	creation{c.planner, &op.Pattern, c.scope.over(nil), inner}.add(&pattern)
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

// shown is a name as plans show it: nothing for what the statement gives no name.
func shown(name string) string {
	if strings.HasPrefix(name, unwritten) {
		return ""
	}
	return name
}

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
		change := Change{Target: c.resolve(item.Target, c.scope), Key: item.Key, Labels: item.Labels, Add: item.Merge,
			Removes: removes}
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
	c.op = &Foreach{Step: c.step(c.op), Slot: slot, Name: clause.Variable, List: c.resolve(clause.List, c.scope),
		Plan: inner.op}
}
