package host

import (
	"cmp"
	"slices"
	"time"

	"github.com/penstock-db/penstock/host/internal/rates"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/internal/registry"
)

// forecast sorts the options by how long the run is expected to take with each, as far as programs of the kind have run on both devices; else
// those with most edges come first. To choose among all, npu and the CPU are measured if they have not been.
func (s *split) forecast() error {
	slices.SortStableFunc(s.report.Options, func(a, b core.Option) int { return cmp.Compare(b.Entries, a.Entries) })
	if s.book = s.openBook(); s.book == nil {
		return nil
	}
	if s.rule.Kind == core.Auto && s.rest.spec.BuiltIn() && s.dense.spec.Name == registry.NPU {
		began := time.Now()
		if refused, err := s.calibrate(); err != nil || refused != "" {
			return err
		}
		s.agreed = s.agreed.Add(time.Since(began))
	}
	whole, err := s.work()
	if err != nil || !s.known(s.rest, whole) || !s.known(s.dense, whole) {
		return err
	}
	s.report.Without = s.byItself(s.rest, whole) // both devices have been launched already
	core.Forecast(s.report.Options, whole, s.expected(s.rest), s.expected(s.dense))
	return nil
}

// known tells whether it can be expected what the device takes.
func (s *split) known(d *device, w core.Work) bool {
	_, ok := s.foretell(d.spec, w)
	return ok
}

// expected is what a device takes for a part of the edges: as long as for a graph of its own, or as much longer as parts have taken
// before. Whoever goes in step, or settles, does not go about it as it would alone.
func (s *split) expected(d *device) func(core.Work) float64 {
	return func(w core.Work) float64 {
		longer, ok := s.book.Forecast(s.partKey(d), s.kind(), w)
		if !ok {
			return s.byItself(d, w)
		}
		times := w
		times.Rounds = 1
		return s.byItself(d, w) * longer.Seconds(times)
	}
}

// byItself is what a device takes for a graph of its own.
func (s *split) byItself(d *device, w core.Work) float64 {
	f, _ := s.foretell(d.spec, w)
	f.Launch, w.Rounds = 0, f.Rounds
	return f.Seconds(w)
}

// partKey is where it is kept how much longer parts take.
func (s *split) partKey(d *device) string {
	if d == s.dense {
		return deviceKey(d.spec, s.req.Threads) + ", with a core"
	}
	return deviceKey(d.spec, s.req.Threads) + ", beside a core"
}

// learn takes note of how much longer both parts took than graphs of their own: seconds for each that was expected.
func (s *split) learn() {
	if s.book == nil || s.isAlone() || s.report.Without == 0 {
		return
	}
	w, err := s.work()
	if err != nil {
		return // it can be measured another time
	}
	inside, outside := w, w
	inside.Edges, inside.Linked = s.report.Edges, s.dense.linked
	outside.Edges -= min(w.Edges, inside.Edges)
	load := time.Since(s.agreed) - s.sending
	for d, w := range map[*device]core.Work{s.rest: outside, s.dense: inside} {
		spent := d.spent.total()
		took := load + spent.transfer + spent.compute
		w.Rounds = 1
		s.book.Add(s.partKey(d), s.kind(), 0, rates.Sample{Work: w, Compute: took.Seconds() / s.byItself(d, w)})
	}
	if err := s.book.Save(time.Second); err != nil {
		s.events.Noticed(err)
	}
}
