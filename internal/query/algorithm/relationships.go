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

// links creates relationships of a type, in the statement's transaction.
type links struct {
	writer
	typ     store.Token
	written int64
}

// newLinks fails where the transaction only reads, or no type is given.
func newLinks(g procedure.Graph, typ string) (*links, error) {
	w, ok := g.(writer)
	switch {
	case !ok:
		return nil, onlyReads()
	case typ == "":
		return nil, missing("writeRelationshipType")
	}
	return &links{writer: w, typ: w.NewType(typ)}, nil
}

func (l *links) create(from, to uint64, properties ...value.Entry) error {
	rel, err := l.CreateRelationship(from, to, l.typ)
	for _, e := range properties {
		if err == nil {
			err = l.SetRelationshipProperty(rel, l.NewKey(e.Key), e.Value)
		}
	}
	l.written++
	return err
}

// path creates the relationship of a path.
func (l *links) path(nodes []uint64, costs []float64) error {
	last := len(nodes) - 1
	return l.create(nodes[0], nodes[last], value.Entry{Key: "totalCost", Value: value.OfFloat(costs[last])},
		value.Entry{Key: "nodeIds", Value: value.OfList(numbersOf(nodes))},
		value.Entry{Key: "costs", Value: value.OfList(listOf(costs, value.OfFloat))})
}

// linker keeps what an algorithm finds as relationships: in the graph, or in a projection.
type linker struct{ call }

// write creates a relationship of each pair, which has its score, of each path, which has its nodes and costs, or of a
// tree, which has its weight.
func (c linker) write(ctx context.Context, g procedure.Graph, request configured,
	yield func([]value.Value) error) error {
	links, err := newLinks(g, request.relationship)
	if err != nil {
		return err
	}
	if request.writeProperty == "" && !c.paths() {
		return missing("writeProperty")
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
	err = c.each(ctx, result, func(from, to uint64, score float64) error {
		return links.create(from, to, value.Entry{Key: request.writeProperty, Value: value.OfFloat(score)})
	}, links.path)
	if err != nil {
		return err
	}
	return yield(append(valuesOf(ctx, c.sums(), result, request), value.OfFloat(time.Since(began).Seconds()*1e3),
		value.OfInt(links.written)))
}

// each goes over the relationships that a result is: of pairs and trees each has a score, paths are what they are.
func (c linker) each(ctx context.Context, result Result, scored func(from, to uint64, score float64) error,
	path func(nodes []uint64, costs []float64) error) error {
	if t, is := result.(tree); is {
		return t.links(scored)
	}
	if c.paths() {
		return result.Paths(ctx, path)
	}
	return result.Pairs(ctx, scored)
}

// onlyReads refuses a call that writes.
func onlyReads() error {
	return fault.Met(fault.AccessMode, "WriteInReadTransaction", "the transaction only reads: begin one that writes")
}

func missing(name string) error {
	return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "the configuration lacks %s: {%[1]s: 'NAME'}", name)
}
