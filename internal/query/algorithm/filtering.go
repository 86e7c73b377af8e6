package algorithm

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/algorithm/predicate"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// filtering is gds.graph.filter: a projection of some nodes and relationships of another. It is drawn up: it stays what
// it is when the other one changes.
//
//	CALL gds.graph.filter('teenagers', 'people', 'n:Person AND n.age > 12 AND n.age < 20', 'r.since >= 2012')
type filtering struct{ *projections }

func (f filtering) procedures() []*procedure.Procedure {
	none := value.OfEntries(nil)
	names := []procedure.Field{field("graphName", "STRING"), field("fromGraphName", "STRING"), field("nodeFilter", "STRING"),
		field("relationshipFilter", "STRING")}
	return []*procedure.Procedure{{
		Name: "gds.graph.filter", Description: "name a part of a projection: nodes and relationships by conditions", Folds: true,
		Arguments: append(slices.Clip(names), procedure.Field{Name: "configuration", Type: "MAP", Default: &none}),
		Columns: append(slices.Clip(names), field("nodeCount", "INTEGER"), field("relationshipCount", "INTEGER"),
			field("projectMillis", "INTEGER")),
		Call: f.filter,
	}}
}

// sieve is a projection in memory, whose nodes and relationships are asked about one by one.
type sieve struct {
	filtering
	g         procedure.Graph
	of        store.Projection
	nodes     []uint32                 // ascending
	values    map[string][]value.Value // of nodes, of the properties that are asked for
	from, to  []uint32                 // of relationships, the numbers of nodes
	types     []string
	columns   []store.DrawnColumn // of relationships
	bothWays  bool
	ofDegrees map[string][]int64 // by types, of each node
}

func (f filtering) filter(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	began := time.Now()
	wrong := func(what string, err error) error {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "gds.graph.filter: %s: %s", what, err)
	}
	if err := f.free(g.Name(), arguments[0].Str()); err != nil {
		return err
	}
	parameters, err := filterParameters(arguments[4])
	if err != nil {
		return wrong("configuration", err)
	}
	nodes, err := predicate.Read(arguments[2].Str(), "n", parameters)
	if err != nil {
		return wrong("nodeFilter", err)
	}
	relationships, err := predicate.Read(arguments[3].Str(), "r", parameters)
	if err != nil {
		return wrong("relationshipFilter", err)
	}
	of, err := f.narrowed(g.Name(), arguments[1].Str(), store.Projection{})
	if err != nil {
		return err
	}
	s := &sieve{filtering: f, g: g, of: of, ofDegrees: map[string][]int64{}}
	if err := s.read(ctx, nodes.Properties()); err != nil {
		return failed(err)
	}
	kept, err := s.keptNodes(nodes)
	if err != nil {
		return wrong("nodeFilter", err)
	}
	drawn, err := s.drawn(kept, relationships)
	if err != nil {
		return wrong("relationshipFilter", err)
	}
	part := store.Projection{Drawn: drawn, Added: s.added(kept)}
	if err := f.keep(g.Name(), arguments[0].Str(), named{part, drawnBytes(part)}); err != nil {
		return err
	}
	return yield(append(slices.Clone(arguments[:4]), value.OfInt(int64(len(kept))),
		relationshipCount(uint64(len(drawn.From)), !drawn.Undirected), value.OfInt(time.Since(began).Milliseconds())))
}

// filterParameters are those of a configuration.
func filterParameters(configuration value.Value) (map[string]value.Value, error) {
	all := map[string]value.Value{}
	for _, e := range entriesOf(configuration) {
		switch key := strings.ToLower(e.Key); {
		case key == "parameters" && e.Value.Kind() == value.Map:
			for _, parameter := range e.Value.Map() {
				all[parameter.Key] = parameter.Value
			}
		case key != "concurrency" && !slices.Contains(ignored, key):
			return nil, fmt.Errorf("%s is not known, or no map: expected {parameters: {name: value}}", e.Key)
		}
	}
	return all, nil
}

// read reads the projection, with the properties of nodes that are asked for, and all of relationships.
func (s *sieve) read(ctx context.Context, properties []string) error {
	m, err := s.runner.Describe(ctx, s.g.Name(), s.of)
	if err != nil {
		return err
	}
	s.bothWays = !m.Directed
	bytes := int64(m.Edges)*int64(relationshipBytes+32*len(m.EdgeProperties)) +
		int64(m.Vertices)*int64(nodeBytes+32*len(properties))
	if err := mayTake("gds.graph.filter", bytes, "project what is to be kept by a statement, gds.graph.project(name, a, b)"); err != nil {
		return err
	}
	if err := s.runner.Nodes(ctx, s.g.Name(), s.of, func(node uint64) error {
		s.nodes = append(s.nodes, uint32(node))
		return nil
	}); err != nil {
		return err
	}
	s.values = make(map[string][]value.Value, len(properties))
	for _, name := range properties {
		if err := s.runner.NodeValues(ctx, s.g.Name(), s.of, name, func(_ uint64, v value.Value) error {
			s.values[name] = append(s.values[name], v)
			return nil
		}); err != nil {
			return err
		}
	}
	if err := s.each(ctx, "", func(from, to uint64, typ string, _ value.Value) {
		s.from, s.to, s.types = append(s.from, uint32(from)), append(s.to, uint32(to)), append(s.types, typ)
	}); err != nil {
		return err
	}
	for _, property := range m.EdgeProperties {
		c := store.DrawnColumn{Name: property.Name}
		if err := s.each(ctx, property.Name, func(_, _ uint64, _ string, v value.Value) {
			c.Values = append(c.Values, v)
		}); err != nil {
			return err
		}
		s.columns = append(s.columns, c)
	}
	changed := slices.ContainsFunc(s.columns, func(c store.DrawnColumn) bool { return len(c.Values) != len(s.from) })
	for _, values := range s.values {
		changed = changed || len(values) != len(s.nodes)
	}
	if changed {
		return fault.Met(fault.Conflict, "Conflict", "graph %s was changed since the statement began: try again", s.g.Name())
	}
	return nil
}

// each goes over the relationships; one that leads both ways comes once.
func (s *sieve) each(ctx context.Context, property string, do func(from, to uint64, typ string, v value.Value)) error {
	again := false
	return s.runner.Relationships(ctx, s.g.Name(), s.of, property, func(from, to uint64, typ string, v value.Value) error {
		if again = s.bothWays && from != to && !again; !s.bothWays || from == to || again {
			do(from, to, typ, v)
		}
		return nil
	})
}

func (s *sieve) keptNodes(by predicate.Predicate) ([]uint32, error) {
	kept := []uint32{} // which says that there are none, where nil would be all
	for i, node := range s.nodes {
		keeps, err := by.Keeps(nodeOf{s, i})
		if err != nil {
			return nil, err
		}
		if keeps {
			kept = append(kept, node)
		}
	}
	return kept, nil
}

// drawn is the nodes that are kept, and the relationships between them that are kept.
func (s *sieve) drawn(kept []uint32, by predicate.Predicate) (*store.Drawn, error) {
	for _, name := range by.Properties() {
		if !slices.ContainsFunc(s.columns, func(c store.DrawnColumn) bool { return c.Name == name }) {
			return nil, fmt.Errorf("no relationship has a property %s", name)
		}
	}
	d := &store.Drawn{Numbers: s.g.Numbers(), Vertices: kept, Undirected: s.bothWays}
	if s.of.Drawn != nil && s.of.Drawn.Labels != nil {
		for _, node := range kept {
			place, _ := slices.BinarySearch(s.of.Drawn.Vertices, node)
			d.Labels = append(d.Labels, s.of.Drawn.Labels[place])
		}
	}
	var rows []int
	for i := range s.from {
		from, begins := slices.BinarySearch(kept, s.from[i])
		to, ends := slices.BinarySearch(kept, s.to[i])
		if !begins || !ends {
			continue
		}
		keeps, err := by.Keeps(relationshipOf{s, i})
		if err != nil {
			return nil, err
		}
		if keeps {
			rows, d.From, d.To = append(rows, i), append(d.From, uint32(from)), append(d.To, uint32(to))
		}
	}
	if slices.ContainsFunc(rows, func(row int) bool { return s.types[row] != "" }) {
		d.Types = listOfRows(s.types, rows)
	}
	for _, c := range s.columns {
		values := listOfRows(c.Values, rows)
		if slices.ContainsFunc(values, func(v value.Value) bool { return !v.IsNull() }) {
			d.Relationships = append(d.Relationships, store.DrawnColumn{Name: c.Name, Values: values})
		}
	}
	return d, nil
}

func listOfRows[T any](all []T, rows []int) []T {
	some := make([]T, len(rows))
	for i, row := range rows {
		some[i] = all[row]
	}
	return some
}

// added are the properties that the projection has beside the graph, of the nodes that are kept.
func (s *sieve) added(kept []uint32) (all []store.AddedProperty) {
	for _, a := range s.of.Added {
		some := store.AddedProperty{Numbers: a.Numbers}
		some.Name = a.Name
		for i, node := range a.Vertices {
			if _, keeps := slices.BinarySearch(kept, node); keeps {
				some.Vertices, some.Values = append(some.Vertices, node), append(some.Values, a.Values[i])
			}
		}
		all = append(all, some)
	}
	return all
}

// drawnBytes is the memory that a projection takes.
func drawnBytes(of store.Projection) int64 {
	relationship := relationshipBytes + 32*len(of.Drawn.Relationships)
	bytes := int64(nodeBytes*len(of.Drawn.Vertices) + relationship*len(of.Drawn.From))
	for _, a := range of.Added {
		bytes += addedBytes(a)
	}
	return bytes
}

// nodeOf is the node that is asked about.
type nodeOf struct {
	*sieve
	at int
}

func (n nodeOf) Property(name string) value.Value { return n.values[name][n.at] }

func (n nodeOf) Has(label string) (bool, error) {
	return within(n.g, n.of, uint64(n.nodes[n.at]), []string{label})
}

func (n nodeOf) Degree(types []string) int64 {
	key := strings.Join(types, "\x00")
	if n.ofDegrees[key] == nil {
		n.ofDegrees[key] = make([]int64, len(n.nodes))
		count := func(node uint32) {
			place, _ := slices.BinarySearch(n.nodes, node)
			n.ofDegrees[key][place]++
		}
		for i := range n.from {
			if len(types) > 0 && !slices.Contains(types, n.types[i]) {
				continue
			}
			if count(n.from[i]); n.bothWays && n.from[i] != n.to[i] {
				count(n.to[i])
			}
		}
	}
	return n.ofDegrees[key][n.at]
}

// relationshipOf is the relationship that is asked about.
type relationshipOf struct {
	*sieve
	at int
}

func (r relationshipOf) Property(name string) value.Value {
	i := slices.IndexFunc(r.columns, func(c store.DrawnColumn) bool { return c.Name == name })
	return r.columns[i].Values[r.at]
}

func (r relationshipOf) Has(typ string) (bool, error) { return r.types[r.at] == typ, nil }

func (r relationshipOf) Degree([]string) int64 { return 0 } // which a condition of r cannot ask for
