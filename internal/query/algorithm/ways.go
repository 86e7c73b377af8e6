package algorithm

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// ways makes paths of the nodes that an algorithm has found: between two of them goes the relationship that it went
// along, the lightest, or the heaviest.
type ways struct {
	g         procedure.Graph
	direction store.Direction // in which relationships lead along a path
	types     []store.Token   // of the part that the algorithm ran on; none: all
	weight    *store.Token    // nil: all weigh the same
	known     map[[2]uint64]value.Value
	// drawn: relationships are those of a statement, which the graph need not have.
	drawn    bool
	heaviest bool
}

// mostKnown bounds the steps whose relationships are remembered: 100 bytes each, about.
const mostKnown = 1 << 18

// newWays makes paths of what a request has found in a graph.
func newWays(g procedure.Graph, r configured, directed bool) *ways {
	w := &ways{g: g, direction: store.Both, known: map[[2]uint64]value.Value{}, drawn: r.part.Drawn != nil}
	switch {
	case w.drawn: // it may lead against those of the graph
	case directed && r.part.Orientation == "reverse":
		w.direction = store.In
	case directed:
		w.direction = store.Out
	}
	for _, name := range r.part.Types {
		if typ, known := g.Type(name); known {
			w.types = append(w.types, typ)
		}
	}
	name, given := r.Params["weight"]
	if !given {
		name = "weight"
	}
	if key, known := g.Key(name); known {
		w.weight = &key
	}
	return w
}

// through is the path through nodes; null, where a statement has drawn up one that the graph does not have.
func (w *ways) through(nodes []uint64) (value.Value, error) {
	path := &value.PathContent{Nodes: listOf(nodes, value.OfNodeID)}
	for i := range len(nodes) - 1 {
		step := [2]uint64{nodes[i], nodes[i+1]}
		relationship, known := w.known[step]
		if !known {
			var err error
			if relationship, err = w.lightest(step); err != nil {
				return value.Value{}, err
			}
			if len(w.known) >= mostKnown {
				clear(w.known)
			}
			w.known[step] = relationship
		}
		if relationship.IsNull() {
			return relationship, nil
		}
		path.Relationships = append(path.Relationships, relationship)
	}
	return value.OfPath(path), nil
}

// lightest is the lightest relationship from one node to another, or the heaviest, of parallel ones the first. It looks
// at all of the first one's.
func (w *ways) lightest(step [2]uint64) (best value.Value, err error) {
	least, sign := math.Inf(1), 1.0
	if w.heaviest {
		sign = -1
	}
	expanded := w.g.Expand(step[0], w.direction, w.types, func(relationship, other uint64) bool {
		if other != step[1] {
			return true
		}
		var weight float64
		if weight, err = w.weightOf(relationship); err == nil && (best.IsNull() || sign*weight < least) {
			best, least = value.OfRelationshipID(relationship), sign*weight
		}
		return err == nil && w.weight != nil
	})
	switch {
	case err != nil:
		return best, err
	case expanded != nil:
		return best, expanded
	case best.IsNull() && !w.drawn:
		return best, fmt.Errorf("there is no relationship from node %d to node %d, which a path goes through", step[0], step[1])
	}
	return best, nil
}

// weightOf is +Inf where a relationship has none.
func (w *ways) weightOf(relationship uint64) (float64, error) {
	if w.weight == nil {
		return 0, nil
	}
	v, err := w.g.RelationshipProperty(relationship, *w.weight)
	if err != nil {
		return 0, err
	}
	switch v.Kind() {
	case value.Int:
		return float64(v.Int()), nil
	case value.Float:
		return v.Float(), nil
	}
	return math.Inf(1), nil
}
