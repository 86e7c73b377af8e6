package learning

import (
	"context"
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/instance"
)

// recommend is predict --recommend.
func (c *Predict) recommend(ctx context.Context, a *app.App, model string) error {
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		m, err := db.Models().Get(model)
		if err != nil {
			return err
		}
		r, err := instance.Recommend(ctx, db, c.on.graph, m, instance.RecommendRequest{Top: c.top, For: c.condition,
			On: c.on.on()})
		if err != nil {
			return err
		}
		if c.file != "" {
			if err := r.WriteFile(ctx, c.file); err != nil {
				return err
			}
		}
		if a.JSON {
			return a.PrintJSON(recommendations(r, m.Name, c.file))
		}
		if c.file == "" {
			t := terminal.NewTable(a.Out, "node", "item", "score")
			for i, score := range r.Scores {
				t.AppendRow(table.Row{r.Vertices.Text(i), r.Items.Text(i), fmt.Sprintf("%.6g", score)})
			}
			t.Render()
			return nil
		}
		fmt.Fprintf(a.Out, "%s on %s, %s: %s suggestions in %s, at most %s on the device\nwrote %s\n", m.Name, r.Report.Graph,
			r.Report.Device, terminal.Count(uint64(len(r.Scores))), terminal.Seconds(r.Report.Seconds.Total),
			terminal.Bytes(r.Report.Peak), c.file)
		return nil
	})
}

// recommendations is what --json says. Suggestions are in the file, where there is one.
func recommendations(r *instance.Recommendations, model, file string) any {
	type suggestion struct {
		Node  string  `json:"node"`
		Item  string  `json:"item"`
		Score float64 `json:"score"`
	}
	var all []suggestion
	for i := range r.Scores {
		if file == "" {
			all = append(all, suggestion{r.Vertices.Text(i), r.Items.Text(i), r.Scores[i]})
		}
	}
	return struct {
		Model       string       `json:"model"`
		File        string       `json:"file,omitempty"`
		Count       int          `json:"count"`
		Suggestions []suggestion `json:"suggestions,omitempty"`
		host.TrainReport
	}{model, file, len(r.Scores), all, r.Report}
}
