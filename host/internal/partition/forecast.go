package partition

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/penstock-db/penstock/host/internal/choose"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/rates"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/internal/registry"
)

// forecast sorts the options by how long the run is expected to take with each, as far as programs of the kind have run
// on both devices; else those with most edges come first. To choose among all, npu and the CPU are measured if they
// have not been.
func (a *agreement) forecast(ctx context.Context) error {
	slices.SortStableFunc(a.Report.Options, func(a, b core.Option) int { return cmp.Compare(b.Entries, a.Entries) })
	if a.known.Book == nil {
		return nil
	}
	if a.rule.Kind == core.Auto && a.Rest.Spec.BuiltIn() && a.Dense.Spec.Name == registry.NPU {
		began := time.Now()
		if refused, err := a.Chooser.Calibrate(ctx); err != nil || refused != "" {
			return err
		}
		a.agreed = a.agreed.Add(time.Since(began))
	}
	whole, err := a.known.Work(ctx)
	if err != nil || !a.isKnown(a.Rest, whole) || !a.isKnown(a.Dense, whole) {
		return err
	}
	a.Report.Without = a.alone(a.Rest, whole) // both devices have been launched already
	core.Forecast(a.Report.Options, whole, a.expected(a.Rest), a.expected(a.Dense))
	return nil
}

// isKnown tells whether it can be expected what the device takes.
func (s *Split) isKnown(d *device.Device, w core.Work) bool {
	_, ok := s.known.Forecast(d.Spec, w)
	return ok
}

// expected is what a device takes for a part of the edges: as long as for a graph of its own, or as much longer as
// parts have taken before. A device that goes in step, or settles, does not go about it as it would alone.
func (s *Split) expected(d *device.Device) func(core.Work) float64 {
	return func(w core.Work) float64 {
		longer, ok := s.known.Book.Forecast(partKey(s.known, d.Spec, d == s.Dense), s.known.Kind(), w)
		if !ok {
			return s.alone(d, w)
		}
		times := w
		times.Rounds = 1
		return s.alone(d, w) * longer.Seconds(times)
	}
}

// alone is what a device takes for a graph of its own.
func (s *Split) alone(d *device.Device, w core.Work) float64 {
	f, _ := s.known.Forecast(d.Spec, w)
	f.Launch, w.Rounds = 0, f.Rounds
	return f.Seconds(w)
}

// partKey is where it is kept how much longer parts take.
func partKey(k choose.Known, spec launch.Spec, dense bool) string {
	if dense {
		return k.Key(spec) + ", with a core"
	}
	return k.Key(spec) + ", beside a core"
}

// KnowsRest tells whether it is known how much longer a device takes for a rest than for a graph of its own.
func KnowsRest(k choose.Known, spec launch.Spec) bool {
	return k.Book.Knows(partKey(k, spec, false), k.Kind())
}

// Learn takes note of how much longer both parts took than graphs of their own: seconds for each that was expected.
// sending is the time from when both had begun to send until both were done.
func (s *Split) Learn(ctx context.Context, sending time.Duration) error {
	if s.known.Book == nil || s.Report.Alone != "" || s.Report.Without == 0 {
		return nil
	}
	w, err := s.known.Work(ctx)
	if err != nil {
		return nil //nolint:nilerr // it can be measured another time
	}
	inside, outside := w, w
	inside.Edges, inside.Linked = s.Report.Edges, s.Dense.Linked
	outside.Edges -= min(w.Edges, inside.Edges)
	load := time.Since(s.agreed) - sending
	for d, w := range map[*device.Device]core.Work{s.Rest: outside, s.Dense: inside} {
		spent := d.Spent.Total()
		took := load + spent.Transfer + spent.Compute
		w.Rounds = 1
		s.known.Book.Add(partKey(s.known, d.Spec, d == s.Dense), s.known.Kind(), 0,
			rates.Sample{Work: w, Compute: took.Seconds() / s.alone(d, w)})
	}
	return s.known.Book.Save(time.Second)
}
