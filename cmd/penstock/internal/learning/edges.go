package learning

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/instance"
)

// writeEdges is predict --write of a model of edges.
func (c *Predict) writeEdges(ctx context.Context, a *app.App, db *instance.DB, model *trained.Model) error {
	p, err := instance.PredictEdges(ctx, db, c.on.graph, model, c.on.on())
	if err != nil {
		return err
	}
	defer p.Close()
	m, err := p.Write(ctx, c.property)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(struct {
			Model    string `json:"model"`
			Property string `json:"property"`
			Edges    uint64 `json:"edges"`
			Written  uint64 `json:"written_snapshot"`
			host.TrainReport
		}{model.Name, c.property, p.Edges(), m.ID, p.Report})
	}
	fmt.Fprintf(a.Out, "%s on %s, %s: %s edges in %s, at most %s on the device\nwrote edge property %s, snapshot %d\n",
		model.Name, p.Report.Graph, p.Report.Device, terminal.Count(p.Edges()), terminal.Seconds(p.Report.Seconds.Total),
		terminal.Bytes(p.Report.Peak), c.property, m.ID)
	return nil
}
