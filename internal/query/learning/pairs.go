package learning

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// Pair is two nodes, by what statements know them by.
type Pair struct{ Source, Target uint64 }

// Answers are what a model says of pairs, in their order.
type Answers struct {
	Topology uint64    // of the snapshot that it was asked about
	Values   []float64 // of edges; of links, how probable they are
	Links    bool
}

var saidOfPairs = []procedure.Field{field("source", "NODE"), field("target", "NODE"), field("value", "FLOAT"),
	nullable("probability", "FLOAT")}

// pairs gives out pairs of nodes with what a model says of them. Of links the value is the probability.
func (c call) pairs(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	var s settings
	if err := s.read("ml.predict.pairs", arguments[2], deviceKeys); err != nil {
		return err
	}
	pairs, err := pairsOf(arguments[1])
	if err != nil {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "ml.predict.pairs: %s", err)
	}
	said, err := c.runner.PredictPairs(ctx, g.Name(), arguments[0].Str(), pairs, c.on(s))
	if err != nil {
		return err
	}
	if said.Topology != g.Topology() {
		return changed(g)
	}
	row := make([]value.Value, len(saidOfPairs))
	for i, p := range pairs {
		row[0], row[1], row[2] = value.OfNodeID(p.Source), value.OfNodeID(p.Target), value.OfFloat(said.Values[i])
		if row[3] = (value.Value{}); said.Links {
			row[3] = row[2]
		}
		if err := yield(row); err != nil {
			return err
		}
	}
	return nil
}

// Written is what was kept of the edges of a graph.
type Written struct {
	Edges  uint64
	Report host.TrainReport
}

// writeEdges keeps what a model of edges says as a property of relationships.
func (c call) writeEdges(ctx context.Context, g procedure.Graph, model string, s settings,
	yield func([]value.Value) error) error {
	w, err := c.runner.WriteEdges(ctx, g.Name(), model, s.writeProperty, g.Topology(), c.on(s))
	if err != nil {
		return err
	}
	return yield([]value.Value{value.OfInt(0), value.OfInt(int64(w.Edges)), value.OfFloat(w.Report.Seconds.Total * 1e3),
		value.OfInt(int64(w.Report.Peak))})
}

// pairsOf reads a list of lists of two nodes each.
func pairsOf(list value.Value) ([]Pair, error) {
	if list.Kind() != value.List {
		return nil, fmt.Errorf("pairs are a list of lists of two nodes each, as collect([a, b]) makes it, not a %s", list.Kind())
	}
	pairs := make([]Pair, len(list.List()))
	for i, each := range list.List() {
		if each.Kind() != value.List || len(each.List()) != 2 {
			return nil, fmt.Errorf("pair %d is no list of two nodes", i+1)
		}
		for end, to := range []*uint64{&pairs[i].Source, &pairs[i].Target} {
			node := each.List()[end]
			if node.Kind() != value.Node {
				return nil, fmt.Errorf("pair %d has a %s, which is no node", i+1, node.Kind())
			}
			*to = node.ID()
		}
	}
	return pairs, nil
}

// changed says that a graph is no longer as the statement sees it.
func changed(g procedure.Graph) error {
	return fault.Met(fault.Conflict, "Conflict", "graph %s was changed since the statement began: try again", g.Name())
}
