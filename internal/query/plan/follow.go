package plan

import (
	"slices"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// follow plans an edge from an end that the row has.
func (m *matching) follow(e *edge) {
	rows := m.op.Rows() * fan(m.graph, e)
	if m.solved[e.from.slot] && m.solved[e.to.slot] {
		rows = m.op.Rows() * m.cost(e)
	}
	m.op = expecting(m.edgeOperator(e), rows)
	m.follows = append(m.follows, following{e, m.op})
	e.done = true
	m.solved[e.slot], m.solved[e.from.slot], m.solved[e.to.slot] = true, true, true
	if e.shortest == ast.AnyPath {
		m.trails = append(m.trails, Trail{e.slot, e.many(), e.from.slot, e.to.slot, e.Direction, e.Types})
	}
}

func (m *matching) edgeOperator(e *edge) Operator {
	switch {
	case e.shortest != ast.AnyPath:
		return m.shortestOperator(e)
	case e.many():
		return m.varExpand(e)
	case e.known:
		return m.ends(e)
	}
	from, to, direction := m.oriented(e)
	return &Expand{Step: m.step(m.op), From: from, Relationship: e.slot, To: to, Into: m.solved[to],
		Direction: direction, Types: e.Types, Unlike: others(m.trails, e), Text: e.text}
}

// oriented is the edge as seen from the end that the row has.
func (m *matching) oriented(e *edge) (from, to int, d ast.Direction) {
	if m.solved[e.from.slot] {
		return e.from.slot, e.to.slot, e.Direction
	}
	return e.to.slot, e.from.slot, reversed(e.Direction)
}

func reversed(d ast.Direction) ast.Direction {
	switch d {
	case ast.Outgoing:
		return ast.Incoming
	case ast.Incoming:
		return ast.Outgoing
	}
	return ast.Either
}

func (m *matching) varExpand(e *edge) Operator {
	from, to, direction := m.oriented(e)
	least, most := e.bounds()
	return &VarExpand{Step: m.step(m.op), From: from, Relationships: e.slot, To: to, Into: m.solved[to], Known: e.known,
		Direction: direction, Reverse: from != e.from.slot, Types: e.Types, Min: least, Max: most,
		Each: e.each, Where: e.where, Unlike: others(m.trails, e), Text: e.text}
}

func (m *matching) shortestOperator(e *edge) Operator {
	least, most := e.bounds()
	return &Shortest{Step: m.step(m.op), From: e.from.slot, Relationships: e.slot, To: e.to.slot,
		All: e.shortest == ast.AllShortest, Count: e.count, Groups: e.shortest == ast.ShortestGroups, Single: !e.many(),
		Direction: e.Direction, Types: e.Types,
		Min: least, Max: most, Each: e.each, Where: e.where, Text: e.text}
}

func (m *matching) ends(e *edge) Operator {
	return &RelationshipEnds{Step: m.step(m.op), Relationship: e.slot, From: e.from.slot, To: e.to.slot,
		FromKnown: m.solved[e.from.slot], ToKnown: m.solved[e.to.slot], Types: e.Types, Direction: e.Direction,
		Unlike: others(m.trails, e), Text: e.text}
}

// others are the relationships so far that an edge could be again: not those of other types.
func others(trails []Trail, e *edge) []Trail {
	var all []Trail
	for _, t := range trails {
		if overlap(t.Types, e.Types) {
			all = append(all, t)
		}
	}
	return all
}

// overlap tells whether a relationship can be of a type of both lists; an empty one has all.
func overlap(a, b []string) bool {
	return len(a) == 0 || len(b) == 0 || slices.ContainsFunc(a, func(typ string) bool { return slices.Contains(b, typ) })
}
