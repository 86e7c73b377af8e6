package plan

// byDegree turns an Expand whose rows are only counted into a Degree, so that what it leads to is
// not visited: count(*) of paths of k relationships walks k-1. used tells of slots that are
// needed above. It gives the slot of the number of rows; < 0: all rows are still given.
func (p *planner) byDegree(op Operator, used func(slot int) bool) (Operator, int) {
	e, ok := op.(*Expand)
	if !ok || e.Into || used != nil && (used(e.To) || used(e.Relationship)) {
		return op, -1
	}
	for _, t := range e.Unlike {
		if t.List {
			return op, -1
		}
	}
	d := &Degree{Step: p.step(e.Input), From: e.From, Weight: p.slot(), Direction: e.Direction, Types: e.Types, Unlike: e.Unlike, Text: e.Text}
	return d, d.Weight
}
