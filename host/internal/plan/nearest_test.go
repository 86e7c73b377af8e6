package plan

import (
	"errors"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// nearestTerms are those of a program that may go nearest first, on a graph that is deep.
func nearestTerms(t *testing.T) (Terms, *device) {
	d := &device{able: plugins.Plan{Settles: true, ActiveRows: true, Nearest: true}}
	least := algorithms.Program{Reduce: algorithms.Min, Order: algorithms.Monotone}
	terms := terms(t, "auto", least, 7*64<<10, d)
	terms.Deep = func(*Plan) (Unordered, error) { return Unordered{}, nil }
	return terms, d
}

// A plan says what is in the way of an order of values.
func TestAgree_SaysWhyNotNearestFirst(t *testing.T) {
	for want, change := range map[Unordered]func(*Terms, *device){
		{}:                    func(*Terms, *device) {},
		{Cause: SettledBadly}: func(t *Terms, _ *device) { t.Unsettled = "x" },
		{Cause: BehindLink}:   func(t *Terms, _ *device) { t.Device.LinkBandwidth = 1 },
		{Cause: DeviceLacks}: func(t *Terms, _ *device) {
			t.Device.Extensions = []plugins.Extension{plugins.ExtensionSettle}
		},
		{Cause: InStep}:    func(t *Terms, _ *device) { t.Computation.Request.Synchronous = true },
		{Cause: Accounted}: func(t *Terms, _ *device) { t.Computation.Request.Accounting = true },
		{Cause: NoBestValue}: func(t *Terms, _ *device) {
			t.Computation.Task.Program.Order = algorithms.Accumulative
		},
		{Cause: BothWays}: func(t *Terms, d *device) {
			t.Graph = graph{vertices: 1000, sizes: t.Graph.(graph).sizes, directed: true}
			t.Computation.Edges = algorithms.BothSides
			d.able.Directions = []chunk.Direction{chunk.Out, chunk.In}
		},
		{Cause: NotLooked}:    func(t *Terms, _ *device) { t.Deep = nil },
		{Cause: OtherProgram}: func(_ *Terms, d *device) { d.able.Nearest = false },
		{SlotsTooSmall, 4 * leastSlot, 4*leastSlot - 64}: func(t *Terms, d *device) {
			t.Budget = d.fixed + 4*leastSlot - 64 + Aligned(BitmapBytes(1000))
		},
		{LongList, 9, 7}: func(t *Terms, _ *device) {
			t.Deep = func(*Plan) (Unordered, error) { return Unordered{LongList, 9, 7}, nil }
		},
	} {
		terms, d := nearestTerms(t)
		change(&terms, d)
		p, err := Agree(terms)
		if err != nil {
			t.Errorf("%v: %v", want, err)
			continue
		}
		if p.Nearest != (want == Unordered{}) || p.Unordered != want {
			t.Errorf("nearest first %t, as %q; expected %q", p.Nearest, p.Unordered, want)
		}
	}
}

// What an order of values takes beside the state is more than there may be; what fails otherwise fails.
func TestAgree_NearestFirstRefused(t *testing.T) {
	failed := errors.New("broken")
	for err, want := range map[error]Unordered{
		plugins.Errorf(plugins.KindUnsupported, "no"): {Cause: NeverSettles},
		&BudgetError{Need: 9, Have: 7}:                {StateTooLarge, 9, 7},
		failed:                                        {},
	} {
		terms, _ := nearestTerms(t)
		compile := terms.Compile
		terms.Compile = func(task plugins.Task, layouts []plugins.Layout, budget uint64) (plugins.Plan, error) {
			if task.Nearest {
				return plugins.Plan{}, err
			}
			return compile(task, layouts, budget)
		}
		p, got := Agree(terms)
		if errors.Is(got, failed) != errors.Is(err, failed) || got == nil && (p.Nearest || p.Unordered != want) {
			t.Errorf("%v: %+v, %v", err, p, got)
		}
	}
}
