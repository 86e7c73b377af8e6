package learning

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/formats/result"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/internal/pages"
)

// Predict is penstock predict.
type Predict struct {
	on         deviceFlags
	part       app.Part
	embedding  bool
	property   string
	file       string
	pairs      string
	top        int
	recommends func() bool // top is given
	condition  string
}

func (c *Predict) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "predict MODEL",
		Short: "Ask a trained model about every vertex of a graph",
		Long: `Ask a model of the database about every vertex of a graph: the one it was trained on, as it is
now, or another whose features are of the same width. A model of a part of a graph is asked about
the same part, unless --labels, --types or --orientation say another. Of classes it says the most probable
one and its probability; else numbers. --embedding gives the vectors that the layer before the
last makes of the vertices.

A model that was trained with --edge-label or --links says something of pairs of vertices:
--pairs names a file of them, an edge list or a CSV file with source and target, as load reads
it. They need not be edges of the graph; of a bipartite graph a file has its own ids. --write
stores what it says of every edge, as a property of edges.
--recommend N finds for each vertex that an edge leads from, or with --for for those that meet a
condition, the N vertices of the highest values that it has no edge to: all are looked at.`,
		Example: `  penstock predict --db ./db --graph cora topics --write predicted
  penstock predict --db ./db --graph cora topics --out predictions.csv
  penstock predict --db ./db --graph cora topics --embedding --write vector
  penstock predict --db ./db --graph ratings tastes --pairs asked.csv --out said.csv
  penstock predict --db ./db --graph ratings tastes --write expected
  penstock predict --db ./db --graph ratings tastes --recommend 10 --for 'u.id = 5'`,
		Args: cobra.ExactArgs(1),
	}
	c.on.add(cmd)
	c.part.Add(cmd)
	flags := cmd.Flags()
	c.recommends = func() bool { return flags.Changed("recommend") }
	flags.BoolVar(&c.embedding, "embedding", false, "the vectors of the layer before the last")
	flags.StringVar(&c.file, "out", "", "write one row per vertex to `file` ("+strings.Join(result.Endings(), ", ")+")")
	flags.StringVar(&c.pairs, "pairs", "", "ask about the pairs of vertices in a `file`; with --out")
	flags.IntVar(&c.top, "recommend", 0, "find the `N` vertices of the highest values for each vertex")
	flags.StringVar(&c.condition, "for", "", "with --recommend: for vertices u that meet an openCypher `condition`")
	app.GoesWith(cmd, "for", "recommend")
	flags.StringVar(&c.property, "write", "", "store the class as a node `property`, and its probability as "+
		"PROPERTY_probability; or numbers; what is said of edges, as a property of these")
	return cmd
}

// check refuses what contradicts itself.
func (c *Predict) check() error {
	switch {
	case (c.top > 0 || c.pairs != "") && c.part.Given():
		return ofAll("--recommend and --pairs ask")
	case c.top < 1 && c.recommends():
		return cli.UsageError{Err: fmt.Errorf("--recommend %d: for each vertex there is at least 1 to find", c.top)}
	case c.top > 0 && (c.pairs != "" || c.embedding || c.property != ""):
		return cli.UsageError{Err: fmt.Errorf("--recommend goes with --out and --for alone")}
	case c.file == "" && c.top > 0:
		return nil
	case c.file == "" && c.property == "":
		return cli.UsageError{Err: fmt.Errorf("where to? give --write PROPERTY, --out FILE, or both")}
	case c.pairs != "" && (c.embedding || c.property != ""):
		return cli.UsageError{Err: fmt.Errorf("--pairs goes with --out, and neither with --write nor with --embedding")}
	case c.file == "":
		return nil
	}
	if err := result.Check(c.file); err != nil {
		return cli.UsageError{Err: err}
	}
	return nil
}

// ofAll refuses a part of a graph.
func ofAll(what string) error {
	return cli.UsageError{Err: fmt.Errorf("%s about all of a graph: leave out --labels, --types and --orientation", what)}
}

func (c *Predict) Run(ctx context.Context, a *app.App, args []string) error {
	if err := c.check(); err != nil {
		return err
	}
	pages.BoundHeap()
	if c.pairs != "" {
		return c.askPairs(ctx, a, args[0])
	}
	if c.top > 0 {
		return c.recommend(ctx, a, args[0])
	}
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		m, err := db.Models().Get(args[0])
		if err != nil {
			return err
		}
		if m.Schema.Task.OfPairs() && !c.embedding && c.property != "" && c.file == "" {
			if c.part.Given() {
				return ofAll("--write asks a model of edges")
			}
			return c.writeEdges(ctx, a, db, m)
		}
		of := instance.PartOf(m)
		if c.part.Given() {
			of = c.part.Projection()
		}
		p, err := db.On(c.on.graph, of).Predict(ctx, m, c.embedding, c.on.on())
		if err != nil {
			return err
		}
		defer p.Close()
		written := uint64(0)
		if c.file != "" {
			if err := p.WriteFile(ctx, c.file); err != nil {
				return err
			}
		}
		if c.property != "" {
			m, err := p.Write(ctx, c.property)
			if err != nil {
				return err
			}
			written = m.ID
		}
		if a.JSON {
			return a.PrintJSON(struct {
				Model    string `json:"model"`
				File     string `json:"file,omitempty"`
				Property string `json:"property,omitempty"`
				Written  uint64 `json:"written_snapshot,omitempty"`
				host.TrainReport
			}{m.Name, c.file, c.property, written, p.Report})
		}
		fmt.Fprintf(a.Out, "%s on %s, %s: %s, of which at most %s on the device\n", m.Name, p.Report.Graph, p.Report.Device,
			terminal.Seconds(p.Report.Seconds.Total), terminal.Bytes(p.Report.Peak))
		if c.file != "" {
			fmt.Fprintf(a.Out, "wrote %s\n", c.file)
		}
		if c.property != "" {
			fmt.Fprintf(a.Out, "wrote property %s, snapshot %d\n", c.property, written)
		}
		return nil
	})
}
