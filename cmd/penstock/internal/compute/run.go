// Package compute has the commands that compute on graphs, or say what that would take.
package compute

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/formats/result"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/instance"
)

// Run is penstock run.
type Run struct {
	request requestFlags
	to      outputs
	log     string
	flags   *pflag.FlagSet
}

func (c *Run) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run ALGORITHM",
		Short: "Compute on a graph in a device plugin",
		Long: `Compute on a graph's current snapshot, in a device plugin's process. The result is shown
(--top), written to a file (--out) or written back as a node property (--write).
'penstock algorithms' lists what there is. Instead of an algorithm give your own vertex
program in CEL: --process, --reduce and --init, and --apply where the default, combining
the old value with what arrives, is not what you want.

--labels, --types and --orientation have it compute on a part of the graph, as if there were
nothing else. The part is stored for the run, which takes about as long as to load it. --write
leaves other nodes what an earlier run has written to them under the same name.`,
		Example: `  penstock run --db ./db --graph votes pagerank --top 10
  penstock run --db ./db --graph votes bfs --param source=30 --out depth.csv
  penstock run --db ./db --graph votes bfs --sources 30,7,12 --out depths.csv
  penstock run --db ./db --graph votes pagerank --write rank
  penstock run --db ./db --graph air --labels airport --types route --orientation undirected louvain
  penstock run --db ./db --graph air --process 'src.dist + edge.weight' --reduce min \
      --init 'id == source ? 0.0 : inf' --param source=3`,
		Args: cobra.MaximumNArgs(1),
	}
	c.request.add(cmd)
	flags := cmd.Flags()
	c.flags = flags
	flags.StringVar(&c.to.file, "out", "", "write one row per vertex to `file` ("+strings.Join(result.Endings(), ", ")+")")
	flags.StringVar(&c.to.property, "write", "", "store the result as a node `property`")
	flags.StringVar(&c.log, "device-log", "", "write what devices write to standard error to `file`; - is your own standard error")
	flags.BoolVar(&c.to.accounting, "accounting", false,
		"say of each iteration which share of all edges was useful, would be so later, or never again")
	flags.BoolVar(
		&c.to.why, "explain", false, "say how the device was chosen, why the run was resident or streamed, why it did not go nearest first, what each of several devices did, how a dense core was chosen, and for each iteration by which rule its chunks were chosen and the time that was predicted (--json always does)")
	flags.IntVar(
		&c.to.top, "top", 0, "show the `n` largest values, or of ids and truths the first (10 when there is no other output)")
	return cmd
}

func (c *Run) Run(ctx context.Context, a *app.App, args []string) error {
	if err := c.to.check(c.flags); err != nil {
		return err
	}
	to := c.to
	if !a.JSON && to.file == "" && to.property == "" && !c.flags.Changed("top") {
		to.top = 10
	}
	expected := host.Expected{Device: c.request.onBuiltIn(), Digest: a.JSON || to.property != ""}
	return a.WithDBExpecting(instance.Options{MustExist: true}, expected, func(db *instance.DB) (failed error) {
		request, err := c.request.request(args)
		if err != nil {
			return err
		}
		request.Accounting, request.Property = to.accounting, to.property
		if c.log != "" {
			log, err := openDeviceLog(c.log, a.Err)
			if err != nil {
				return err
			}
			defer func() { failed = errors.Join(failed, log.Close()) }()
			request.Log = log
		}
		computed, err := compute(ctx, a, db, c.request, request)
		if err != nil {
			return err
		}
		defer computed.Close()
		done, err := to.deliver(ctx, computed)
		if err != nil {
			return err
		}
		return done.report(a)
	})
}

// compute runs the request, with a bar, and a timeline if there is to be one.
func compute(ctx context.Context, a *app.App, db *instance.DB, of requestFlags, request host.Request) (
	_ *instance.Result, err error) {
	bar := terminal.StartProgress(a.Err, "run")
	defer bar.Done()
	events := runEvents(bar)
	events.Noticed = func(err error) { bar.Say("penstock: " + err.Error()) }
	if file := a.Profiles.Timeline(); file != "" {
		t, err := newTimeline(file)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, t.close()) }()
		events.Spanned = t.add
	}
	return db.On(of.graph, of.part.Projection()).Run(ctx, request, events)
}

// runEvents moves a bar by bytes while uploading and by fraction while computing.
func runEvents(bar *terminal.Progress) host.Events {
	return host.Events{
		Uploaded: func(bytes, total uint64) { bar.Set(int64(bytes), int64(total)) },
		Progress: func(fraction float64) { bar.Set(int64(fraction*1000), 1000) },
	}
}
