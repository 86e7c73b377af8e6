package algorithm

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// traversal is gds.bfs or gds.dfs: the nodes that a search from one of them meets, in the order in which it does. As in
// GDS, the relationships of the projection are in memory meanwhile.
//
//	CALL gds.bfs.stream('flights', {sourceNode: a, targetNodes: [b, c], maxDepth: 3}) YIELD nodeIds
type traversal struct {
	*projections
	name  string
	depth bool // the node that was met last is gone on from first
}

// traversals are the procedures of both. The path of GDS leads along relationships that no graph has: here it is null.
func (p *projections) traversals() (all []*procedure.Procedure) {
	stream := []procedure.Field{field("sourceNode", "INTEGER"), field("nodeIds", "LIST"),
		{Name: "path", Type: "PATH", Nullable: true}}
	stats := []procedure.Field{field("preProcessingMillis", "FLOAT"), field("computeMillis", "FLOAT"),
		field("postProcessingMillis", "FLOAT"), field("configuration", "MAP")}
	for _, t := range []traversal{{p, "gds.bfs", false}, {p, "gds.dfs", true}} {
		about := "the nodes that a breadth-first search meets"
		if t.depth {
			about = "the nodes that a depth-first search meets"
		}
		for _, mode := range []struct {
			name    string
			columns []procedure.Field
			call    func(context.Context, procedure.Graph, []value.Value, func([]value.Value) error) error
		}{{".stream", stream, t.stream}, {".stats", stats, t.stats}, {".stream.estimate", gdsNeeds, t.estimate},
			{".stats.estimate", gdsNeeds, t.estimate}} {
			all = append(all, &procedure.Procedure{Name: t.name + mode.name, Description: about + " (as Neo4j GDS has it)",
				Arguments: []procedure.Field{field("graphName", "STRING"), field("configuration", "MAP")},
				Columns:   mode.columns, Folds: true, Call: mode.call})
		}
	}
	return all
}

// bounds are where a search begins and ends.
type bounds struct {
	of      store.Projection
	source  nodeNumber
	targets []nodeNumber
	depth   int64 // -1: any
}

func (t traversal) bounds(graph string, arguments []value.Value) (b bounds, err error) {
	var part configured
	b.depth, b.source.of = -1, -1
	given := false
	for _, e := range entriesOf(arguments[1]) {
		key := strings.ToLower(e.Key)
		names := part.filter(key)
		switch {
		case names != nil:
			*names, err = NamesOf(e.Value)
		case key == "sourcenode":
			given = true
			b.source, err = numberedBy(e.Key, e.Value)
		case key == "targetnodes":
			b.targets, err = numbersBy(e)
		case key == "maxdepth":
			if err = errors.New("expected a whole number, -1 or more"); e.Value.Kind() == value.Int && e.Value.Int() >= -1 {
				b.depth, err = e.Value.Int(), nil
			}
		case key != "concurrency" && !slices.Contains(ignored, key):
			err = errors.New("there is no such parameter; there are sourceNode, targetNodes, maxDepth, nodeLabels and relationshipTypes")
		}
		if err != nil {
			return b, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "configuration of %s: %s: %s", t.name, e.Key, err)
		}
	}
	if !given {
		return b, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "%s: parameter sourceNode: is missing: the node to begin at",
			t.name)
	}
	b.of, err = t.narrowed(graph, arguments[0].Str(), part.part)
	return b, err
}

// numberedBy is the node that an entry names.
func numberedBy(key string, v value.Value) (nodeNumber, error) {
	switch v.Kind() {
	case value.Node:
		return nodeNumber{key, int64(v.ID())}, nil
	case value.Int:
		return nodeNumber{key, v.Int()}, nil
	}
	return nodeNumber{}, errors.New("expected a node, or its number")
}

// numbersBy are those of an entry that may be a list.
func numbersBy(e value.Entry) (all []nodeNumber, err error) {
	list := []value.Value{e.Value}
	if e.Value.Kind() == value.List {
		list = e.Value.List()
	}
	for _, v := range list {
		number, err := numberedBy(e.Key, v)
		if err != nil {
			return nil, err
		}
		all = append(all, number)
	}
	return all, nil
}

// network is the relationships of a projection by the numbers of nodes.
type network struct {
	known   []bool // which numbers are of nodes
	offsets []uint32
	others  []uint32 // of each list ascending
}

// has fails with the error of a node that there is not.
func (n *network) has(numbers ...nodeNumber) error {
	for _, number := range numbers {
		if number.of < 0 || number.of >= int64(len(n.known)) || !n.known[number.of] {
			return number.unknown()
		}
	}
	return nil
}

// networkBytes is what searching takes, about: of a node a place, whether it was met, and how it waits; of a
// relationship its other end.
func networkBytes(m *store.Manifest) int64 {
	return 24*int64(m.Vertices) + 4*relationshipCount(m.Edges, m.Directed).Int()
}

// network reads a projection. It fails where that would take more memory than projections may.
func (t traversal) network(ctx context.Context, g procedure.Graph, of store.Projection) (*network, error) {
	m, err := t.runner.Describe(ctx, g.Name(), of)
	if err != nil {
		return nil, err
	}
	if bytes := networkBytes(m); bytes > mostHeld {
		return nil, fault.Met(fault.MemoryLimit, "MemoryLimit",
			"%s would take %s; it may take %s: search a smaller projection, or CALL algo.bfs, which tells how far each node is",
			t.name, humanize.IBytes(uint64(bytes)), humanize.IBytes(mostHeld))
	}
	n := &network{}
	if err := t.runner.Nodes(ctx, g.Name(), of, func(node uint64) error {
		for uint64(len(n.known)) <= node {
			n.known = append(n.known, false)
		}
		n.known[node] = true
		return nil
	}); err != nil {
		return nil, err
	}
	each := func(yield func(from, to uint64)) error {
		return t.runner.Relationships(ctx, g.Name(), of, "", func(from, to uint64, _ string, _ value.Value) error {
			yield(from, to)
			return nil
		})
	}
	n.offsets = make([]uint32, len(n.known)+1)
	if err := each(func(from, _ uint64) { n.offsets[from+1]++ }); err != nil {
		return nil, err
	}
	for i := range n.known {
		n.offsets[i+1] += n.offsets[i]
	}
	n.others = make([]uint32, n.offsets[len(n.known)])
	ends := slices.Clone(n.offsets)
	if err := each(func(from, to uint64) { n.others[ends[from]] = uint32(to); ends[from]++ }); err != nil {
		return nil, err
	}
	for i := range n.known {
		slices.Sort(n.list(uint32(i)))
	}
	return n, nil
}

func (n *network) list(node uint32) []uint32 { return n.others[n.offsets[node]:n.offsets[node+1]] }

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
func (t traversal) run(ctx context.Context, g procedure.Graph, arguments []value.Value) (b bounds, order []uint64,
	read time.Time, err error) {
	if b, err = t.bounds(g.Name(), arguments); err != nil {
		return b, nil, read, err
	}
	n, err := t.network(ctx, g, b.of)
	if err != nil {
		return b, nil, read, failed(err)
	}
	read = time.Now()
	if err := n.has(append(b.targets, b.source)...); err != nil {
		return b, nil, read, err
	}
	order, err = n.search(ctx, b, t.depth)
	return b, order, read, err
}

func (t traversal) stream(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	b, order, _, err := t.run(ctx, g, arguments)
	if err != nil {
		return err
	}
	numbers := listOf(order, func(node uint64) value.Value { return value.OfInt(int64(node)) })
	return yield([]value.Value{value.OfInt(b.source.of), value.OfList(numbers), {}})
}

func (t traversal) stats(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	began := time.Now()
	_, _, read, err := t.run(ctx, g, arguments)
	if err != nil {
		return err
	}
	return yield([]value.Value{value.OfFloat(read.Sub(began).Seconds() * 1e3),
		value.OfFloat(time.Since(read).Seconds() * 1e3), value.OfFloat(0), arguments[1]})
}

func (t traversal) estimate(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	b, err := t.bounds(g.Name(), arguments)
	if err != nil {
		return err
	}
	m, err := t.runner.Describe(ctx, g.Name(), b.of)
	if err != nil {
		return failed(err)
	}
	bytes := networkBytes(m)
	return yield([]value.Value{value.OfInt(int64(m.Vertices)), relationshipCount(m.Edges, m.Directed),
		value.OfString(humanize.IBytes(uint64(bytes))), value.OfInt(bytes), value.OfInt(bytes)})
}
