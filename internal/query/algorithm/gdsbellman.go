package algorithm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// bellmanFord is gds.bellmanFord: the cheapest routes from a node, along relationships of any weight, or the negative
// cycles that it reaches. As in GDS, the relationships of the projection are in memory meanwhile.
//
//	CALL gds.bellmanFord.stream('roads', {sourceNode: a, relationshipWeightProperty: 'cost'}) YIELD targetNode, totalCost
type bellmanFord struct{ searches }

// routing is what a call asks for.
type routing struct {
	configured
	source nodeNumber
	weight string
	cycles bool // negative cycles are written as well
}

var bellmanFordNeeds = needed{name: "gds.bellmanFord", node: 44, relationship: 12,
	instead: "CALL algo.sssp, which tells how far each node is"}

// bellmanFord are its procedures, in every mode.
func (s searches) bellmanFord() []*procedure.Procedure {
	b := bellmanFord{s}
	millis := []procedure.Field{field("preProcessingMillis", "FLOAT"), field("computeMillis", "FLOAT"),
		field("postProcessingMillis", "FLOAT"), field("containsNegativeCycle", "BOOLEAN"), field("configuration", "MAP")}
	kept := func(took string) []procedure.Field {
		return append(millis[:len(millis):len(millis)], field(took, "FLOAT"), field("relationshipsWritten", "INTEGER"))
	}
	stream := []procedure.Field{field("index", "INTEGER"), field("sourceNode", "INTEGER"), field("targetNode", "INTEGER"),
		field("totalCost", "FLOAT"), field("nodeIds", "LIST"), field("costs", "LIST"),
		{Name: "route", Type: "PATH", Nullable: true}, field("isNegativeCycle", "BOOLEAN")}
	return gdsModes("gds.bellmanFord", "the cheapest routes from a node, or negative cycles that it reaches", b.routing,
		b.estimate, gdsMode[routing]{".stream", stream, b.stream, false}, gdsMode[routing]{".stats", millis, b.stats, false},
		gdsMode[routing]{".write", kept("writeMillis"), b.write, true},
		gdsMode[routing]{".mutate", kept("mutateMillis"), b.mutate, false})
}

func (b bellmanFord) routing(graph string, arguments []value.Value) (asked routing, err error) {
	asked.given, asked.projection = arguments[1], arguments[0].Str()
	own := []string{"relationshipWeightProperty", "writeRelationshipType", "writeNegativeCycles", "writeNodeIds", "writeCosts",
		"mutateRelationshipType", "mutateNegativeCycles"}
	asked.part, asked.source, err = b.searched(graph, "gds.bellmanFord", arguments, own,
		func(key string, e value.Entry) (err error) {
			switch key {
			case "relationshipweightproperty":
				asked.weight, err = textOf(e.Value)
			case "writerelationshiptype", "mutaterelationshiptype":
				asked.relationship, err = textOf(e.Value)
			default: // writeNodeIds and writeCosts: relationships that are written have all
				if e.Value.Kind() != value.Bool {
					return errors.New("expected true or false")
				}
				if strings.HasSuffix(key, "negativecycles") {
					asked.cycles = e.Value.Bool()
				}
			}
			return err
		})
	asked.Request = host.Request{Params: map[string]string{"weight": asked.weight}}
	return asked, err
}

// textOf is a name; null is none.
func textOf(v value.Value) (string, error) {
	switch v.Kind() {
	case value.Null:
		return "", nil
	case value.String:
		return v.Str(), nil
	}
	return "", fmt.Errorf("expected a name, not a %s", v.Kind())
}

// run finds the routes, and tells how long reading took, and finding them.
func (b bellmanFord) run(ctx context.Context, g procedure.Graph, asked routing) (found *routes, took [2]float64,
	err error) {
	began := time.Now()
	n, err := b.network(ctx, g, asked.part, asked.weight, bellmanFordNeeds)
	if err != nil {
		return nil, took, failed(err)
	}
	if err := n.has(asked.source); err != nil {
		return nil, took, err
	}
	read := time.Now()
	found, err = n.routes(ctx, uint32(asked.source.of))
	return found, [2]float64{read.Sub(began).Seconds() * 1e3, time.Since(read).Seconds() * 1e3}, err
}

func (b bellmanFord) stream(ctx context.Context, g procedure.Graph, asked routing,
	yield func([]value.Value) error) error {
	found, _, err := b.run(ctx, g, asked)
	if err != nil {
		return err
	}
	m, err := b.runner.Describe(ctx, g.Name(), asked.part)
	if err != nil {
		return failed(err)
	}
	index, ways, way := int64(-1), newWays(g, asked.configured, m.Directed), value.Value{}
	return found.each(func(nodes []uint64, costs []float64) error {
		if procedure.Wanted(ctx, 6) {
			if way, err = ways.through(nodes); err != nil {
				return err
			}
		}
		index++
		numbers, last := numbersOf(nodes), len(nodes)-1
		return yield([]value.Value{value.OfInt(index), numbers[0], numbers[last], value.OfFloat(costs[last]),
			value.OfList(numbers), value.OfList(listOf(costs, value.OfFloat)), way, value.OfBool(len(found.cycles) > 0)})
	})
}

func numbersOf(nodes []uint64) []value.Value {
	return listOf(nodes, func(node uint64) value.Value { return value.OfInt(int64(node)) })
}

func (b bellmanFord) stats(ctx context.Context, g procedure.Graph, asked routing,
	yield func([]value.Value) error) error {
	found, took, err := b.run(ctx, g, asked)
	if err != nil {
		return err
	}
	return yield(statsOfRoutes(found, took, asked))
}

func statsOfRoutes(found *routes, took [2]float64, asked routing) []value.Value {
	return []value.Value{value.OfFloat(took[0]), value.OfFloat(took[1]), value.OfFloat(0),
		value.OfBool(len(found.cycles) > 0), asked.given}
}

// write creates a relationship of each route.
func (b bellmanFord) write(ctx context.Context, g procedure.Graph, asked routing,
	yield func([]value.Value) error) error {
	links, err := newLinks(g, asked.relationship)
	if err != nil {
		return err
	}
	return b.keep(ctx, g, asked, links.path, func() (int64, error) { return links.written, nil }, yield)
}

// mutate keeps a relationship of each route in the projection.
func (b bellmanFord) mutate(ctx context.Context, g procedure.Graph, asked routing,
	yield func([]value.Value) error) error {
	kept, err := linked{b.projections}.gather(ctx, g, asked.projection, asked.relationship, "totalCost")
	if err != nil {
		return err
	}
	return b.keep(ctx, g, asked, kept.path,
		func() (int64, error) { return int64(len(kept.From)), kept.keep(g.Name()) }, yield)
}

// keep hands routes to path, and then asks how many were kept. Negative cycles are kept only where that is asked for.
func (b bellmanFord) keep(ctx context.Context, g procedure.Graph, asked routing,
	path func(nodes []uint64, costs []float64) error, kept func() (int64, error), yield func([]value.Value) error) error {
	found, took, err := b.run(ctx, g, asked)
	if err != nil {
		return err
	}
	began, many := time.Now(), int64(0)
	if len(found.cycles) == 0 || asked.cycles {
		err = found.each(path)
	}
	if err == nil {
		many, err = kept()
	}
	if err != nil {
		return err
	}
	return yield(append(statsOfRoutes(found, took, asked), value.OfFloat(time.Since(began).Seconds()*1e3),
		value.OfInt(many)))
}

func (b bellmanFord) estimate(ctx context.Context, g procedure.Graph, asked routing,
	yield func([]value.Value) error) error {
	return b.estimateSearch(ctx, g, asked.part, bellmanFordNeeds, yield)
}
