package tck

import (
	"slices"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
)

// canonical is a text that two values share if the kit takes them for the same. Lists in any
// order are the same where loose is set.
func canonical(v value.Value, loose bool) string {
	switch v.Kind() {
	case value.Null:
		return "null"
	case value.Bool:
		return strconv.FormatBool(v.Bool())
	case value.Int:
		return strconv.FormatInt(v.Int(), 10)
	case value.Float:
		return "float " + strconv.FormatFloat(v.Float()+0, 'g', -1, 64) // -0.0 is 0.0 to the kit
	case value.String:
		return "'" + v.Str() + "'"
	case value.List:
		return list(v.List(), loose)
	case value.Map:
		return entries(v.Map(), loose)
	case value.Node:
		return node(v.Node(), loose)
	case value.Relationship:
		return relationship(v.Relationship(), loose)
	case value.Path:
		return path(v.Path(), loose)
	}
	return v.Text() // temporal values: the kit shows them as strings
}

func list(all []value.Value, loose bool) string {
	texts := make([]string, len(all))
	for i, v := range all {
		texts[i] = canonical(v, loose)
	}
	if loose {
		slices.Sort(texts)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func entries(all []value.Entry, loose bool) string {
	texts := make([]string, len(all))
	for i, e := range all {
		texts[i] = e.Key + ": " + canonical(e.Value, loose)
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

func node(n *value.NodeContent, loose bool) string {
	labels := slices.Sorted(slices.Values(n.Labels))
	return "(" + strings.Join(labels, ":") + entries(n.Properties, loose) + ")"
}

func relationship(r *value.RelationshipContent, loose bool) string {
	return "[:" + r.Type + entries(r.Properties, loose) + "]"
}

func path(p *value.PathContent, loose bool) string {
	text := node(p.Nodes[0].Node(), loose)
	for i, r := range p.Relationships {
		arrow := relationship(r.Relationship(), loose)
		if r.Relationship().Start == p.Nodes[i].ID() {
			arrow = "-" + arrow + "->"
		} else {
			arrow = "<-" + arrow + "-"
		}
		text += arrow + node(p.Nodes[i+1].Node(), loose)
	}
	return "<" + text + ">"
}
