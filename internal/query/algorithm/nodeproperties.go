package algorithm

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// keepers are procedures that write properties of a projection to the graph, or forget those that it has beside the
// graph's.
func (p *projections) keepers() []*procedure.Procedure {
	name, all, none := field("graphName", "STRING"), value.OfString("*"), value.OfEntries(nil)
	properties := field("nodeProperties", "ANY")
	configuration := procedure.Field{Name: "configuration", Type: "MAP", Default: &none}
	return []*procedure.Procedure{
		writing(&procedure.Procedure{
			Name: "gds.graph.nodeProperties.write", Description: "write properties of a projection to the graph", Folds: true,
			Arguments: []procedure.Field{name, properties, {Name: "nodeLabels", Type: "ANY", Default: &all}, configuration},
			Columns: []procedure.Field{field("writeMillis", "FLOAT"), field("propertiesWritten", "INTEGER"), name, properties,
				field("configuration", "MAP")},
			Call: p.writeProperties,
		}),
		{
			Name: "gds.graph.nodeProperties.drop", Description: "forget properties that only the projection has", Folds: true,
			Arguments: []procedure.Field{name, properties, configuration},
			Columns:   []procedure.Field{field("propertiesRemoved", "INTEGER"), name, properties}, Call: p.dropProperties,
		},
	}
}

// nodeWriter is a Graph that properties of nodes may be written to.
type nodeWriter interface {
	procedure.Graph
	NewKey(name string) store.Token
	SetNodeProperty(node uint64, key store.Token, v value.Value) error
}

// renamed is a property of a projection, and what it is called in the graph.
type renamed struct{ from, to string }

// renamedOf reads names, maps {from: 'to'}, and lists of these.
func renamedOf(v value.Value) (all []renamed, err error) {
	switch v.Kind() {
	case value.String:
		return []renamed{{v.Str(), v.Str()}}, nil
	case value.Map:
		for _, e := range v.Map() {
			if e.Value.Kind() != value.String {
				return nil, fmt.Errorf("%s: expected a name, not %s", e.Key, e.Value.Kind())
			}
			all = append(all, renamed{e.Key, e.Value.Str()})
		}
		return all, nil
	case value.List:
		for _, one := range v.List() {
			some, err := renamedOf(one)
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
		return all, nil
	default:
		return nil, fmt.Errorf("expected names, or maps {name: 'other'}, not %s", v.Kind())
	}
}

// writeProperties is gds.graph.nodeProperties.write. Nodes without a value are left as they are.
func (p *projections) writeProperties(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	w, ok := g.(nodeWriter)
	if !ok {
		return onlyReads()
	}
	properties, err := renamedOf(arguments[1])
	if err != nil {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "nodeProperties: %s", err)
	}
	of, err := p.part(g, arguments[0], arguments[2], everything)
	if err != nil {
		return err
	}
	began, written := time.Now(), int64(0)
	var names []value.Value
	for _, property := range properties {
		key := w.NewKey(property.to)
		err := p.runner.NodeValues(ctx, g.Name(), of, property.from, func(node uint64, v value.Value) error {
			if v.IsNull() {
				return nil
			}
			written++
			return w.SetNodeProperty(node, key, v)
		})
		if err != nil {
			return failed(err)
		}
		names = append(names, value.OfString(property.to))
	}
	return yield([]value.Value{value.OfFloat(time.Since(began).Seconds() * 1e3), value.OfInt(written), arguments[0],
		value.OfList(names), arguments[3]})
}

// dropProperties is gds.graph.nodeProperties.drop, of properties that were mutated or drawn up: others are the graph's.
func (p *projections) dropProperties(_ context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	names, err := NamesOf(arguments[1])
	lenient := false
	for _, e := range arguments[2].Map() {
		switch {
		case err != nil:
		case e.Key != "failIfMissing" || e.Value.Kind() != value.Bool:
			err = fmt.Errorf("%s is not known, or no truth: expected {failIfMissing: false}", e.Key)
		default:
			lenient = !e.Value.Bool()
		}
	}
	if err != nil {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "gds.graph.nodeProperties.drop: %s", err)
	}
	removed, gone, err := p.forget(g.Name(), arguments[0].Str(), names, lenient)
	if err != nil {
		return err
	}
	return yield([]value.Value{value.OfInt(removed), arguments[0], value.OfList(listOf(gone, value.OfString))})
}

// forget takes properties from a projection, and tells how many values they had.
func (p *projections) forget(graph, name string, names []string, lenient bool) (removed int64, gone []string,
	err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	of, known := p.named[graph][name]
	if !known {
		return 0, nil, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "there is no projection %q of graph %s", name,
			graph)
	}
	of.Added = slices.Clone(of.Added)
	for _, property := range names {
		i := slices.IndexFunc(of.Added, func(a store.AddedProperty) bool { return a.Name == property })
		switch {
		case i >= 0:
			of.bytes -= addedBytes(of.Added[i])
			removed, gone = removed+int64(len(of.Added[i].Values)), append(gone, property)
			of.Added = slices.Delete(of.Added, i, i+1)
		case !lenient:
			return 0, nil, fault.Met(fault.ArgumentError, "InvalidArgumentValue",
				"projection %s has no node property %s of its own: those that are neither mutated nor drawn up are the graph's", name,
				property)
		}
	}
	return removed, gone, p.set(graph, name, of)
}
