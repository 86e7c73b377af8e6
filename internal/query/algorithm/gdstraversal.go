package algorithm

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// traversal is gds.bfs or gds.dfs: the nodes that a search from one of them meets, in the order in which it does. As in
// GDS, the relationships of the projection are in memory meanwhile.
//
//	CALL gds.bfs.stream('flights', {sourceNode: a, targetNodes: [b, c], maxDepth: 3}) YIELD nodeIds
type traversal struct {
	searches
	name  string
	depth bool // the node that was met last is gone on from first
}

// traversals are the procedures of both. The path of GDS leads along relationships that no graph has: here it is null.
func (s searches) traversals() (all []*procedure.Procedure) {
	stream := []procedure.Field{field("sourceNode", "INTEGER"), field("nodeIds", "LIST"),
		{Name: "path", Type: "PATH", Nullable: true}}
	stats := []procedure.Field{field("preProcessingMillis", "FLOAT"), field("computeMillis", "FLOAT"),
		field("postProcessingMillis", "FLOAT"), field("configuration", "MAP")}
	mutated := append(slices.Clone(stats), field("mutateMillis", "FLOAT"), field("relationshipsWritten", "INTEGER"))
	for _, t := range []traversal{{s, "gds.bfs", false}, {s, "gds.dfs", true}} {
		about := "the nodes that a breadth-first search meets"
		if t.depth {
			about = "the nodes that a depth-first search meets"
		}
		all = append(all, gdsModes(t.name, about, t.bounds, t.estimate, gdsMode[bounds]{".stream", stream, t.stream, false},
			gdsMode[bounds]{".stats", stats, t.stats, false}, gdsMode[bounds]{".mutate", mutated, t.mutate, false})...)
	}
	return all
}

// bounds are where a search begins and ends.
type bounds struct {
	of      store.Projection
	source  nodeNumber
	targets []nodeNumber
	depth   int64 // -1: any
	given   value.Value
	// In which projection, and of which type, mutate keeps the way of a search.
	projection, relationship string
}

func (t traversal) bounds(graph string, arguments []value.Value) (b bounds, err error) {
	b.depth, b.given, b.projection = -1, arguments[1], arguments[0].Str()
	b.of, b.source, err = t.searched(graph, t.name, arguments, []string{"targetNodes", "maxDepth", "mutateRelationshipType"},
		func(key string, e value.Entry) (err error) {
			switch {
			case key == "targetnodes":
				b.targets, err = numbersBy(e)
			case key == "mutaterelationshiptype" && e.Value.Kind() != value.String:
				err = errors.New("expected the name of a type")
			case key == "mutaterelationshiptype":
				b.relationship = e.Value.Str()
			case e.Value.Kind() != value.Int || e.Value.Int() < -1:
				err = errors.New("expected a whole number, -1 or more")
			default:
				b.depth = e.Value.Int()
			}
			return err
		})
	return b, err
}

// met is a node that a search has met, and will go on from.
type met struct {
	node  uint32
	depth int64
}

// search lists nodes in the order in which they are gone on from; with a target it ends.
func (n *network) search(ctx context.Context, b bounds, depthFirst bool) (order []uint64, err error) {
	targets, seen := map[uint32]bool{}, make([]bool, len(n.known))
	for _, target := range b.targets {
		targets[uint32(target.of)] = true
	}
	seen[b.source.of] = true
	for waiting, first := []met{{uint32(b.source.of), 0}}, 0; first < len(waiting); {
		at := waiting[first]
		if depthFirst {
			at = waiting[len(waiting)-1]
			waiting = waiting[:len(waiting)-1]
		} else {
			first++
		}
		if order = append(order, uint64(at.node)); targets[at.node] {
			break
		}
		if at.depth == b.depth {
			continue
		}
		for _, other := range n.list(at.node) {
			if !seen[other] {
				seen[other] = true
				waiting = append(waiting, met{other, at.depth + 1})
			}
		}
		if len(order)%(1<<12) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return order, nil
}

// run searches, and tells when the network was there.
func (t traversal) run(ctx context.Context, g procedure.Graph, b bounds) (order []uint64, read time.Time, err error) {
	n, err := t.network(ctx, g, b.of, "", t.needs())
	if err != nil {
		return nil, read, failed(err)
	}
	n.sort()
	read = time.Now()
	if err := n.has(append(b.targets, b.source)...); err != nil {
		return nil, read, err
	}
	order, err = n.search(ctx, b, t.depth)
	return order, read, err
}

func (t traversal) stream(ctx context.Context, g procedure.Graph, b bounds, yield func([]value.Value) error) error {
	order, _, err := t.run(ctx, g, b)
	if err != nil {
		return err
	}
	return yield([]value.Value{value.OfInt(b.source.of), value.OfList(numbersOf(order)), {}})
}

func (t traversal) stats(ctx context.Context, g procedure.Graph, b bounds, yield func([]value.Value) error) error {
	began := time.Now()
	_, read, err := t.run(ctx, g, b)
	if err != nil {
		return err
	}
	return yield([]value.Value{value.OfFloat(read.Sub(began).Seconds() * 1e3),
		value.OfFloat(time.Since(read).Seconds() * 1e3), value.OfFloat(0), b.given})
}

// mutate keeps a relationship from each node that a search meets to the one that it meets next, without properties, in
// the projection.
func (t traversal) mutate(ctx context.Context, g procedure.Graph, b bounds, yield func([]value.Value) error) error {
	found, err := linked{t.projections}.gather(ctx, g, b.projection, b.relationship)
	if err != nil {
		return err
	}
	began := time.Now()
	order, read, err := t.run(ctx, g, b)
	if err != nil {
		return err
	}
	searched := time.Now()
	for i, node := range order[1:] {
		if err := found.add(order[i], node); err != nil {
			return err
		}
	}
	if err := found.keep(g.Name()); err != nil {
		return err
	}
	return yield([]value.Value{value.OfFloat(read.Sub(began).Seconds() * 1e3),
		value.OfFloat(searched.Sub(read).Seconds() * 1e3), value.OfFloat(0), b.given,
		value.OfFloat(time.Since(searched).Seconds() * 1e3), value.OfInt(int64(len(found.From)))})
}

func (t traversal) estimate(ctx context.Context, g procedure.Graph, b bounds, yield func([]value.Value) error) error {
	return t.estimateSearch(ctx, g, b.of, t.needs(), yield)
}

// needs are of a node a place, whether it was met, and how it waits; of a relationship its other end.
func (t traversal) needs() needed {
	return needed{name: t.name, node: 24, relationship: 4, instead: "CALL algo.bfs, which tells how far each node is"}
}
