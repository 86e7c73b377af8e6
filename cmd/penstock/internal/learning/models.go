package learning

import (
	"context"
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
)

// Models is penstock models.
type Models struct{}

func (*Models) Describe() *cobra.Command {
	return &cobra.Command{Use: "models", Short: "List the models of the database", Args: cobra.NoArgs}
}

func (*Models) Run(_ context.Context, a *app.App, _ []string) error {
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		all, err := db.Models().All()
		if err != nil {
			return err
		}
		if a.JSON {
			return a.PrintJSON(all)
		}
		t := terminal.NewTable(a.Out, "model", "architecture", "graph", "says", "of", "test", "trained")
		for _, m := range all {
			t.AppendRow(table.Row{m.Name, m.Architecture.Name, m.Graph, m.Label, m.Features.Property, testScore(m),
				m.Created.Format("2006-01-02 15:04")})
		}
		t.Render()
		return nil
	})
}

// testScore is how the model did in the test, or else in training.
func testScore(m *trained.Model) string {
	for _, part := range []string{"test", "validation", "train"} {
		if s, has := m.Scores[part]; has {
			return score(&s)
		}
	}
	return ""
}

// score is the score of a task, as people read it.
func score(s *host.Scores) string {
	switch {
	case s == nil:
		return ""
	case s.Percentile != nil:
		return "percentile " + percent(s.Percentile)
	case s.Perplexity != nil:
		return fmt.Sprintf("perplexity %.1f", *s.Perplexity)
	case s.AUC != nil:
		return fmt.Sprintf("AUC %.4f", *s.AUC)
	case s.RMSE != nil:
		return fmt.Sprintf("RMSE %.4g", *s.RMSE)
	}
	if s.Accuracy == nil {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100**s.Accuracy)
}

// ModelGroup is penstock model, and the commands below it.
func ModelGroup() app.Command {
	return cli.Group[*app.App]{
		Help:  &cobra.Command{Use: "model", Short: "Look at a model of the database, take it out, or remove it"},
		Below: []app.Command{&info{}, &export{}, &importModel{}, &drop{}},
	}
}

// info is penstock model info.
type info struct{}

func (*info) Describe() *cobra.Command {
	return &cobra.Command{Use: "info NAME", Short: "Say what a model is and what it was trained on", Args: cobra.ExactArgs(1)}
}

func (*info) Run(_ context.Context, a *app.App, args []string) error {
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		m, err := db.Models().Get(args[0])
		if err != nil {
			return err
		}
		if a.JSON {
			return a.PrintJSON(m)
		}
		return printModel(a.Out, m)
	})
}

// trainedOn is the graph, and which part of it.
func trainedOn(m *trained.Model) string {
	on := fmt.Sprintf("%s, snapshot %d", m.Graph, m.Snapshot)
	if of := instance.PartOf(m); !of.All() {
		on += ", " + of.String()
	}
	return on
}

func printModel(w io.Writer, m *trained.Model) error {
	t := terminal.NewTable(w)
	features := fmt.Sprintf("%s: %d numbers", m.Features.Property, m.Schema.Features)
	if m.Features.Normalize {
		features += ", rows normalized"
	}
	t.AppendRows([]table.Row{
		{"features", features}, {"learned", fmt.Sprintf("%s: %v", m.Label, m.Schema.Task)},
	})
	created := m.Created.Format("2006-01-02 15:04:05")
	if m.Elsewhere() {
		t.AppendRow(table.Row{"brought in", created + ", trained elsewhere"})
	} else {
		t.AppendRows([]table.Row{
			{"trained on", trainedOn(m)}, {"split", m.Split}, {"seed", m.Seed},
			{"epochs", fmt.Sprintf("%d, the best of which is %d", m.Epochs, m.Best)},
			{"device", fmt.Sprintf("%s %s, sha256 %.12s…", m.Device, m.Version, m.SHA256)}, {"trained", created},
		})
	}
	t.Render()
	fmt.Fprintln(w)
	printScores(w, m)
	fmt.Fprintln(w)
	p := terminal.NewTable(w, "parameter", "shape")
	for _, each := range m.Parameters {
		p.AppendRow(table.Row{each.Name, fmt.Sprintf("%d × %d", each.Rows, each.Width)})
	}
	p.Render()
	text, err := yaml.Marshal(m.Architecture)
	fmt.Fprintf(w, "\n%s", text)
	return err
}

// printScores draws how a model does on the parts of a split.
func printScores(w io.Writer, m *trained.Model) {
	if m.Schema.Task.OfPairs() {
		printPairScores(w, m)
		return
	}
	if m.Schema.Task == neural.Topics {
		printTopicScores(w, m)
		return
	}
	t := terminal.NewTable(w, "split", "vertices", "loss", "score", "F1")
	for _, part := range []string{"train", "validation", "test"} {
		s, has := m.Scores[part]
		if !has {
			continue
		}
		f1 := ""
		if s.F1 != nil {
			f1 = fmt.Sprintf("%.3f", *s.F1)
		}
		t.AppendRow(table.Row{part, s.Vertices, fmt.Sprintf("%.4g", s.Loss), score(&s), f1})
	}
	t.Render()
}

// printTopicScores draws how well topics foretell the words of documents.
func printTopicScores(w io.Writer, m *trained.Model) {
	t := terminal.NewTable(w, "split", "documents", "loss", "perplexity")
	for _, part := range []string{"train", "validation", "test"} {
		if s, has := m.Scores[part]; has {
			t.AppendRow(table.Row{part, s.Vertices, fmt.Sprintf("%.4g", s.Loss), fmt.Sprintf("%.1f", *s.Perplexity)})
		}
	}
	t.Render()
}

// drop is penstock model drop.
type drop struct{}

func (*drop) Describe() *cobra.Command {
	return &cobra.Command{Use: "drop NAME", Short: "Remove a model", Args: cobra.ExactArgs(1)}
}

func (*drop) Run(_ context.Context, a *app.App, args []string) error {
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		if err := db.Models().Drop(args[0]); err != nil {
			return err
		}
		if a.JSON {
			return a.PrintJSON(map[string]string{"dropped": args[0]})
		}
		fmt.Fprintf(a.Out, "dropped %s\n", args[0])
		return nil
	})
}
