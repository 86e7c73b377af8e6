package algorithm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// searches are procedures that have the relationships of a projection in memory.
type searches struct{ *projections }

// searched reads what a search is given: where it begins, and, by set, entries of its own. Keys are in lower case.
func (s searches) searched(graph, name string, arguments []value.Value, own []string,
	set func(key string, e value.Entry) error) (of store.Projection, source nodeNumber, err error) {
	given := false
	by, err := settings(name, arguments[1], append([]string{"sourceNode"}, own...),
		func(key string, e value.Entry) (err error) {
			if key != "sourcenode" {
				return set(key, e)
			}
			given = true
			source, err = numberedBy(e.Key, e.Value)
			return err
		})
	if err == nil && !given {
		err = fault.Met(fault.ArgumentError, "InvalidArgumentValue",
			"%s: parameter sourceNode: is missing: the node to begin at", name)
	}
	if err != nil {
		return of, source, err
	}
	of, err = s.narrowed(graph, arguments[0].Str(), by)
	return of, source, err
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
	others  []uint32
	weights []float64 // of relationships, in the order of others; nil: each weighs 1
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

// needed is the memory that a search takes, about: the bytes of a node, and of a relationship.
type needed struct {
	name               string
	node, relationship int64
	instead            string // what can be done where that is too much
}

func (n needed) bytes(m *store.Manifest) int64 {
	return n.node*int64(m.Vertices) + n.relationship*relationshipCount(m.Edges, m.Directed).Int()
}

// network reads a projection, with a property as the weights of relationships; "": with none. It fails where searching
// would take more memory than projections may.
func (s searches) network(ctx context.Context, g procedure.Graph, of store.Projection, weight string,
	needs needed) (*network, error) {
	m, err := s.runner.Describe(ctx, g.Name(), of)
	if err != nil {
		return nil, err
	}
	if err := mayTake(needs.name, needs.bytes(m), "search a smaller projection, or "+needs.instead); err != nil {
		return nil, err
	}
	n := &network{}
	if err := s.runner.Nodes(ctx, g.Name(), of, func(node uint64) error {
		for uint64(len(n.known)) <= node {
			n.known = append(n.known, false)
		}
		n.known[node] = true
		return nil
	}); err != nil {
		return nil, err
	}
	each := func(property string, yield func(from, to uint64, v value.Value) error) error {
		return s.runner.Relationships(ctx, g.Name(), of, property, func(from, to uint64, _ string, v value.Value) error {
			return yield(from, to, v)
		})
	}
	n.offsets = make([]uint32, len(n.known)+1)
	if err := each("", func(from, _ uint64, _ value.Value) error { n.offsets[from+1]++; return nil }); err != nil {
		return nil, err
	}
	for i := range n.known {
		n.offsets[i+1] += n.offsets[i]
	}
	n.others = make([]uint32, n.offsets[len(n.known)])
	if weight != "" {
		n.weights = make([]float64, len(n.others))
	}
	ends := slices.Clone(n.offsets)
	return n, each(weight, func(from, to uint64, v value.Value) (err error) {
		at := ends[from]
		ends[from]++
		if n.others[at] = uint32(to); weight != "" {
			if n.weights[at], err = weighed(v); err != nil {
				err = fmt.Errorf("relationship property %s, from node %d to node %d: %w", weight, from, to, err)
			}
		}
		return err
	})
}

func weighed(v value.Value) (float64, error) {
	if v.IsNull() {
		return 0, errors.New("expected a finite number, and there is none: name a property that every relationship has, " +
			"or relationshipTypes that have it")
	}
	if !v.IsNumber() || math.IsNaN(v.Number()) || math.IsInf(v.Number(), 0) {
		return 0, errors.New("expected a finite number")
	}
	return v.Number(), nil
}

// sort has the nodes of each list ascend. Weights stay where they are.
func (n *network) sort() {
	for i := range n.known {
		slices.Sort(n.others[n.offsets[i]:n.offsets[i+1]])
	}
}

func (n *network) list(node uint32) []uint32 { return n.others[n.offsets[node]:n.offsets[node+1]] }

// weight is that of a relationship, by its place.
func (n *network) weight(at uint32) float64 {
	if n.weights == nil {
		return 1
	}
	return n.weights[at]
}

// estimateSearch tells what a search takes.
func (s searches) estimateSearch(ctx context.Context, g procedure.Graph, of store.Projection, needs needed,
	yield func([]value.Value) error) error {
	m, err := s.runner.Describe(ctx, g.Name(), of)
	if err != nil {
		return failed(err)
	}
	return yield(estimated(m, needs.bytes(m)))
}
