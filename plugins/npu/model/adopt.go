package model

import (
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/penstock-db/penstock/algorithms"
)

// Suits tells whether a model that another plan has built may send the messages of this one: whether its
// matrix is the one that this plan would make of the same edges. How many edges lead from u to v is the same
// for all programs without weights; what else is in a matrix depends on what messages do there.
func (p *Plan) Suits(m *Model) bool {
	if m.building == nil {
		return false
	}
	old := m.building.Plan
	if p.counting() && old.counting() {
		return p.size.Facts.Provider == old.size.Facts.Provider && p.size.Threads == old.size.Threads &&
			m.building.n <= p.size.N
	}
	a, b := p.size, old.size
	return a.N == b.N && a.Lanes == b.Lanes && a.Threads == b.Threads && a.Paper == b.Paper &&
		a.Facts.Provider == b.Facts.Provider && sameMessages(p.program, old.program)
}

func (p *Plan) counting() bool {
	_, ok := p.form.(counting)
	return ok
}

// sameMessages tells whether programs send and take alike: they may begin differently.
func sameMessages(p, q *algorithms.Program) bool {
	return p.Reduce == q.Reduce && p.Order == q.Order && p.Activity == q.Activity && p.Exactly == q.Exactly &&
		p.MaxIterations == q.MaxIterations && slices.Equal(p.EdgeColumns, q.EdgeColumns) &&
		slices.EqualFunc(p.State, q.State, func(a, b algorithms.State) bool {
			return a.Name == b.Name && a.Type == b.Type && a.Apply.Source == b.Apply.Source
		}) && proto.Equal(p.Process.Checked, q.Process.Checked)
}

// Adopt has a model that suits this plan, and rests, send its messages, along the very edges that it was built of: they
// are given again, because those may be gone. From then on it asks take.
func (p *Plan) Adopt(m *Model, edges Edges, take func(bytes uint64) error) error {
	b := m.building
	if m.messages != nil {
		messages, err := newMessages(p, b.n)
		if err != nil {
			return err
		}
		messages.sources = m.messages.sources
		m.messages = messages
	}
	b.Plan, b.edges, b.take = p, edges, take
	return nil
}

// Rest has a model forget what it needs only when it is adopted: its edges, among others. It tells how many of the
// bytes that it has asked take for it gives up.
func (m *Model) Rest() (given uint64) {
	m.building.edges, m.building.take = nil, nil
	if c, ok := m.sender.(*counter); ok {
		c.vacate()
		given, c.taken = c.taken, 0
	}
	return given
}
