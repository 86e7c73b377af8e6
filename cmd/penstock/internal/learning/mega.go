package learning

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/plugins/mega"
)

// Commands are the models that are MEGA programs, commands of their own below train.
func (*Train) Commands() []app.Command {
	return []app.Command{&factorize{}, &regress{name: "lr"}, &regress{name: "blockpg"}}
}

// megaFlags are those of all MEGA programs.
type megaFlags struct {
	on      deviceFlags
	slack   string
	keeping keeping
}

func (f *megaFlags) add(cmd *cobra.Command, o *host.MegaOptions) {
	f.on.add(cmd)
	flags := cmd.Flags()
	flags.IntVar(&o.Epochs, "epochs", o.Epochs, "how often it goes along all edges")
	flags.IntVar(&o.Workers, "workers", o.Workers, "partitions, each with a thread of its own")
	flags.StringVar(&f.slack, "slack", "0", "batches that a worker may be ahead of the slowest; inf: any number")
	flags.Uint64Var(&o.Seed, "seed", o.Seed, "of all that is random")
	f.keeping.add(cmd)
}

// read checks the flags and puts them into the options.
func (f *megaFlags) read(o *host.MegaOptions) error {
	if err := f.keeping.check(); err != nil {
		return err
	}
	if f.slack == "inf" {
		o.Slack = mega.Asynchronous
	} else if n, err := strconv.Atoi(f.slack); err != nil || n < 0 {
		return cli.UsageError{Err: fmt.Errorf("--slack %s: give 0 or more batches, or inf", f.slack)}
	} else {
		o.Slack = n
	}
	o.On = f.on.on()
	return nil
}

// run trains, with a bar, keeps the model and tells of it.
func (f *megaFlags) run(a *app.App, epochs int,
	train func(*instance.DB, host.TrainEvents) (*host.Trained, error)) error {
	pages.BoundHeap()
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		learned, err := f.keeping.around(db, func() (*host.Trained, error) {
			bar := terminal.StartProgress(a.Err, "train")
			defer bar.Done()
			return train(db, host.TrainEvents{Trained: func(e host.TrainingEpoch) {
				bar.Set(int64(e.Number), int64(epochs))
			}, Noticed: func(err error) { bar.Say("penstock: " + err.Error()) }})
		})
		if err != nil {
			return err
		}
		if a.JSON {
			return a.PrintJSON(summary(learned, f.keeping.save, false))
		}
		printTrained(a.Out, learned)
		f.keeping.tell(a.Out)
		return nil
	})
}
