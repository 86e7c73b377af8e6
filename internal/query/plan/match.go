package plan

import (
	"slices"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// match plans a MATCH: its rows, and what can be named after it.
func (p *planner) match(clause *ast.MatchClause, s scope, input Operator) (Operator, scope) {
	if clause.Optional {
		return p.optional(clause, s, input)
	}
	m := newMatching(p, clause, s)
	return m.order(input), m.scope
}

func (p *planner) optional(clause *ast.MatchClause, s scope, input Operator) (Operator, scope) {
	m := newMatching(p, clause, s)
	plan := m.order(p.argument())
	var fresh []int
	for name, slot := range m.scope {
		if _, known := s[name]; !known {
			fresh = append(fresh, slot)
		}
	}
	slices.Sort(fresh)
	op := &Optional{Step: p.step(input), Plan: plan, Slots: fresh}
	return expecting(op, input.Rows()*max(1, plan.Rows())), m.scope
}

// matching is the patterns and conditions of one MATCH, on the way to being put in order.
type matching struct {
	*planner
	outer, scope scope
	vertices     []*vertex
	edges        []*edge
	paths        []*Path
	conditions   []*condition
	solved       map[int]bool // slots that the row has
	trails       []Trail      // relationships that are solved
	follows      []following  // operators for edges, so far
	op           Operator
}

// vertex is a node of the pattern; nodes of the same name are one.
type vertex struct {
	slot  int
	name  string
	alone bool // no relationship leads to it
}

// edge is a relationship of the pattern.
type edge struct {
	*ast.RelationshipPattern
	slot     int
	from, to *vertex
	known    bool // the row has had it before
	shown    bool // the relationship itself is asked for
	shortest ast.Shortest
	count    int64          // of shortest
	each     int            // the slot of one relationship of a path of variable length
	where    ast.Expression // what each of these has to fulfill
	done     bool
	text     string
}

func newMatching(p *planner, clause *ast.MatchClause, s scope) *matching {
	m := &matching{planner: p, outer: s, scope: s, solved: map[int]bool{}}
	for _, slot := range s {
		m.solved[slot] = true
	}
	lines := make([]line, len(clause.Patterns))
	for i := range clause.Patterns {
		lines[i] = m.line(&clause.Patterns[i])
	}
	for _, l := range lines {
		m.lineConditions(l)
	}
	m.where(clause.Where)
	return m
}

// line is the nodes and relationships of a path of the pattern, in order.
type line struct {
	*ast.PathPattern
	vertices []*vertex
	edges    []*edge
}

func (m *matching) line(pattern *ast.PathPattern) line {
	l := line{PathPattern: pattern}
	var parts []int
	for i := range pattern.Nodes {
		v := m.vertex(&pattern.Nodes[i])
		v.alone = v.alone && len(pattern.Relationships) == 0
		l.vertices = append(l.vertices, v)
		if i > 0 {
			e := m.edge(pattern, i-1, l.vertices[i-1], v)
			l.edges = append(l.edges, e)
			parts = append(parts, e.slot)
		}
		parts = append(parts, v.slot)
	}
	if pattern.Variable != "" {
		path := &Path{Slot: m.slot(), Name: shown(pattern.Variable), Parts: parts}
		m.scope = m.scope.with(pattern.Variable, path.Slot)
		m.paths = append(m.paths, path)
	}
	return l
}

func (m *matching) vertex(n *ast.NodePattern) *vertex {
	slot, known := m.scope[n.Variable]
	if !known || n.Variable == "" {
		slot = m.slot()
		m.scope = m.scope.with(n.Variable, slot)
	}
	for _, v := range m.vertices {
		if v.slot == slot {
			return v
		}
	}
	v := &vertex{slot: slot, name: shown(n.Variable), alone: true}
	m.vertices = append(m.vertices, v)
	return v
}

func (m *matching) edge(pattern *ast.PathPattern, i int, from, to *vertex) *edge {
	r := &pattern.Relationships[i]
	slot, known := m.scope[r.Variable]
	if !known || r.Variable == "" {
		slot, known = m.slot(), false
		m.scope = m.scope.with(r.Variable, slot)
	}
	e := &edge{RelationshipPattern: r, slot: slot, from: from, to: to, known: known, shortest: pattern.Shortest,
		count: pattern.Count, each: m.slot()}
	e.shown = r.Variable != "" || pattern.Variable != "" || r.Properties != nil || r.Where != nil || r.Is != nil
	e.text = "(" + from.name + ")" + relationshipText(r) + "(" + to.name + ")"
	m.edges = append(m.edges, e)
	return e
}

// many tells whether the edge's slot has a list of relationships.
func (e *edge) many() bool { return e.Length != nil }

// bounds are the least and the most number of relationships; most < 0: there is no limit.
func (e *edge) bounds() (least, most int64) {
	least, most = 1, -1
	if e.Length == nil {
		return 1, 1
	}
	if e.Length.Min != nil {
		least = *e.Length.Min
	}
	if e.Length.Max != nil {
		most = *e.Length.Max
	}
	return least, most
}
