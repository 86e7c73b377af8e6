package backups

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/backup"
)

// info is penstock backup info.
type info struct {
	graphs  []string
	commits bool
}

func (c *info) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "info OUT",
		Short: "Tell what a backup and those before it have, and what can be restored",
		Long: `Tell what a backup and those before it have. 'penstock restore --at TIME' can go back to any
instant of the times listed, and 'penstock restore --at GRAPH@N' to any commit of the backup that is
restored, which --commits lists. Checksums are checked by 'penstock backup verify'.`,
		Args: cobra.ExactArgs(1),
	}
	cmd.Flags().StringArrayVar(&c.graphs, "graph", nil, "tell of this `graph` only; may be repeated")
	cmd.Flags().BoolVar(&c.commits, "commits", false, "list the commits, with the time of each")
	return cmd
}

func (c *info) Run(ctx context.Context, a *app.App, args []string) error {
	return withChain(args[0], func(chain backup.Chain) (err error) {
		if len(c.graphs) > 0 {
			if chain, err = chain.Only(c.graphs...); err != nil {
				return err
			}
		}
		if c.commits {
			return printCommits(ctx, a, chain)
		}
		return printChain(a, chain)
	})
}

func printChain(a *app.App, chain backup.Chain) error {
	windows := chain.Windows()
	if a.JSON {
		type restorable struct {
			summary
			Restorable backup.Window `json:"restorable"`
		}
		var all []restorable
		for i, f := range chain {
			all = append(all, restorable{summarize(f), windows[i]})
		}
		return a.PrintJSON(map[string]any{"backups": all})
	}
	t := terminal.NewTable(a.Out, "backup", "graph", "snapshot", "published", "commits", "in the file")
	for _, f := range chain {
		for _, g := range f.Graphs() {
			t.AppendRow([]any{f.Path, g.Manifest.Graph, g.Manifest.ID, g.Manifest.Created.Format(time.RFC3339Nano), g.Commits,
				g.Held})
		}
	}
	t.Render()
	fmt.Fprintln(a.Out, "restore --at TIME, from and until:")
	for _, w := range windows {
		fmt.Fprintf(a.Out, "  %s  %s\n", w.From.Format(time.RFC3339Nano), w.Until.Format(time.RFC3339Nano))
	}
	return nil
}

// printCommits lists the commits that a backup shows as --at takes them.
func printCommits(ctx context.Context, a *app.App, chain backup.Chain) error {
	if !a.JSON {
		return chain.Commits(ctx, func(graph string, number uint64, at time.Time) error {
			when := "by a penstock that noted no time"
			if !at.IsZero() {
				when = at.Format(time.RFC3339Nano)
			}
			_, err := fmt.Fprintf(a.Out, "%s@%d  %s\n", graph, number, when)
			return err
		})
	}
	type commit struct {
		Graph  string    `json:"graph"`
		Commit uint64    `json:"commit"`
		Time   time.Time `json:"time,omitzero"`
	}
	all := []commit{}
	err := chain.Commits(ctx, func(graph string, number uint64, at time.Time) error {
		all = append(all, commit{graph, number, at})
		return nil
	})
	if err != nil {
		return err
	}
	return a.PrintJSON(map[string]any{"commits": all})
}
