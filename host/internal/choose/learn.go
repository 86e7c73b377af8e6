package choose

import (
	"context"
	"fmt"
	"time"

	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/rates"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/internal/registry"
)

// Taken is what a run took to its very end.
type Taken struct {
	Spec   launch.Spec   // of its device
	Lanes  int           // that the device has
	Whole  time.Duration // of the run, but for choosing a device
	Launch time.Duration
	Warm   bool // the device was there
	Report report.Report
}

// Learns tells whether runs by such a plan on one device may be chosen between devices.
func Learns(p *plan.Plan, spec launch.Spec) bool {
	return p.Devices == 1 && p.Task.Program != nil && p.Fit.Resident && p.Request.LinkBandwidth == 0 &&
		(spec.BuiltIn() || spec.Name == registry.NPU)
}

// BeyondMatrices tells whether the graph is so large that there will hardly be anything to choose.
func BeyondMatrices(p *plan.Plan) bool {
	n := p.Graph.Manifest().Vertices
	return n > 1<<32-1 || n*n/8 > p.Budget
}

// Learn takes note of what a run took. What cannot be counted can be measured another time.
func (k Known) Learn(ctx context.Context, t Taken) error {
	w, err := k.Work(ctx)
	if err != nil {
		return nil //nolint:nilerr // see above
	}
	w.Rounds, w.Sources, w.Warm = float64(max(1, t.Report.Iterations)), uint64(max(1, len(t.Report.Sources))), t.Warm
	s := rates.Sample{Work: w, Launch: t.Launch.Seconds(), Compute: t.Report.Seconds.Compute,
		Peak: t.Report.PeakDeviceBytes}
	s.Load = max(0, t.Whole.Seconds()-s.Launch-s.Compute)
	k.Book.Add(k.Key(t.Spec), k.Kind(), t.Lanes, s)
	if err := k.Book.Save(time.Second); err != nil {
		return fmt.Errorf("what the run took cannot be kept: %w", err)
	}
	return nil
}
