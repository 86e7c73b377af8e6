package plan

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// order plans the pattern above the rows of input: always the relationship next that leaves the
// fewest rows, or, where none leads on from what there is, the node that is cheapest to find.
func (m *matching) order(input Operator) Operator {
	m.op = input
	m.settle()
	for {
		if e := m.cheapestEdge(); e != nil {
			m.follow(e)
		} else if v := m.cheapestVertex(); v != nil {
			if !m.join(v) {
				m.find(v)
			}
		} else {
			hideRelationships(m.follows)
			return m.op
		}
		m.settle()
	}
}

// settle makes the paths that are complete, and decides the conditions that can be.
func (m *matching) settle() {
	m.filter()
	for i, path := range m.paths {
		if path == nil || slices.ContainsFunc(path.Parts, func(slot int) bool { return !m.solved[slot] }) {
			continue
		}
		path.Step = m.step(m.op)
		m.op, m.solved[path.Slot], m.paths[i] = path, true, nil
		m.filter()
	}
}

func (m *matching) cheapestEdge() *edge {
	var best *edge
	cost := math.Inf(1)
	for _, e := range m.edges {
		if c := m.cost(e); !e.done && c < cost {
			best, cost = e, c
		}
	}
	return best
}

// cost is how many rows an edge makes of one, its conditions applied; infinite where nothing
// leads to it yet.
func (m *matching) cost(e *edge) float64 {
	from, to := m.solved[e.from.slot], m.solved[e.to.slot]
	switch {
	case e.known && !e.many():
		return 0
	case from && to:
		return fan(m.graph, e) / max(1, float64(m.graph.NodeCount()))
	case !from && !to, e.shortest != ast.AnyPath:
		return math.Inf(1)
	case from:
		return fan(m.graph, e) * m.chosen(e.to.slot)
	}
	return fan(m.graph, e) * m.chosen(e.from.slot)
}

// chosen is the part of nodes that fulfill what can be asked of them in a slot.
func (m *matching) chosen(slot int) float64 {
	part := 1.0
	for _, c := range m.conditions {
		if !c.done && c.needs[slot] && c.ready(m.solved, slot) {
			part *= selectivity(m.graph, c.expression)
		}
	}
	return part
}

func (m *matching) cheapestVertex() *vertex {
	var best *vertex
	var way access
	for _, v := range m.vertices {
		if m.solved[v.slot] {
			continue
		}
		if a := m.access(v); best == nil || a.beats(way) {
			best, way = v, a
		}
	}
	return best
}
