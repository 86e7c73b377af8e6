package algorithm

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// writer is a Graph that relationships may be created in.
type writer interface {
	procedure.Graph
	NewType(name string) store.Token
	NewKey(name string) store.Token
	CreateRelationship(start, end uint64, typ store.Token) (uint64, error)
	SetRelationshipProperty(rel uint64, key store.Token, v value.Value) error
}

// writeRelationships creates a relationship of each pair, which has its score, of each path, which has its nodes and
// costs, or of a tree, which has its weight, in the statement's transaction.
func (c call) writeRelationships(ctx context.Context, g procedure.Graph, request configured,
	yield func([]value.Value) error) error {
	w, ok := g.(writer)
	switch {
	case !ok:
		return fault.Met(fault.AccessMode, "WriteInReadTransaction", "the transaction only reads: begin one that writes")
	case request.relationship == "":
		return missing("writeRelationshipType")
	case request.writeProperty == "" && !c.paths():
		return missing("writeProperty")
	}
	result, err := c.run(ctx, g, request)
	if err != nil {
		return err
	}
	defer result.Close()
	began, written := time.Now(), int64(0)
	typ := w.NewType(request.relationship)
	create := func(from, to uint64, properties []value.Entry) error {
		rel, err := w.CreateRelationship(from, to, typ)
		for _, e := range properties {
			if err == nil {
				err = w.SetRelationshipProperty(rel, w.NewKey(e.Key), e.Value)
			}
		}
		written++
		return err
	}
	if t, is := result.(tree); is {
		err = t.links(func(from, to uint64, weight float64) error {
			return create(from, to, []value.Entry{{Key: request.writeProperty, Value: value.OfFloat(weight)}})
		})
	} else if c.paths() {
		err = result.Paths(ctx, func(nodes []uint64, costs []float64) error {
			last := len(nodes) - 1
			return create(nodes[0], nodes[last], []value.Entry{{Key: "totalCost", Value: value.OfFloat(costs[last])},
				{Key: "nodeIds", Value: value.OfList(listOf(nodes, func(n uint64) value.Value { return value.OfInt(int64(n)) }))},
				{Key: "costs", Value: value.OfList(listOf(costs, value.OfFloat))}})
		})
	} else {
		err = result.Pairs(ctx, func(from, to uint64, score float64) error {
			return create(from, to, []value.Entry{{Key: request.writeProperty, Value: value.OfFloat(score)}})
		})
	}
	if err != nil {
		return err
	}
	return yield(append(valuesOf(ctx, c.sums(), result, request), value.OfFloat(time.Since(began).Seconds()*1e3),
		value.OfInt(written)))
}

func missing(name string) error {
	return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "the configuration lacks %s: {%[1]s: 'NAME'}", name)
}

// refuseRelationships says how what an algorithm finds gets into a projection: only a graph has relationships that are
// written.
func refuseRelationships(gds string) body {
	return func(context.Context, procedure.Graph, configured, func([]value.Value) error) error {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue",
			"%s.mutate: projections take no relationships that an algorithm has found: CALL %[1]s.write(…, {writeRelationshipType: 'SIMILAR', writeProperty: 'score'}), and project these",
			gds)
	}
}
