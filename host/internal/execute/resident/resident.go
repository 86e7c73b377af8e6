// Package resident executes a plan by which all chunks are on the device: one command for the whole computation.
package resident

import (
	"context"

	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/execute/gaining"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/plugins"
)

// Suits tells whether the device can do all iterations of env's plan by one command.
func Suits(env *execute.Env) bool {
	return env.Plan.Fit.Resident && (env.Plan.Task.Program == nil || !env.StepByStep())
}

// New executes the plan of env.
func New(env *execute.Env) execute.Executor { return executor{env} }

type executor struct{ *execute.Env }

// Execute puts every chunk on the device and lets it work on its own.
func (e executor) Execute(ctx context.Context) error {
	if err := e.Upload(ctx); err != nil {
		return err
	}
	if e.Plan.Task.Program == nil {
		return e.call()
	}
	if err := e.Init(); err != nil || e.Progress.Final.Converged {
		return err
	}
	if e.Plan.Task.Restorable || !extension.Offers(e.Plan.Device, plugins.ExtensionCycles) {
		if v, err := gaining.Find(ctx, e.Env); v == gaining.Found || err != nil {
			return err
		}
	}
	e.Progress.Batched = true
	e.Progress.StartLap()
	_, err := e.Device.Do(plugins.Command{Op: plugins.Iterate}, func(event plugins.Event) {
		if event.Iteration.Number > e.Progress.Final.Number {
			e.Progress.End(*event.Iteration, len(e.Plan.Chunks))
		}
	})
	return err
}
