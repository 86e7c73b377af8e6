package algorithm

import (
	"context"
	"slices"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// mutate keeps a relationship of each pair, each path, or each link of a tree in a projection, where other algorithms
// find them. The graph does not have them. Paths have totalCost; others have their score under a name.
func (c linker) mutate(ctx context.Context, g procedure.Graph, request configured,
	yield func([]value.Value) error) error {
	property := request.mutateProperty
	if c.paths() {
		property = "totalCost"
	}
	if property == "" && request.relationship != "" {
		return missing("mutateProperty")
	}
	found, err := linked{c.projected}.gather(ctx, g, request.projection, request.relationship, property)
	if err != nil {
		return err
	}
	if request, err = c.asked(ctx, g, request); err != nil {
		return err
	}
	result, err := c.run(ctx, g, request)
	if err != nil {
		return err
	}
	defer result.Close()
	began := time.Now()
	if err := c.each(ctx, result, found.scored, found.path); err != nil {
		return err
	}
	if err := found.keep(g.Name()); err != nil {
		return err
	}
	return yield(append(valuesOf(ctx, c.sums(), result, request), value.OfFloat(time.Since(began).Seconds()*1e3),
		value.OfInt(int64(len(found.From)))))
}

// linked are the relationships that projections have beside those of their graphs.
type linked struct{ *projections }

// gathered is relationships that are to be in a projection.
type gathered struct {
	store.Linked
	linked
	projection string
}

// gather fails where a projection has relationships of a type, or one of the properties and it holds no such values.
func (p linked) gather(ctx context.Context, g procedure.Graph, name, typ string, properties ...string) (*gathered,
	error) {
	if typ == "" {
		return nil, missing("mutateRelationshipType")
	}
	of, err := p.mutable(g.Name(), name)
	if err != nil {
		return nil, err
	}
	m, err := p.runner.Describe(ctx, g.Name(), of)
	if err != nil {
		return nil, failed(err)
	}
	if slices.Contains(m.Types, typ) || slices.ContainsFunc(of.Linked, called(typ)) {
		return nil, fault.Met(fault.ArgumentError, "InvalidArgumentValue",
			"projection %s has relationships of the type %s already: choose another mutateRelationshipType, or CALL gds.graph.relationships.drop(%[1]q, %[2]q)",
			name, typ)
	}
	found := store.Linked{Numbers: g.Numbers(), Type: typ}
	for _, property := range properties {
		found.Properties = append(found.Properties, store.LinkedProperty{Name: property})
	}
	has := *m // what the projection has, under the name of its graph
	has.Graph = g.Name()
	if err := (store.Projection{Linked: []store.Linked{found}}).Linkable(&has); err != nil {
		return nil, failed(err)
	}
	return &gathered{linked: p, projection: name, Linked: found}, nil
}

func (f *gathered) scored(from, to uint64, score float64) error {
	f.Properties[0].Values = append(f.Properties[0].Values, score)
	return f.add(from, to)
}

func (f *gathered) add(from, to uint64) error {
	f.From, f.To = append(f.From, uint32(from)), append(f.To, uint32(to))
	return heldAtMost(f.projection, linkedBytes(f.Linked))
}

func (f *gathered) path(nodes []uint64, costs []float64) error {
	last := len(nodes) - 1
	return f.scored(nodes[0], nodes[last], costs[last])
}

// keep gives them to the projection.
func (f *gathered) keep(graph string) error { return f.link(graph, f.projection, f.Linked) }

// linkedBytes is the memory that relationships take.
func linkedBytes(l store.Linked) int64 { return int64(len(l.From)) * int64(8+8*len(l.Properties)) }

func called(typ string) func(store.Linked) bool {
	return func(l store.Linked) bool { return l.Type == typ }
}

// link adds relationships to a projection.
func (p linked) link(graph, name string, found store.Linked) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	of, known := p.named[graph][name]
	if !known || slices.ContainsFunc(of.Linked, called(found.Type)) {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue",
			"projection %s has been dropped, or been given relationships %s, meanwhile", name, found.Type)
	}
	of.Linked = append(slices.Clone(of.Linked), found)
	if len(of.Types) > 0 {
		of.Types = append(slices.Clone(of.Types), found.Type)
	}
	of.bytes += linkedBytes(found)
	return p.set(graph, name, of)
}

// unlink takes relationships from a projection, and tells which these were.
func (p linked) unlink(graph, name, typ string) (gone store.Linked, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	of, known := p.named[graph][name]
	i := slices.IndexFunc(of.Linked, called(typ))
	if !known || i < 0 {
		return gone, fault.Met(fault.ArgumentError, "InvalidArgumentValue",
			"there is no projection %q of graph %s with relationships %q of its own: those that no mutate has found are the graph's",
			name, graph, typ)
	}
	gone = of.Linked[i]
	of.Linked = slices.Delete(slices.Clone(of.Linked), i, i+1)
	of.Types = slices.DeleteFunc(slices.Clone(of.Types), func(one string) bool { return one == typ })
	of.bytes -= linkedBytes(gone)
	return gone, p.set(graph, name, of)
}

// procedures are those that write relationships of a projection to the graph, or forget those that it has beside the
// graph's.
func (p linked) procedures() []*procedure.Procedure {
	name, typ := field("graphName", "STRING"), field("relationshipType", "STRING")
	none, nothing := value.OfEntries(nil), value.OfString("")
	return []*procedure.Procedure{
		writing(&procedure.Procedure{
			Name: "gds.graph.relationship.write", Description: "write relationships of a projection to the graph", Folds: true,
			Arguments: []procedure.Field{name, typ, {Name: "relationshipProperty", Type: "STRING", Default: &nothing},
				{Name: "configuration", Type: "MAP", Default: &none}},
			Columns: []procedure.Field{field("writeMillis", "FLOAT"), name, typ,
				{Name: "relationshipProperty", Type: "STRING", Nullable: true}, field("relationshipsWritten", "INTEGER"),
				field("propertiesWritten", "INTEGER"), field("configuration", "MAP")},
			Call: p.writeType,
		}),
		{
			Name: "gds.graph.relationships.drop", Description: "forget relationships that only the projection has",
			Arguments: []procedure.Field{name, typ},
			Columns: []procedure.Field{name, typ, field("deletedRelationships", "INTEGER"),
				field("deletedProperties", "MAP")},
			Call: p.dropType,
		},
	}
}

// writeType is gds.graph.relationship.write: of relationships of one type, with a property or without.
func (p linked) writeType(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	links, err := newLinks(g, arguments[1].Str())
	if err != nil {
		return err
	}
	of, err := p.part(g, arguments[0], everything, arguments[1])
	if err != nil {
		return err
	}
	began, properties := time.Now(), int64(0)
	property, written := arguments[2].Str(), value.Value{}
	if property != "" {
		written = arguments[2]
	}
	err = p.runner.Relationships(ctx, g.Name(), of, property, func(from, to uint64, _ string, v value.Value) error {
		if v.IsNull() {
			return links.create(from, to)
		}
		properties++
		return links.create(from, to, value.Entry{Key: property, Value: v})
	})
	if err != nil {
		return failed(err)
	}
	return yield([]value.Value{value.OfFloat(time.Since(began).Seconds() * 1e3), arguments[0], arguments[1], written,
		value.OfInt(links.written), value.OfInt(properties), arguments[3]})
}

// dropType is gds.graph.relationships.drop, of relationships that mutate has found: others are the graph's.
func (p linked) dropType(_ context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	gone, err := p.unlink(g.Name(), arguments[0].Str(), arguments[1].Str())
	if err != nil {
		return err
	}
	var deleted []value.Entry
	for _, property := range gone.Properties {
		deleted = append(deleted, value.Entry{Key: property.Name, Value: value.OfInt(int64(len(property.Values)))})
	}
	return yield([]value.Value{arguments[0], arguments[1], value.OfInt(int64(len(gone.From))),
		value.OfEntries(deleted)})
}
