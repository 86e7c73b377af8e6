package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/execute/internal/write"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// write builds an operator that changes the graph.
func (b *builder) write(op plan.Operator, next frame.Emit) frame.Emit {
	f := b.frame
	switch op := op.(type) {
	case *plan.Create:
		pattern, _ := b.pattern(&op.Pattern)
		return write.Create(f, b.child(op.Input), pattern, next)
	case *plan.Merge:
		pattern, properties := b.pattern(&op.Pattern)
		m := write.Merging{Live: op.Live, Pattern: pattern, Properties: properties, OnMatch: b.changes(op.OnMatch),
			OnCreate: b.changes(op.OnCreate)}
		return write.Merge(f, b.child(op.Input), b.child(op.Match), m, next)
	case *plan.Set:
		return write.Set(f, b.child(op.Input), b.changes(op.Changes), next)
	case *plan.Delete:
		return write.Delete(f, b.child(op.Input), b.Expressions(op.Expressions), op.Detach, next)
	case *plan.Foreach:
		return write.Foreach(f, b.child(op.Input), b.child(op.Plan), op.Slot, b.Expression(op.List), next)
	}
	return b.unknown(op, next)
}

// pattern compiles the creation of nodes, relationships and paths, and gives their properties besides.
func (b *builder) pattern(p *plan.Pattern) (steps write.Pattern, properties []write.Entries) {
	f := b.frame
	for _, n := range p.Nodes {
		entries := b.Entries(n.Properties)
		steps, properties = append(steps, write.NewNode(f, n.Slot, n.Labels, entries)), append(properties, entries)
	}
	for _, r := range p.Relationships {
		entries := b.Entries(r.Properties)
		steps, properties = append(steps, write.NewRelationship(f, r.Slot, r.Start, r.End, r.Type, entries)),
			append(properties, entries)
	}
	for _, path := range p.Paths {
		steps = append(steps, write.NewPath(f, path.Slot, path.Parts))
	}
	return steps, properties
}

// changes compiles the items of SET or REMOVE.
func (b *builder) changes(items []plan.Change) write.Changes {
	all := make(write.Changes, len(items))
	for i := range items {
		all[i] = write.Change{Make: b.change(&items[i]), Target: b.Expression(items[i].Target)}
	}
	return all
}

func (b *builder) change(c *plan.Change) func(entity value.Value) error {
	switch {
	case len(c.Labels) > 0:
		return write.SetLabels(b.frame, c.Labels, c.Removes)
	case c.Key != "":
		return write.SetProperty(b.frame, c.Key, b.Some(c.Value))
	}
	return write.SetProperties(b.frame, b.Entries(c.Value), c.Add)
}
