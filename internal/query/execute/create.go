package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

func (b *builder) create(o *plan.Create, next emit) emit {
	creates := b.pattern(&o.Pattern)
	return b.operator(o.Input, func() error {
		if err := creates(); err != nil {
			return err
		}
		return next()
	})
}

// pattern compiles the creation of nodes, relationships and paths.
func (b *builder) pattern(p *plan.Pattern) emit {
	var steps []emit
	for i := range p.Nodes {
		steps = append(steps, b.newNode(&p.Nodes[i]))
	}
	for i := range p.Relationships {
		steps = append(steps, b.newRelationship(&p.Relationships[i]))
	}
	for i := range p.Paths {
		steps = append(steps, b.newPath(&p.Paths[i]))
	}
	return func() error {
		for _, step := range steps {
			if err := step(); err != nil {
				return err
			}
		}
		return b.tick()
	}
}

func (b *builder) newNode(n *plan.NewNode) emit {
	f, labels, properties := b.frame, names(n.Labels), b.entries(n.Properties)
	return func() error {
		tokens := make([]store.Token, len(labels))
		for i := range labels {
			tokens[i] = labels[i].make(f.graph.NewLabel)
		}
		entries, err := properties()
		if err != nil {
			return err
		}
		id, err := f.graph.CreateNode(tokens)
		if err != nil {
			return err
		}
		f.counters.NodesCreated++
		f.counters.LabelsAdded += int64(len(tokens))
		f.row[n.Slot] = value.OfNodeID(id)
		return f.setAll(f.row[n.Slot], entries)
	}
}

func names(texts []string) []name {
	all := make([]name, len(texts))
	for i, text := range texts {
		all[i].text = text
	}
	return all
}

func (b *builder) newRelationship(r *plan.NewRelationship) emit {
	f, typ, properties := b.frame, name{text: r.Type}, b.entries(r.Properties)
	return func() error {
		start, err := f.endOfNew(r.Start)
		if err != nil {
			return err
		}
		end, err := f.endOfNew(r.End)
		if err != nil {
			return err
		}
		entries, err := properties()
		if err != nil {
			return err
		}
		id, err := f.graph.CreateRelationship(start, end, typ.make(f.graph.NewType))
		if err != nil {
			return err
		}
		f.counters.RelationshipsCreated++
		f.row[r.Slot] = value.OfRelationshipID(id)
		return f.setAll(f.row[r.Slot], entries)
	}
}

func (f *frame) endOfNew(slot int) (uint64, error) {
	node, ok, err := f.nodeIn(slot)
	if err == nil && !ok {
		err = fault.Met(fault.SemanticError, "InvalidArgumentValue", "a relationship can't be created where its node is null: keep such rows out, WHERE … IS NOT NULL")
	}
	return node, err
}

func (b *builder) newPath(p *plan.Path) emit {
	f := b.frame
	return func() (err error) {
		f.row[p.Slot], err = f.joined(p.Parts)
		return err
	}
}
