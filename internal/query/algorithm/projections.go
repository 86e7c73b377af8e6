package algorithm

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// projections are the parts of graphs that statements written for Neo4j GDS have named, as long as the process goes on.
// A name stands for what the graph has when an algorithm runs, not for what it had when it was given.
//
//	CALL gds.graph.project('flights', 'airport', {route: {orientation: 'UNDIRECTED'}})
//	CALL gds.louvain.stream('flights') YIELD nodeId, communityId …
type projections struct {
	runner Runner

	mu    sync.Mutex                  // protects named
	named map[string]map[string]named // by graph, by name
}

// named is a projection with a name, and the memory that it takes.
type named struct {
	store.Projection
	bytes int64
}

// mostHeld is the memory that projections may take, all together.
const mostHeld = 1 << 30

// narrowed is the part of a graph that a call runs on: of that with a name, what the call's own filters leave.
func (p *projections) narrowed(graph, name string, by store.Projection) (store.Projection, error) {
	of, known := p.find(graph, name)
	if !known && name != graph {
		return of, fault.Met(fault.ArgumentError, "InvalidArgumentValue",
			"there is no projection %q of graph %s in this session; it has %s: CALL gds.graph.project(%q, '*', '*') makes one",
			name, graph, strings.Join(append(p.names(graph), graph+" (all of it)"), ", "), name)
	}
	for _, f := range []struct {
		kind   string
		of, by *[]string
	}{{"label", &of.Labels, &by.Labels}, {"relationship type", &of.Types, &by.Types}} {
		for _, one := range *f.by {
			if len(*f.of) > 0 && !slices.Contains(*f.of, one) {
				return of, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "projection %s has no %s %s; it has %s", name,
					f.kind, one, strings.Join(*f.of, ", "))
			}
		}
		if len(*f.by) > 0 {
			*f.of = *f.by
		}
	}
	return of, nil
}

func (p *projections) find(graph, name string) (store.Projection, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	of, known := p.named[graph][name]
	return of.Projection, known
}

// free fails where a name is that of a graph or of a projection.
func (p *projections) free(graph, name string) error {
	if _, known := p.find(graph, name); known || name == graph || name == "" {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue",
			"gds.graph.project: there is a graph or a projection %q already: choose another name, or CALL gds.graph.drop(%q) first",
			name, name)
	}
	return nil
}

// names are those of a graph's projections.
func (p *projections) names(graph string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(maps.Keys(p.named[graph]))
}

// keep gives a projection a name, in the place of another that has it.
func (p *projections) keep(graph, name string, of named) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.set(graph, name, of)
}

// set is keep, with p.mu held.
func (p *projections) set(graph, name string, of named) error {
	held := of.bytes - p.named[graph][name].bytes
	for _, all := range p.named {
		for _, one := range all {
			held += one.bytes
		}
	}
	if err := heldAtMost(name, held); err != nil {
		return err
	}
	if p.named == nil {
		p.named = map[string]map[string]named{}
	}
	if p.named[graph] == nil {
		p.named[graph] = map[string]named{}
	}
	p.named[graph][name] = of
	return nil
}

// heldAtMost fails where a projection takes more memory than all may.
func heldAtMost(name string, bytes int64) error {
	if bytes <= mostHeld {
		return nil
	}
	return fault.Met(fault.MemoryLimit, "MemoryLimit",
		"projection %s would take %s with all others; there may be %s: CALL gds.graph.drop, or name labels and types (CALL gds.graph.project), which takes no memory",
		name, humanize.IBytes(uint64(bytes)), humanize.IBytes(mostHeld))
}

// drop takes a name back, if it is one.
func (p *projections) drop(graph, name string) (known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, known = p.named[graph][name]
	delete(p.named[graph], name)
	return known
}

func (p *projections) procedures() []*procedure.Procedure {
	name := field("graphName", "STRING")
	none, yes, empty := value.OfEntries(nil), value.OfBool(true), value.OfString("")
	counted := []procedure.Field{name, field("nodeCount", "INTEGER"), field("relationshipCount", "INTEGER")}
	return []*procedure.Procedure{
		{
			Name: "gds.graph.project", Description: "name a part of the graph: nodes by labels, and relationships by types",
			Arguments: []procedure.Field{name, field("nodeProjection", "ANY"), field("relationshipProjection", "ANY"),
				{Name: "configuration", Type: "MAP", Default: &none}},
			Columns: append([]procedure.Field{field("nodeProjection", "MAP"), field("relationshipProjection", "MAP")},
				append(slices.Clone(counted), field("projectMillis", "INTEGER"))...),
			Folds: true, Call: p.project, Gather: p.draw, Gathered: procedure.Arity{Min: 2, Max: 5, Text: drawnSignature},
		},
		{
			Name: "gds.graph.drop", Description: "forget the name of a part of the graph",
			Arguments: []procedure.Field{name, {Name: "failIfMissing", Type: "BOOLEAN", Default: &yes}},
			Columns:   []procedure.Field{name}, Call: p.dropped,
		},
		{
			Name: "gds.graph.exists", Description: "tell whether a part of the graph has this name",
			Arguments: []procedure.Field{name}, Columns: []procedure.Field{name, field("exists", "BOOLEAN")}, Call: p.exists,
		},
		{
			Name: "gds.graph.list", Description: "the names of parts of the graph, and what these have",
			Arguments: []procedure.Field{{Name: "graphName", Type: "STRING", Default: &empty}},
			Columns:   append(slices.Clone(counted), field("density", "FLOAT"), field("schema", "MAP")),
			Folds:     true, Call: p.list,
		},
	}
}

// project is gds.graph.project.
func (p *projections) project(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	name := arguments[0].Str()
	if err := p.free(g.Name(), name); err != nil {
		return err
	}
	of, err := nativeProjection(arguments[1], arguments[2], arguments[3])
	if err != nil {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "gds.graph.project: %s", err)
	}
	began := time.Now()
	m, err := p.runner.Describe(ctx, g.Name(), of.Projection)
	if err == nil {
		err = of.check(m)
	}
	if err != nil {
		return failed(err)
	}
	if err := p.keep(g.Name(), name, named{Projection: of.Projection}); err != nil {
		return err
	}
	entries := func(key string, names []string) value.Value {
		var all []value.Entry
		for _, one := range orAll(names) {
			is := value.OfEntries([]value.Entry{{Key: key, Value: value.OfString(one)}})
			all = append(all, value.Entry{Key: one, Value: is})
		}
		return value.OfEntries(all)
	}
	return yield([]value.Value{entries("label", of.Labels), entries("type", of.Types), arguments[0],
		value.OfInt(int64(m.Vertices)), relationshipCount(m.Edges, m.Directed),
		value.OfInt(time.Since(began).Milliseconds())})
}

// orAll is the names, or '*' for all.
func orAll(names []string) []string {
	if len(names) == 0 {
		return []string{"*"}
	}
	return names
}

// dropped is gds.graph.drop.
func (p *projections) dropped(_ context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	name := arguments[0].Str()
	if p.drop(g.Name(), name) {
		return yield(arguments[:1])
	}
	if !arguments[1].Bool() {
		return nil
	}
	return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "there is no projection %q of graph %s; it has %s", name,
		g.Name(), strings.Join(append(p.names(g.Name()), "no others"), ", "))
}

// exists is gds.graph.exists.
func (p *projections) exists(_ context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	_, known := p.find(g.Name(), arguments[0].Str())
	return yield([]value.Value{arguments[0], value.OfBool(known)})
}

// list is gds.graph.list.
func (p *projections) list(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	for _, name := range p.names(g.Name()) {
		if only := arguments[0].Str(); only != "" && only != name {
			continue
		}
		of, _ := p.find(g.Name(), name)
		m, err := p.runner.Describe(ctx, g.Name(), of)
		if err != nil {
			return failed(err)
		}
		row := []value.Value{value.OfString(name), value.OfInt(int64(m.Vertices)), relationshipCount(m.Edges, m.Directed),
			value.OfFloat(density(m)), schema(m)}
		if err := yield(row); err != nil {
			return err
		}
	}
	return nil
}

// density is how many of the relationships there are that could be, one of each node to each other.
func density(m *store.Manifest) float64 {
	if m.Vertices < 2 {
		return 0
	}
	edges := relationshipCount(m.Edges, m.Directed).Int()
	return float64(edges) / float64(m.Vertices) / float64(m.Vertices-1)
}

// relationshipCount is how many relationships a projection has by GDS's count: one that leads both ways is two.
func relationshipCount(edges uint64, directed bool) value.Value {
	if !directed {
		edges *= 2
	}
	return value.OfInt(int64(edges))
}

// schema has the names of properties, of nodes and of relationships.
func schema(m *store.Manifest) value.Value {
	names := func(all []store.Property) value.Value {
		return value.OfList(listOf(all, func(p store.Property) value.Value { return value.OfString(p.Name) }))
	}
	return value.OfEntries([]value.Entry{{Key: "nodes", Value: names(m.NodeProperties)},
		{Key: "relationships", Value: names(m.EdgeProperties)}})
}
