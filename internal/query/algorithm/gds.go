package algorithm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// compatible are procedures that statements written for GDS can call: the first argument is the name of a projection
// (see projections) or of the graph, and nodes are numbers.
//
//	CALL gds.louvain.stream('friends', {gamma: 0.8}) YIELD nodeId, communityId RETURN gds.util.asNode(nodeId).name, communityId
func (c call) compatible() (all []*procedure.Procedure) {
	c.compatibly = true
	for i := range forms[c.algorithm.Name] {
		c.form = &forms[c.algorithm.Name][i]
		all = append(all, c.named()...)
	}
	return all
}

// named are those of a form. Each mode has an estimate of its own, as GDS has it; they are all one.
func (c call) named() (all []*procedure.Procedure) {
	sums := fieldsOf(c.sums())
	with := func(more ...procedure.Field) []procedure.Field { return append(slices.Clone(sums), more...) }
	write, mutate := c.writeFigures, c.mutate
	if c.form.relationships(c.algorithm) {
		write, mutate = linker{c}.write, linker{c}.mutate
	}
	all = append(all, c.procedure(".estimate", gdsNeeds, c.estimateMemory))
	for _, p := range []*procedure.Procedure{
		c.procedure(".stream", c.numberedFields(), c.numbered), c.procedure(".stats", sums, c.figures),
		writing(c.procedure(".write", with(c.writtenFields("writeMillis")...), write)),
		c.procedure(".mutate", with(c.writtenFields("mutateMillis")...), mutate),
	} {
		mode := p.Name[strings.LastIndex(p.Name, "."):]
		if keeps := mode == ".write" || mode == ".mutate"; !c.form.has(mode) || keeps && c.paths() && !c.table() {
			continue
		}
		all = append(all, p, c.procedure(mode+".estimate", gdsNeeds, c.estimateMemory))
	}
	for _, p := range all {
		p.Name = "gds." + c.form.name + strings.TrimPrefix(p.Name, "algo."+Name(c.algorithm))
		p.Description += " (as Neo4j GDS has it)"
		p.Arguments = append([]procedure.Field{{Name: "graphName", Type: "STRING"}}, p.Arguments...)
	}
	return all
}

// relationships tells whether what is written is relationships.
func (f *form) relationships(a *algorithms.Algorithm) bool {
	return f.links || a.Shape == algorithms.OfPairs || a.Rows != nil
}

// numberedFields are what GDS calls the columns of a result.
func (c call) numberedFields() []procedure.Field {
	fields := c.streamed()
	number := func(name string) procedure.Field { return field(name, "INTEGER") }
	switch {
	case c.form.columns != nil:
		return c.form.columns
	case c.pairs() && c.table():
		return append([]procedure.Field{number("sourceNodeId"), number("targetNodeId")}, fields[2:]...)
	case c.pairs():
		return append([]procedure.Field{number("node1"), number("node2")}, fields[2:]...)
	case c.paths() && c.table():
		return []procedure.Field{fields[0], number("sourceNode"), number("targetNode"), fields[3],
			field("nodeIds", "LIST"), fields[5], fields[6]}
	case c.paths():
		return []procedure.Field{field("nodeIds", "LIST"), {Name: "path", Type: "PATH", Nullable: true}}
	case c.groups():
		return fields
	}
	return append([]procedure.Field{number("nodeId")}, fields[1:]...)
}

// numbered is stream with the numbers of nodes.
func (c call) numbered(ctx context.Context, g procedure.Graph, request configured,
	yield func([]value.Value) error) error {
	if c.form.rows != nil {
		result, err := c.run(ctx, g, request)
		if err != nil {
			return err
		}
		defer result.Close()
		return c.form.rows(ctx, g, result, request, yield)
	}
	if c.paths() && !c.table() {
		return c.walks(ctx, g, request, yield)
	}
	return c.stream(ctx, g, request, func(row []value.Value) error {
		for i := range row {
			switch {
			case row[i].Kind() == value.Node:
				row[i] = value.OfInt(int64(row[i].ID()))
			case c.paths() && row[i].Kind() == value.List:
				for k, node := range row[i].List() {
					if node.Kind() == value.Node {
						row[i].List()[k] = value.OfInt(int64(node.ID()))
					}
				}
			}
		}
		return yield(row)
	})
}

// walks gives out paths that are walks: their nodes and, where that is asked for, along which relationships they go.
func (c call) walks(ctx context.Context, g procedure.Graph, request configured,
	yield func([]value.Value) error) error {
	result, err := c.run(ctx, g, request)
	if err != nil {
		return err
	}
	defer result.Close()
	ways, way := newWays(g, request, result.Directed()), value.Value{}
	return result.Paths(ctx, func(nodes []uint64, _ []float64) error {
		if procedure.Wanted(ctx, 1) {
			if way, err = ways.through(nodes); err != nil {
				return err
			}
		}
		number := func(node uint64) value.Value { return value.OfInt(int64(node)) }
		return yield([]value.Value{value.OfList(listOf(nodes, number)), way})
	})
}

// gdsMode is a mode of a procedure that is no algorithm of ours: what it gives out, and what it does with what a call
// asks for.
type gdsMode[A any] struct {
	name    string // ".stream"
	columns []procedure.Field
	do      func(ctx context.Context, g procedure.Graph, asked A, yield func([]value.Value) error) error
	writes  bool
}

// gdsModes are the procedures of modes, each with its estimate, which are all one. Read makes of the arguments what a
// call asks for.
func gdsModes[A any](name, about string, read func(graph string, arguments []value.Value) (A, error),
	estimate func(context.Context, procedure.Graph, A, func([]value.Value) error) error, modes ...gdsMode[A]) (
	all []*procedure.Procedure) {
	for _, mode := range modes {
		for _, one := range []gdsMode[A]{mode, {mode.name + ".estimate", gdsNeeds, estimate, false}} {
			all = append(all, &procedure.Procedure{
				Name: name + one.name, Description: about + " (as Neo4j GDS has it)", Columns: one.columns, Folds: true,
				Arguments: []procedure.Field{field("graphName", "STRING"), field("configuration", "MAP")}, Writes: one.writes,
				Call: func(ctx context.Context, g procedure.Graph, arguments []value.Value,
					yield func([]value.Value) error) error {
					asked, err := read(g.Name(), arguments)
					if err != nil {
						return err
					}
					return one.do(ctx, g, asked, yield)
				}})
		}
	}
	return all
}

// settings reads the configuration of such a procedure: which part of the projection it is for and, by set, entries of
// the names that there are. Keys are in lower case.
func settings(name string, configuration value.Value, names []string, set func(key string, e value.Entry) error) (
	store.Projection, error) {
	var part configured
	for _, e := range entriesOf(configuration) {
		key, err := strings.ToLower(e.Key), error(nil)
		filter := part.filter(key)
		switch {
		case filter != nil:
			*filter, err = NamesOf(e.Value)
		case slices.ContainsFunc(names, func(name string) bool { return strings.ToLower(name) == key }):
			err = set(key, e)
		case key != "concurrency" && !slices.Contains(ignored, key):
			err = fmt.Errorf("there is no such parameter; there are %s, nodeLabels and relationshipTypes",
				strings.Join(names, ", "))
		}
		if err != nil {
			return part.part, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "configuration of %s: %s: %s", name, e.Key,
				err)
		}
	}
	return part.part, nil
}
