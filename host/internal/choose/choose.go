// Package choose puts a device in the place of auto: the CPU, unless npu is installed and, by what both have taken
// before (package rates), expected to be sooner.
//
//	program, graph ──Work──▶ rates of each device ──▶ seconds ──▶ the soonest that has room
//	                            ▲
//	runs ──────────Learn────────┴── calibrate: where less is known, and the CPU has taken as long as that would
package choose

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/internal/registry"
	"github.com/penstock-db/penstock/plugins"
)

// Chooser chooses between the CPU and npu.
type Chooser struct {
	Known
	Finder  device.Finder
	Machine uint64                 // bytes of this machine's memory
	Failed  string                 // what came of an earlier try on npu
	Warm    func(launch.Spec) bool // a device is warm for the computation
	Trials  Trials
	Graphs  []graph500.Options // for trials
	Notice  func(error)
}

// Choose is a device for the computation, whose request asks for auto.
func (c Chooser) Choose(ctx context.Context) (*report.Choice, error) {
	cpu, npu := report.DeviceOption{Device: plan.CPUDevice},
		report.DeviceOption{Device: registry.NPU, Refused: c.onlyCPU()}
	if npu.Refused == "" {
		if err := c.expectBoth(ctx, &cpu, &npu); err != nil {
			return nil, err
		}
	}
	chosen := cpu.Device
	if npu.Refused == "" && npu.Seconds < cpu.Seconds {
		chosen = npu.Device
	}
	return &report.Choice{Device: chosen, Options: []report.DeviceOption{cpu, npu}}, nil
}

// onlyCPU says why there is nothing to choose.
func (c Chooser) onlyCPU() string {
	switch req := c.Of.Request; {
	case c.Of.Task.Program == nil:
		return "it is a procedure, which only the CPU has"
	case req.Schedule != plan.AutoSchedule:
		return "a schedule was asked for, and it takes graphs whole"
	case req.Resume:
		return "the run is to be resumed"
	case req.LinkBandwidth > 0 || req.Accounting:
		return "what streams was asked for, and it takes graphs whole"
	}
	return c.Failed
}

// expectBoth foretells what the run will take on each device. Of programs of a kind that has not run on both, it first
// finds out by small graphs, once that may pay.
func (c Chooser) expectBoth(ctx context.Context, cpu, npu *report.DeviceOption) error {
	w, err := c.Work(ctx)
	if err != nil {
		return err
	}
	have := plan.Budget(c.Of.Request.DeviceMemory, plugins.Description{}, c.Machine)
	if bits := w.Linked * w.Linked; bits/8 > have {
		npu.Refused = fmt.Sprintf("a matrix of %d vertices has more bits than fit the budget of %d bytes", w.Linked, have)
		return nil
	}
	if npu.Refused, err = c.premature(w); err != nil || npu.Refused != "" {
		return err
	}
	if npu.Refused, err = c.Calibrate(ctx); err != nil || npu.Refused != "" {
		return err
	}
	for _, o := range []*report.DeviceOption{cpu, npu} {
		if err := c.expect(o, w); err != nil {
			return err
		}
	}
	if npu.Refused == "" && npu.Bytes > have {
		npu.Refused = fmt.Sprintf("it is expected to take %d bytes of a budget of %d", npu.Bytes, have)
	}
	return nil
}

// expect foretells what the work takes on a device.
func (c Chooser) expect(o *report.DeviceOption, w core.Work) error {
	spec, err := c.Finder.Spec(o.Device)
	if err != nil {
		return err
	}
	w.Warm = c.Warm(spec)
	if o.Refused = c.Book.Refused(c.Key(spec), c.Kind()); o.Refused != "" {
		return nil
	}
	f, known := c.Forecast(spec, w)
	if !known {
		o.Refused = "nothing is known of such programs on it"
		return nil
	}
	w.Rounds = f.Rounds
	o.Rounds, o.Bytes, o.Seconds = f.Rounds, f.Bytes, f.Seconds(w)
	if !w.Warm {
		o.Launch = f.Launch
	}
	f.Launch, f.Step, f.Lane = 0, core.Costs{}, core.Costs{}
	o.Load = f.Seconds(w)
	o.Compute = o.Seconds - o.Launch - o.Load
	return nil
}

// Refuse notes that a device will never do for such programs.
func (c Chooser) Refuse(name, reason string) error {
	spec, err := c.Finder.Spec(name)
	if err == nil {
		c.Book.Refuse(c.Key(spec), c.Kind(), reason)
	}
	return err
}
