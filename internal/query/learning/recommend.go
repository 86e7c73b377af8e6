package learning

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// Suggestions are nodes that a model says most of together with others, the best first, node by node.
type Suggestions struct {
	Topology     uint64 // of the snapshot that it was asked about
	Nodes, Items []uint64
	Scores       []float64
}

var recommended = []procedure.Field{field("node", "NODE"), field("item", "NODE"), field("score", "FLOAT")}

// recommend gives out nodes with what a model recommends to them.
func (c call) recommend(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	s := settings{top: host.DefaultTop}
	if err := s.read("ml.recommend", arguments[1], recommendKeys); err != nil {
		return err
	}
	found, err := c.runner.Recommend(ctx, g.Name(), arguments[0].Str(), s.nodes, s.top, c.on(s))
	if err != nil {
		return err
	}
	if found.Topology != g.Topology() {
		return changed(g)
	}
	row := make([]value.Value, len(recommended))
	for i, score := range found.Scores {
		row[0], row[1], row[2] = value.OfNodeID(found.Nodes[i]), value.OfNodeID(found.Items[i]), value.OfFloat(score)
		if err := yield(row); err != nil {
			return err
		}
	}
	return nil
}
