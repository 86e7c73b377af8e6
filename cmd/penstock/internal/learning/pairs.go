package learning

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/instance"
)

// askPairs is predict --pairs.
func (c *Predict) askPairs(ctx context.Context, a *app.App, model string) error {
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		m, err := db.Models().Get(model)
		if err != nil {
			return err
		}
		source, err := instance.OpenPairs(ctx, db, c.on.graph, c.pairs)
		if err != nil {
			return err
		}
		defer source.Close()
		p, err := instance.PredictPairs(ctx, db, c.on.graph, m, source, c.on.on())
		if err != nil {
			return err
		}
		if err := p.WriteFile(ctx, c.file); err != nil {
			return err
		}
		if a.JSON {
			return a.PrintJSON(struct {
				Model string `json:"model"`
				File  string `json:"file"`
				Pairs int    `json:"pairs"`
				Unmet int    `json:"unmet_pairs"`
				host.TrainReport
			}{m.Name, c.file, len(p.Values), p.Unmet, p.Report})
		}
		if p.Unmet > 0 {
			fmt.Fprintf(a.Err, "penstock: %s of the pairs have an end that graph %s does not have: of these it is the mean, and the "+
				"bias of the other end\n", terminal.Count(uint64(p.Unmet)), p.Report.Graph)
		}
		fmt.Fprintf(a.Out, "%s on %s, %s: %s pairs in %s, at most %s on the device\nwrote %s\n", m.Name, p.Report.Graph,
			p.Report.Device, terminal.Count(uint64(len(p.Values))), terminal.Seconds(p.Report.Seconds.Total),
			terminal.Bytes(p.Report.Peak), c.file)
		return nil
	})
}
