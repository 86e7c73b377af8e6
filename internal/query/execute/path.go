package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// path joins the nodes and relationships of a pattern.
func (b *builder) path(o *plan.Path, next emit) emit {
	f := b.frame
	return b.operator(o.Input, func() error {
		path, err := f.joined(o.Parts)
		if err != nil {
			return err
		}
		f.row[o.Slot] = path
		return next()
	})
}

// joined is the path through slots: of a node, a relationship or list of them, a node and so on.
// Nodes within a list of relationships are found by going along them. It is null where a part is.
func (f *frame) joined(parts []int) (value.Value, error) {
	content := &value.PathContent{Nodes: []value.Value{f.row[parts[0]]}}
	for i, slot := range parts {
		v := f.row[slot]
		if v.IsNull() {
			return value.Value{}, nil
		}
		if i%2 == 0 {
			continue
		}
		steps := []value.Value{v}
		if v.Kind() == value.List {
			steps = v.List()
		}
		if err := f.extend(content, steps); err != nil {
			return value.Value{}, err
		}
	}
	return value.OfPath(content), nil
}

// extend goes along relationships from the end of the path.
func (f *frame) extend(p *value.PathContent, steps []value.Value) error {
	for _, r := range steps {
		start, end, _, err := f.ends(r.ID())
		if err != nil {
			return err
		}
		other := end
		if p.Nodes[len(p.Nodes)-1].ID() != start {
			other = start
		}
		p.Relationships = append(p.Relationships, r)
		p.Nodes = append(p.Nodes, value.OfNodeID(other))
	}
	return nil
}
