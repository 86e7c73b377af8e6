// Package learning has the commands that train models on graphs, ask them, and keep them.
package learning

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/cli"
)

// modelFlags say how a model differs from what it says of itself.
type modelFlags struct {
	training neural.Training
	hidden   int
	output   string
	heads    int
	flags    *pflag.FlagSet
}

func (m *modelFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	m.flags = flags
	flags.IntVar(&m.training.Epochs, "epochs", 0, "how many epochs it trains for, at most (default: as the model says)")
	flags.IntVar(&m.hidden, "hidden", 0, "width of hidden layers (default: as the model says)")
	flags.IntVar(&m.heads, "heads", 0, "attention heads (default: as the model says)")
	flags.Float64Var(&m.training.LearningRate, "learning-rate", 0, "of the optimizer (default: as the model says)")
	flags.StringVar(&m.training.Optimizer, "optimizer", "", "adam or sgd (default: as the model says, else adam)")
	flags.Float64Var(&m.training.Momentum, "momentum", 0, "of sgd, below 1")
	flags.StringVar(&m.training.Schedule, "schedule", "",
		"of the learning rate: constant, or linear or cosine, which fall to 0 (default: as the model says, else constant)")
	flags.Float64Var(&m.training.Dropout, "dropout", 0, "share that a dropout drops (default: as the model says)")
	flags.Float64Var(&m.training.WeightDecay, "weight-decay", 0, "on the layers that have it (default: as the model says)")
	flags.IntVar(&m.training.Patience, "patience", 0,
		"stop after so many epochs without a better validation loss or score; 0: never (default: as the model says)")
	flags.StringVar(&m.output, "output", "",
		"with --edge-label or --links: what is said of a pair, an `expression` of src.h and dst.h (default: as the model says)")
	app.Offer(cmd, "optimizer", neural.Adam, neural.SGD)
	app.Offer(cmd, "schedule", neural.Constant, neural.Linear, neural.Cosine)
	cmd.ValidArgsFunction = completeModel
}

// completeModel offers the built-in models, and files.
func completeModel(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return neural.AllNames(), cobra.ShellCompDirectiveDefault
}

// model is the one that an argument names, a built-in one or a YAML file, with what the flags change.
func (m *modelFlags) model(name string) (neural.Model, error) {
	model, builtIn := neural.Lookup(name)
	if !builtIn {
		text, err := os.ReadFile(name)
		switch ending := filepath.Ext(name); {
		case ending != ".yaml" && ending != ".yml":
			return model, cli.UsageError{Err: &neural.UnknownModelError{Name: name, Others: host.Learners()}}
		case err != nil:
			return model, err
		}
		if model, err = neural.Parse(strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), text); err != nil {
			return model, err
		}
	}
	return model.With(m.changes())
}

// changes are the flags that were given.
func (m *modelFlags) changes() neural.Changes {
	c := neural.Changes{Sizes: map[string]int{}}
	for flag, given := range map[string]func(){
		"hidden":        func() { c.Sizes["hidden"] = m.hidden },
		"heads":         func() { c.Sizes["heads"] = m.heads },
		"output":        func() { c.Output = &m.output },
		"epochs":        func() { c.Epochs = &m.training.Epochs },
		"patience":      func() { c.Patience = &m.training.Patience },
		"learning-rate": func() { c.LearningRate = &m.training.LearningRate },
		"weight-decay":  func() { c.WeightDecay = &m.training.WeightDecay },
		"dropout":       func() { c.Dropout = &m.training.Dropout },
		"optimizer":     func() { c.Optimizer = &m.training.Optimizer },
		"momentum":      func() { c.Momentum = &m.training.Momentum },
		"schedule":      func() { c.Schedule = &m.training.Schedule },
	} {
		if m.flags.Changed(flag) {
			given()
		}
	}
	return c
}

// deviceFlags say where a network is computed.
type deviceFlags struct {
	graph  string
	device string
	memory cli.Size
	thread int
	time   time.Duration // of processors
	// timeout is how long a device may take to start, and may owe an answer
	timeout time.Duration
	// unconfined are devices that run without walls
	unconfined []string
}

func (d *deviceFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&d.graph, "graph", "", "`graph` (required)")
	flags.StringVar(&d.device, "device", "auto", "cpu, auto (cpu), an installed plugin, or a plugin program's path; several, as cpu,cpu, divide the graph")
	flags.Var(&d.memory, "device-memory", "most memory each device may use (default half of this machine's)")
	flags.DurationVar(&d.time, "device-cpu-time", 0, app.CPUTimeUsage)
	flags.StringSliceVar(&d.unconfined, "no-confinement", nil, app.UnconfinedUsage)
	flags.IntVar(&d.thread, "threads", 0, "threads on the device (default: the device decides)")
	flags.DurationVar(&d.timeout, "timeout", host.DefaultTimeout, app.TimeoutUsage)
	if err := cmd.MarkFlagRequired("graph"); err != nil {
		panic(err) // the flag is defined above
	}
	app.OfferGraphs(cmd, "graph")
}
