package kit_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/kit"
)

// countdown is a program of the core alone that converges after so many iterations.
type countdown struct {
	left      int
	iteration int
	converted time.Duration
	failure   error // of Apply
}

func (p *countdown) Init(context.Context) error { return nil }
func (p *countdown) Step(context.Context, *kit.Chunk) (uint64, error) {
	return 0, nil
}
func (p *countdown) Apply(context.Context) error {
	p.iteration++
	p.left--
	p.converted += time.Hour
	return p.failure
}
func (p *countdown) Iteration() *plugins.Iteration {
	return &plugins.Iteration{Number: p.iteration, Converged: p.left == 0}
}
func (p *countdown) Converted() time.Duration { return p.converted }

// settling is a countdown with two extensions.
type settling struct{ countdown }

func (p *settling) Settle(context.Context, []*kit.Chunk, []uint64, int) (uint64, error) {
	return 7, nil
}
func (p *settling) Restore(context.Context, plugins.Iteration) error { return nil }

// open begins a session on an arena of a page that compiles every task to p, with a plan that takes fixed bytes.
func open(t *testing.T, p kit.Program, budget, fixed uint64, closed func(failed bool)) plugins.Session {
	t.Helper()
	a, err := arena.Create(1 << 16)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	s, err := kit.Open(kit.Setup{Device: "test", Job: plugins.Job{Arena: a, Budget: budget}, Close: closed,
		Compile: func(context.Context, plugins.Task, *kit.Budget) (kit.Compiled, error) {
			return kit.Compiled{Program: p, Plan: plugins.Plan{Fixed: fixed}}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// obey has a session obey commands, and returns its events.
func obey(t *testing.T, s plugins.Session, ops ...plugins.Op) (events []plugins.Event, err error) {
	t.Helper()
	commands := make(chan plugins.Command, len(ops))
	for i, op := range ops {
		commands <- plugins.Command{Seq: uint64(i), Op: op}
	}
	close(commands)
	err = s.Execute(t.Context(), commands, func(e plugins.Event) { events = append(events, e) })
	return events, err
}

// The plan says yes to the extensions that the task asks for and the program implements, and to no others.
func TestSession_Negotiates(t *testing.T) {
	asked := plugins.Task{Program: &algorithms.Program{}, Restorable: true, Part: true}
	plan, err := open(t, &settling{}, 0, 0, nil).Compile(t.Context(), asked)
	if err != nil || !plan.Restores || plan.Settles || plan.Parts {
		t.Errorf("%+v, %v; expected Restores alone", plan, err)
	}
	if plan, err = open(t, &settling{}, 0, 0, nil).Compile(t.Context(),
		plugins.Task{Program: &algorithms.Program{}, Settle: true}); err != nil || !plan.Settles || plan.Restores {
		t.Errorf("%+v, %v; expected Settles alone", plan, err)
	}
	if plan, err = open(t, &countdown{}, 0, 0, nil).Compile(t.Context(), asked); err != nil || plan.Restores ||
		plan.Parts {
		t.Errorf("%+v, %v; expected no extension", plan, err)
	}
	procedure := plugins.Task{Procedure: "lcc", Passes: true}
	if plan, err = open(t, &countdown{}, 0, 0, nil).Compile(t.Context(), procedure); err != nil || !plan.Passes {
		t.Errorf("%+v, %v; expected Passes of a procedure that was made a program", plan, err)
	}
	if plan, err = open(t, nil, 0, 0, nil).Compile(t.Context(), procedure); err != nil || plan.Passes {
		t.Errorf("%+v, %v; expected no Passes of one that was not", plan, err)
	}
	_, err = open(t, &countdown{}, 0, 0, nil).Compile(t.Context(),
		plugins.Task{Program: &algorithms.Program{}, Passes: true})
	if plugins.KindOf(err) != plugins.KindInvalid {
		t.Errorf("%v; expected that passes are for procedures", err)
	}
	_, err = open(t, &countdown{}, 0, 0, nil).Compile(t.Context(),
		plugins.Task{Program: &algorithms.Program{}, Settle: true})
	if plugins.KindOf(err) != plugins.KindUnsupported {
		t.Errorf("%v; expected that it cannot settle", err)
	}
}

// A program of the core iterates until it has converged. Conversion is transfer, not computing; each iteration is told
// of.
func TestSession_Iterates(t *testing.T) {
	s := open(t, &countdown{left: 3}, 0, 0, nil)
	if _, err := s.Compile(t.Context(), plugins.Task{Program: &algorithms.Program{}}); err != nil {
		t.Fatal(err)
	}
	events, err := obey(t, s, plugins.Init, plugins.Iterate)
	if err != nil || len(events) != 5 {
		t.Fatalf("%d events, %v; expected Init, three iterations and the end", len(events), err)
	}
	last := events[4]
	if !last.Done || last.Seq != 1 || !last.Iteration.Converged || last.Iteration.Number != 3 ||
		last.Transfer != 3*time.Hour {
		t.Errorf("%+v, %+v", last, last.Iteration)
	}
}

// What does not fit is refused at Compile; a failed command ends Execute with its kind, and Close hears of it.
func TestSession_Fails(t *testing.T) {
	if _, err := open(t, &countdown{}, kit.SmallestChunk+99, 100, nil).Compile(t.Context(),
		plugins.Task{Program: &algorithms.Program{}}); plugins.KindOf(err) != plugins.KindBudget {
		t.Errorf("%v; expected that a plan of 100 bytes exceeds 99", err)
	}
	var told []bool
	s := open(t, &countdown{left: 3, failure: errors.New("broken")}, 0, 0,
		func(failed bool) { told = append(told, failed) })
	if _, err := obey(t, s, plugins.Init); plugins.KindOf(err) != plugins.KindInvalid {
		t.Errorf("%v; expected that Compile comes first", err)
	}
	if _, err := s.Compile(t.Context(), plugins.Task{Program: &algorithms.Program{}}); err != nil {
		t.Fatal(err)
	}
	events, err := obey(t, s, plugins.Init, plugins.Apply, plugins.Apply)
	var known *plugins.Error
	if !errors.As(err, &known) || known.Device != "test" || known.Kind != plugins.KindInternal || len(events) != 2 ||
		events[1].Err == nil {
		t.Errorf("%v after %d events; expected the failure of the first Apply", err, len(events))
	}
	if err := s.Close(); err != nil || len(told) != 1 || !told[0] {
		t.Errorf("%v, Close heard %v", err, told)
	}
}

// rounding is a procedure whose fractions sum up to more than 1.
type rounding struct{}

func (rounding) Call(_ context.Context, _ []*kit.Chunk, tell func(float64)) (uint64, error) {
	tell(0.5)
	tell(math.Nextafter(1, 2))
	return 0, nil
}

// A fraction that rounding has brought above 1 is told as 1: a host takes more for a breach of contract.
func TestSession_FractionIsAtMostOne(t *testing.T) {
	a, err := arena.Create(1 << 16)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	s, err := kit.Open(kit.Setup{Device: "test", Job: plugins.Job{Arena: a},
		Compile: func(context.Context, plugins.Task, *kit.Budget) (kit.Compiled, error) {
			return kit.Compiled{Procedure: rounding{}}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Compile(t.Context(), plugins.Task{Procedure: "rounding"}); err != nil {
		t.Fatal(err)
	}
	events, err := obey(t, s, plugins.Call)
	if err != nil || len(events) != 3 || events[0].Fraction != 0.5 || events[1].Fraction != 1 {
		t.Errorf("%+v, %v; expected 0.5, then 1, then the end", events, err)
	}
}
