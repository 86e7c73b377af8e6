package plan

import (
	"slices"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// join plans the part of the pattern that a vertex is of by itself, once, and joins its rows with
// those there are by a condition that says that two values are equal. Otherwise that part would
// be planned above, and run again for each row. It tells false where that is all there is to do.
//
// A plan that is run for each row, as of OPTIONAL MATCH, begins with the row: a value of it is joined
// likewise, by a table that the runs share, unless the graph changes between them.
//
// Where an index finds what is equal to a value of the row, and few rows ask it, no table is made.
func (m *matching) join(v *vertex) bool {
	const few = 4 // rows for which running it again is cheaper than a table
	way := m.access(v)
	_, begins := m.op.(*Argument)
	if way.rows < few || begins && (way.seeks || m.writes) || !begins && m.op.Rows() < few {
		return false
	}
	part := m.partOf(v)
	c, left, right := m.joining(part)
	if c == nil || begins && isConstant(left) || way.seeks && m.op.Rows()*way.found <= part.start().found {
		return false
	}
	plan := part.order(m.argument())
	rows := m.op.Rows() * plan.Rows()
	if !c.done { // the part has what is asked of it alone
		rows *= selectivity(m.graph, c.expression)
	}
	m.op = expecting(&HashJoin{Step: m.step(m.op), Plan: plan, Left: left, Right: right, Live: sortedSlots(part.solved)},
		rows)
	c.done = true
	for slot := range part.solved {
		m.solved[slot] = true
	}
	m.trails, m.follows = append(m.trails, part.trails...), append(m.follows, part.follows...)
	return true
}

// partOf is what hangs together with a vertex by relationships, and the conditions that need
// nothing else.
func (m *matching) partOf(v *vertex) *matching {
	part := &matching{planner: m.planner, outer: m.outer, scope: m.scope, solved: map[int]bool{}, vertices: []*vertex{v}}
	for grown := true; grown; {
		grown = false
		for _, e := range m.edges {
			if e.done || slices.Contains(part.edges, e) || !slices.Contains(part.vertices, e.from) &&
				!slices.Contains(part.vertices, e.to) {
				continue
			}
			grown = true
			part.edges = append(part.edges, e)
			part.include(e.from)
			part.include(e.to)
		}
	}
	slots := slotsOf(part.vertices, part.edges)
	for _, c := range m.conditions {
		if !c.done && within(c.needs, slots) && len(c.needs) > 0 {
			part.conditions = append(part.conditions, c)
		}
	}
	return part
}

// start is how the first vertex of a part that stands alone is found.
func (m *matching) start() access { return m.access(m.cheapestVertex()) }

// include adds a vertex, unless it is there.
func (m *matching) include(v *vertex) {
	if !slices.Contains(m.vertices, v) {
		m.vertices = append(m.vertices, v)
	}
}

// slotsOf are the slots of vertices and edges.
func slotsOf(vertices []*vertex, edges []*edge) map[int]bool {
	slots := map[int]bool{}
	for _, v := range vertices {
		slots[v.slot] = true
	}
	for _, e := range edges {
		slots[e.slot] = true
	}
	return slots
}

func within(slots, of map[int]bool) bool {
	for slot := range slots {
		if !of[slot] {
			return false
		}
	}
	return true
}

// joining is a condition that says that a value of what there is and one of the part are equal;
// nil: there is none, or the part can't stand alone.
func (m *matching) joining(part *matching) (found *condition, left, right ast.Expression) {
	for _, e := range part.edges {
		if e.known || e.shortest != ast.AnyPath || e.where != nil || len(others(m.trails, e)) > 0 {
			return nil, nil, nil
		}
	}
	slots := slotsOf(part.vertices, part.edges)
	for _, c := range m.conditions {
		e, ok := c.expression.(*ast.Binary)
		if c.done || !ok || e.Op != ast.Equal {
			continue
		}
		for _, sides := range [][2]ast.Expression{{e.Left, e.Right}, {e.Right, e.Left}} {
			switch is, constant := apart(sides[0], sides[1], m.solved, slots); {
			case is && !constant:
				return c, sides[0], sides[1]
			case is && left == nil: // unless there is a better one
				found, left, right = c, sides[0], sides[1]
			}
		}
	}
	return found, left, right
}

// apart tells whether left needs only solved slots, and right only slots of the part. Where left is constant, all rows
// are joined with the same ones of the part: what finds these need not run for each.
func apart(left, right ast.Expression, solved, part map[int]bool) (is, constant bool) {
	of, known := slotsIn(left)
	from, all := slotsIn(right)
	return known && all && (len(of) > 0 || isConstant(left)) && len(from) > 0 && within(of, solved) && within(from, part),
		len(of) == 0
}

func isConstant(e ast.Expression) bool {
	switch e.(type) {
	case *ast.Literal, *ast.Parameter:
		return true
	}
	return false
}

// slotsIn are the slots that an expression needs; false: there may be more.
func slotsIn(e ast.Expression) (map[int]bool, bool) {
	slots, known := map[int]bool{}, true
	ast.Visit(e, func(e ast.Expression) bool {
		switch e := e.(type) {
		case *Slot:
			slots[e.Index] = true
		case *Local, *Nested, *HasProperties:
			known = false
		}
		return known
	})
	return slots, known
}

func sortedSlots(slots map[int]bool) []int {
	all := make([]int, 0, len(slots))
	for slot := range slots {
		all = append(all, slot)
	}
	slices.Sort(all)
	return all
}
