package host

import (
	"fmt"
	"sort"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// choose takes the best core that the second device has room for; none, if no two vertices of it are joined, or, where it may
// choose so, the first device is expected to be sooner alone.
func (s *split) choose() error {
	degrees, err := s.degreesOfAll()
	if err != nil {
		return err
	}
	largest, err := s.largest(degrees)
	if err != nil {
		return err
	}
	survey, err := s.survey(degrees, largest)
	if err != nil {
		return err
	}
	s.report.Rule, s.report.Options = core.None, survey.Options()
	if err := s.forecast(); err != nil {
		return err
	}
	for i := range s.report.Options {
		o := &s.report.Options[i]
		if s.rule.Kind == core.Auto && s.report.Without > 0 && o.Seconds >= s.report.Without {
			return nil // and so with all that follow
		}
		if o.Refused = s.tooLarge(*o, largest); o.Refused != "" {
			continue
		}
		return s.take(o, survey.Set(*o))
	}
	return &BudgetError{What: "the core " + s.req.Core, Need: s.dense.budget + 1, Have: s.dense.budget, AtLeast: true,
		Advice: fmt.Sprintf("choose a core of at most %d vertices, or auto", largest)}
}

// tooLarge says why the second device has no room for a core. Of an interval it is not known yet how many of its
// vertices are joined.
func (s *split) tooLarge(o core.Option, largest uint64) string {
	if o.Linked <= largest {
		return ""
	}
	return fmt.Sprintf("%s has room for %d vertices", s.dense.name, largest)
}

// largest is how many vertices the second device has room for, beside their edges. It is asked. 8 bytes a vertex are taken meanwhile.
func (s *split) largest(degrees []uint32) (uint64, error) {
	room, failed := s.coreRoom(degrees)
	none := sort.Search(int(s.snap.Manifest().Vertices), func(n int) bool {
		if failed != nil {
			return true
		}
		s.dense.linked = uint64(n + 1)
		err := s.compileOne(s.dense)
		if plugins.KindOf(err) == plugins.KindBudget {
			return true
		}
		failed = err
		return failed != nil || s.dense.plan.Fixed+room.of(s.dense.linked) > s.dense.budget
	})
	return uint64(none), failed
}

// survey looks at all that might be the core, in one pass over the edges. It takes about 22 bytes a vertex, and 2 MiB.
func (s *split) survey(degrees []uint32, largest uint64) (*core.Survey, error) {
	survey := core.NewSurvey(s.rule, degrees, s.communities(), largest)
	for c, err := range s.snap.EachChunk(s.ctx, chunk.Out) {
		if err != nil {
			return nil, err
		}
		survey.Add(c)
	}
	return survey, nil
}

// communities tells whether vertices of a community are side by side.
func (s *split) communities() bool { return s.snap.Manifest().Order.Taken == store.OrderRabbit }

// degreesOfAll are each vertex's, of a directed graph the sum of both.
func (s *split) degreesOfAll() ([]uint32, error) {
	all, more := make([]uint32, s.snap.Manifest().Vertices), make([]uint32, s.snap.Manifest().Vertices)
	for _, d := range s.directions() {
		if err := s.snap.Degrees(s.ctx, d, more); err != nil {
			return nil, err
		}
		for v, n := range more {
			all[v] += n
		}
	}
	return all, nil
}

// take makes of a set the core: those of it that have an edge to another, or to themselves.
func (s *split) take(o *core.Option, of core.Set) error {
	s.set = core.NewSet(s.snap.Manifest().Vertices)
	edges := uint64(0)
	for c, err := range s.snap.EachChunk(s.ctx, chunk.Out) {
		if err != nil {
			return err
		}
		edges += core.Inside(c, of, s.set)
	}
	if edges == 0 {
		s.set = nil
		return nil
	}
	s.dense.linked = s.set.Count()
	o.Linked = s.dense.linked
	s.report.Rule, s.report.Vertices, s.report.Edges, s.report.Density = o.Rule, o.Linked, edges, o.Density()
	if err := s.mark(); err != nil {
		return err
	}
	return s.compileOne(s.dense)
}
