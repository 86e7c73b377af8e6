package partition

import (
	"context"
	"fmt"
	"sort"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// choose takes the best core that the second device has room for; none, if no two vertices of it are joined, or, where
// it may choose so, the first device is expected to be sooner alone.
func (a *agreement) choose(ctx context.Context) error {
	degrees, err := a.degreesOfAll(ctx)
	if err != nil {
		return err
	}
	largest, err := a.largest(degrees)
	if err != nil {
		return err
	}
	survey, err := a.survey(ctx, degrees, largest)
	if err != nil {
		return err
	}
	a.Report.Rule, a.Report.Options = core.None, survey.Options()
	if err := a.forecast(ctx); err != nil {
		return err
	}
	for i := range a.Report.Options {
		o := &a.Report.Options[i]
		if a.rule.Kind == core.Auto && a.Report.Without > 0 && o.Seconds >= a.Report.Without {
			return nil // and so with all that follow
		}
		if o.Refused = a.tooLarge(*o, largest); o.Refused != "" {
			continue
		}
		return a.take(ctx, o, survey.Set(*o))
	}
	over := &plan.BudgetError{What: "the core " + a.Computation.Request.Core, Need: a.Dense.Budget + 1,
		Have: a.Dense.Budget, AtLeast: true, Advice: "raise --device-memory"}
	if largest > 0 { // there is room for a core
		over.Advice = fmt.Sprintf("choose a core of at most %d vertices, or auto", largest)
	}
	return over
}

// tooLarge says why the second device has no room for a core. Of an interval it is not known yet how many of its
// vertices are joined.
func (a *agreement) tooLarge(o core.Option, largest uint64) string {
	if o.Linked <= largest {
		return ""
	}
	return fmt.Sprintf("%s has room for %d vertices", a.Dense.Name, largest)
}

// largest is how many vertices the second device has room for, beside their edges. It is asked. 8 bytes a vertex are
// taken meanwhile.
func (a *agreement) largest(degrees []uint32) (uint64, error) {
	room, failed := a.coreRoom(degrees)
	none := sort.Search(int(a.Snap.Manifest().Vertices), func(n int) bool {
		if failed != nil {
			return true
		}
		a.Dense.Linked = uint64(n + 1)
		err := a.compile(a.Dense)
		if plugins.KindOf(err) == plugins.KindBudget {
			return true
		}
		failed = err
		return failed != nil || a.Dense.Plan.Fixed+room.of(a.Dense.Linked) > a.Dense.Budget
	})
	return uint64(none), failed
}

// survey looks at all that might be the core, in one pass over the edges. It takes about 22 bytes a vertex, and 2 MiB.
func (a *agreement) survey(ctx context.Context, degrees []uint32, largest uint64) (*core.Survey, error) {
	survey := core.NewSurvey(a.rule, degrees, a.communities(), largest)
	for c, err := range a.Snap.EachChunk(ctx, chunk.Out) {
		if err != nil {
			return nil, err
		}
		survey.Add(c)
	}
	return survey, nil
}

// communities tells whether vertices of a community are side by side.
func (a *agreement) communities() bool { return a.Snap.Manifest().Order.Taken == store.OrderRabbit }

// degreesOfAll are each vertex's, of a directed graph the sum of both.
func (a *agreement) degreesOfAll(ctx context.Context) ([]uint32, error) {
	all, more := make([]uint32, a.Snap.Manifest().Vertices), make([]uint32, a.Snap.Manifest().Vertices)
	for _, d := range plan.Directions(a.Snap.Manifest()) {
		if err := a.Snap.Degrees(ctx, d, more); err != nil {
			return nil, err
		}
		for v, n := range more {
			all[v] += n
		}
	}
	return all, nil
}

// take makes of a set the core: those of it that have an edge to another, or to themselves.
func (a *agreement) take(ctx context.Context, o *core.Option, of core.Set) error {
	a.Set = core.NewSet(a.Snap.Manifest().Vertices)
	edges := uint64(0)
	for c, err := range a.Snap.EachChunk(ctx, chunk.Out) {
		if err != nil {
			return err
		}
		edges += core.Inside(c, of, a.Set)
	}
	if edges == 0 {
		a.Set = nil
		return nil
	}
	a.Dense.Linked = a.Set.Count()
	o.Linked = a.Dense.Linked
	a.Report.Rule, a.Report.Vertices, a.Report.Edges, a.Report.Density = o.Rule, o.Linked, edges, o.Density()
	if err := a.mark(a.Memory, a.Snap.Manifest().Vertices); err != nil {
		return err
	}
	return a.compile(a.Dense)
}
