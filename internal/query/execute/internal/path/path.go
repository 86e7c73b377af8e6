package path

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
)

// Join joins the nodes and relationships of a pattern.
func Join(f *frame.Frame, input frame.Input, slot int, parts []int, next frame.Emit) frame.Emit {
	return input(func() error {
		path, err := Through(f, parts)
		if err != nil {
			return err
		}
		f.Row[slot] = path
		return next()
	})
}

// Through is the path through slots: of a node, a relationship or list of them, a node and so on.
// Nodes within a list of relationships are found by going along them. It is null where a part is.
func Through(f *frame.Frame, parts []int) (value.Value, error) {
	content := &value.PathContent{Nodes: []value.Value{f.Row[parts[0]]}}
	for i, slot := range parts {
		v := f.Row[slot]
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
		if err := extend(f, content, steps); err != nil {
			return value.Value{}, err
		}
	}
	return value.OfPath(content), nil
}

// extend goes along relationships from the end of the path.
func extend(f *frame.Frame, p *value.PathContent, steps []value.Value) error {
	for _, r := range steps {
		start, end, _, err := f.Ends(r.ID())
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
