package learning

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/internal/pages"
)

// megaProgram is penstock train NAME, of one.
type megaProgram struct {
	name, short, long, example string
	on                         deviceFlags
	keeping                    keeping
	request                    host.Learning
	trace                      string
	explain                    bool
}

func (c *megaProgram) Describe() *cobra.Command {
	cmd := &cobra.Command{Use: c.name, Short: c.short, Long: c.long, Example: c.example, Args: cobra.NoArgs}
	c.request, _ = host.NewLearning(c.name)
	c.on.add(cmd)
	for _, s := range c.request.Settings() {
		addFlag(cmd.Flags(), s)
	}
	cmd.Flags().StringVar(&c.trace, "trace", "",
		"write a timeline of clocks by worker to a `file`, for chrome://tracing or ui.perfetto.dev")
	cmd.Flags().BoolVar(&c.explain, "explain", false,
		"say how it would go, and train nothing: vertices, stages, clocks, the partition, and what travels and what is held "+
			"by each worker")
	c.keeping.add(cmd)
	for _, other := range []string{"save", "trace"} {
		cmd.MarkFlagsMutuallyExclusive("explain", other)
	}
	return cmd
}

// addFlag adds what sets a setting.
func addFlag(flags *pflag.FlagSet, s host.Setting) {
	switch value := s.Value.(type) {
	case *int:
		flags.IntVar(value, s.Name, *value, s.Usage)
	case *uint64:
		flags.Uint64Var(value, s.Name, *value, s.Usage)
	case *float64:
		flags.Float64Var(value, s.Name, *value, s.Usage)
	case *string:
		flags.StringVar(value, s.Name, *value, s.Usage)
	case *bool:
		flags.BoolVar(value, s.Name, *value, s.Usage)
	case *time.Duration:
		flags.DurationVar(value, s.Name, *value, s.Usage)
	case pflag.Value:
		flags.Var(value, s.Name, s.Usage)
	}
}

// Run trains, with a bar, keeps the model and tells of it.
func (c *megaProgram) Run(ctx context.Context, a *app.App, _ []string) error {
	if err := c.keeping.check(); err != nil {
		return err
	}
	o := c.request.Options()
	o.On, o.Trace = c.on.on(), c.trace != ""
	pages.BoundHeap()
	if c.explain {
		return c.explained(ctx, a)
	}
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		learned, err := db.Models().Keep(c.keeping.save, c.keeping.replace, func() (*host.Trained, error) {
			bar := terminal.StartProgress(a.Err, "train")
			defer bar.Done()
			return instance.Learn(ctx, db, c.on.graph, c.request, host.TrainEvents{Trained: func(e host.TrainingEpoch) {
				bar.Set(int64(e.Number), int64(o.Epochs))
			}, Noticed: func(err error) { bar.Say("penstock: " + err.Error()) }})
		})
		if err != nil {
			return err
		}
		workers := learned.Report.Learner.Workers
		if c.trace != "" {
			if err := cli.WriteFile(c.trace, func(w io.Writer) error {
				return writeTrace(w, c.name+" on "+c.on.graph, workers)
			}); err != nil {
				return err
			}
		}
		if a.JSON {
			return a.PrintJSON(summary(learned, c.keeping.save))
		}
		printTrained(a.Out, learned)
		c.keeping.tell(a.Out)
		if c.trace != "" {
			fmt.Fprintf(a.Out, "wrote %s%s\n", c.trace, untraced(workers))
		}
		return nil
	})
}
