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
	save    string
	replace bool
}

func (f *megaFlags) add(cmd *cobra.Command, o *host.MegaOptions) {
	f.on.add(cmd)
	flags := cmd.Flags()
	flags.IntVar(&o.Epochs, "epochs", o.Epochs, "how often it goes along all edges")
	flags.IntVar(&o.Workers, "workers", o.Workers, "partitions, each with a thread of its own")
	flags.StringVar(&f.slack, "slack", "0", "batches that a worker may be ahead of the slowest; inf: any number")
	flags.Uint64Var(&o.Seed, "seed", o.Seed, "of all that is random")
	flags.StringVar(&f.save, "save", "", "keep the model in the database, under a `name`")
	flags.BoolVar(&f.replace, "replace", false, "with --save: in the place of a model of that name")
}

// read checks the flags and puts them into the options.
func (f *megaFlags) read(o *host.MegaOptions) error {
	if f.replace && f.save == "" {
		return cli.UsageError{Err: fmt.Errorf("--replace goes with --save")}
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
		if f.save != "" {
			if err := db.Models().Check(f.save, f.replace); err != nil {
				return err
			}
		}
		bar := terminal.StartProgress(a.Err, "train")
		learned, err := train(db, host.TrainEvents{Trained: func(e host.TrainingEpoch) {
			bar.Set(int64(e.Number), int64(epochs))
		}, Noticed: func(err error) { bar.Say("penstock: " + err.Error()) }})
		bar.Done()
		if err != nil {
			return err
		}
		if f.save != "" {
			learned.Model.Name = f.save
			if err := db.Models().Save(learned.Model, f.replace); err != nil {
				return err
			}
		}
		if a.JSON {
			return a.PrintJSON(summary(learned, f.save, false))
		}
		printTrained(a.Out, learned)
		if f.save != "" {
			fmt.Fprintf(a.Out, "saved as %s\n", f.save)
		}
		return nil
	})
}
