package plan

import "github.com/penstock-db/penstock/internal/query/ast"

// condition is a part of WHERE, or what a pattern says of labels and properties.
type condition struct {
	expression ast.Expression
	needs      map[int]bool // slots that it depends on
	done       bool
	implied    bool // by the index that a node is found with: the estimate has it already
}

// lineConditions are those that stand within a path of the pattern.
func (m *matching) lineConditions(l line) {
	for i, v := range l.vertices {
		n, slot := &l.Nodes[i], m.named(v)
		for _, label := range n.Labels {
			m.require(&ast.HasLabels{Position: n.Position, Subject: slot, Labels: []string{label}}, v.slot)
		}
		if n.Is != nil {
			m.require(n.Is.Of(slot), v.slot)
		}
		for _, e := range m.properties(slot, n.Properties, m.scope) {
			m.add(e, n.Properties, v.slot)
		}
		m.where(n.Where)
		if _, known := m.outer[v.name]; known && v.alone {
			m.require(&ast.Unary{Position: n.Position, Op: ast.IsNotNull, Operand: slot}, v.slot)
		}
	}
	for i, e := range l.edges {
		m.edgeConditions(&l.Relationships[i], e)
	}
}

// edgeConditions are of a single relationship; those of a path of variable length are kept with
// the edge, which asks them of each.
func (m *matching) edgeConditions(r *ast.RelationshipPattern, e *edge) {
	slot := &Slot{ast.Variable{Position: r.Position, Name: shown(r.Variable)}, e.slot}
	if !e.many() && e.shortest == ast.AnyPath {
		for _, c := range m.properties(slot, r.Properties, m.scope) {
			m.add(c, r.Properties, e.slot)
		}
		if r.Is != nil {
			m.require(r.Is.Of(slot), e.slot)
		}
		m.where(r.Where)
		return
	}
	slot.Index = e.each
	all := m.properties(slot, r.Properties, m.scope)
	if r.Is != nil {
		all = append(all, r.Is.Of(slot))
	}
	if r.Where != nil {
		all = append(all, m.resolve(r.Where, m.scope.with(r.Variable, e.each)))
	}
	for _, c := range all {
		e.where = and(e.where, c)
	}
}

// properties are the conditions that {…} in a pattern stands for.
func (m *matching) properties(subject *Slot, properties ast.Expression, s scope) []ast.Expression {
	literal, ok := properties.(*ast.MapLiteral)
	if !ok {
		if properties == nil {
			return nil
		}
		return []ast.Expression{&HasProperties{m.resolve(properties, s), subject}}
	}
	all := make([]ast.Expression, len(literal.Keys))
	for i, key := range literal.Keys {
		at := literal.Values[i].At()
		all[i] = &ast.Binary{Position: at, Op: ast.Equal,
			Left: &ast.Property{Position: at, Subject: subject, Key: key}, Right: m.resolve(literal.Values[i], s)}
	}
	return all
}

// where takes in the parts of a condition that all have to be true.
func (m *matching) where(e ast.Expression) {
	if e == nil {
		return
	}
	if both, ok := e.(*ast.Binary); ok && both.Op == ast.And {
		m.where(both.Left)
		m.where(both.Right)
		return
	}
	if has, ok := e.(*ast.HasLabels); ok && len(has.Labels) > 1 {
		for _, label := range has.Labels {
			m.where(&ast.HasLabels{Position: has.Position, Subject: has.Subject, Labels: []string{label}})
		}
		return
	}
	m.add(m.resolve(e, m.scope), e, -1)
}

// add takes in a condition, which needs what is mentioned in its written form, and a slot.
func (m *matching) add(resolved, written ast.Expression, slot int) {
	c := &condition{expression: resolved, needs: map[int]bool{}}
	for name := range ast.Mentioned(written) {
		if at, ok := m.scope[name]; ok {
			c.needs[at] = true
		}
	}
	if slot >= 0 {
		c.needs[slot] = true
	}
	m.conditions = append(m.conditions, c)
}

func (m *matching) require(e ast.Expression, slot int) {
	m.conditions = append(m.conditions, &condition{expression: e, needs: map[int]bool{slot: true}})
}

func (m *matching) named(v *vertex) *Slot {
	return &Slot{ast.Variable{Name: v.name}, v.slot}
}

// ready tells whether all that a condition needs is solved, but for one slot.
func (c *condition) ready(solved map[int]bool, except int) bool {
	for slot := range c.needs {
		if !solved[slot] && slot != except {
			return false
		}
	}
	return true
}

// filter puts the conditions that can be decided above what is planned so far.
func (m *matching) filter() {
	var all ast.Expression
	rows := m.op.Rows()
	for _, c := range m.conditions {
		if !c.done && c.ready(m.solved, -1) {
			c.done = true
			all = and(all, c.expression)
			if !c.implied {
				rows *= selectivity(m.graph, c.expression)
			}
		}
	}
	if all != nil {
		m.op = expecting(&Filter{Step: m.step(m.op), Where: all}, rows)
	}
}

func and(a, b ast.Expression) ast.Expression {
	if a == nil {
		return b
	}
	return &ast.Binary{Position: b.At(), Op: ast.And, Left: a, Right: b}
}
