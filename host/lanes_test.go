package host

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	bind "github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu"
)

// lanesVariable makes this test program, as a plugin, a device with lanes: "the most, those it has room for".
var lanesVariable = ownVariable("LANES")

// beLaned serves when this program has been started as a plugin with lanes.
func beLaned() {
	var d laned
	if _, err := fmt.Sscan(os.Getenv(lanesVariable), &d.lanes, &d.room); err != nil {
		return
	}
	d.Device = cpu.New(cpu.Options{})
	serve(d)
}

// laned is the CPU device, lane after lane.
type laned struct {
	plugins.Device
	lanes, room int
}

func (d laned) Describe(ctx context.Context) (plugins.Description, error) {
	about, err := d.Device.Describe(ctx)
	about.Lanes = d.lanes
	return about, err
}

func (d laned) Open(ctx context.Context, job plugins.Job) (plugins.Session, error) {
	one, err := d.Device.Open(ctx, job)
	if job.Graph.Linked == 0 || job.Graph.Linked > job.Graph.Vertices {
		return nil, fmt.Errorf("%d of %d vertices are linked", job.Graph.Linked, job.Graph.Vertices)
	}
	return &lanedSession{Session: one, device: d, job: job}, err
}

// lanedSession has a session for each lane.
type lanedSession struct {
	plugins.Session
	device laned
	job    plugins.Job
	lanes  []plugins.Session
}

func (s *lanedSession) Compile(ctx context.Context, task plugins.Task) (plan plugins.Plan, err error) {
	if len(task.Lanes) == 0 {
		return s.Session.Compile(ctx, task)
	}
	if len(task.Lanes) > s.device.room {
		return plan, plugins.Errorf(plugins.KindBudget, "no room for %d lanes", len(task.Lanes))
	}
	states := len(task.Program.State)
	inputs := len(task.Layout.Columns) - states*len(task.Lanes)
	for lane, constants := range task.Lanes {
		own := task
		own.Program, own.Lanes = task.Program.With(constants...), nil
		own.Layout.Columns = append([]plugins.VertexColumn(nil), task.Layout.Columns[:inputs]...)
		for i, c := range task.Layout.Columns[inputs+lane*states:][:states] {
			var ok bool
			if c.Name, ok = strings.CutSuffix(c.Name, fmt.Sprintf("#%d", lane)); !ok || c.Name != task.Program.State[i].Name {
				return plan, fmt.Errorf("column %s in lane %d", c.Name, lane)
			}
			own.Layout.Columns = append(own.Layout.Columns, c)
		}
		session, err := s.device.Device.Open(ctx, s.job)
		if err != nil {
			return plan, err
		}
		if plan, err = session.Compile(ctx, own); err != nil {
			return plan, err
		}
		s.lanes = append(s.lanes, session)
	}
	plan.Kernel = fmt.Sprintf("%d lanes", len(s.lanes))
	return plan, nil
}

// Execute has each lane do, at Iterate, what has been asked so far.
func (s *lanedSession) Execute(ctx context.Context, commands <-chan plugins.Command, emit func(plugins.Event)) error {
	if len(s.lanes) == 0 {
		return s.Session.Execute(ctx, commands, emit)
	}
	var asked []plugins.Command
	for c := range commands {
		asked = append(asked, c)
		if c.Op != plugins.Iterate {
			e := plugins.Event{Seq: c.Seq, Done: true}
			if c.Op == plugins.Init {
				e.Iteration = &plugins.Iteration{Active: s.job.Graph.Vertices, Converged: s.job.Graph.Vertices == 0}
			}
			emit(e)
			continue
		}
		rounds := 0
		for _, lane := range s.lanes {
			replay := make(chan plugins.Command, len(asked))
			for _, c := range asked {
				replay <- c
			}
			close(replay)
			err := lane.Execute(ctx, replay, func(e plugins.Event) {
				if e.Iteration != nil {
					rounds = max(rounds, e.Iteration.Number)
				}
			})
			if err != nil {
				return err
			}
		}
		for n := 1; n < rounds; n++ {
			emit(plugins.Event{Seq: c.Seq, Iteration: &plugins.Iteration{Number: n, Active: 1}})
		}
		emit(plugins.Event{Seq: c.Seq, Done: true, Iteration: &plugins.Iteration{Number: rounds, Converged: true}})
	}
	return nil
}

func (s *lanedSession) Close() error {
	for _, lane := range s.lanes {
		lane.Close()
	}
	return s.Session.Close()
}

// A device with lanes takes as many sources at once as it says and has room for, and each result is
// that of a run from this source alone.
func TestLanes_EqualSeparateRuns(t *testing.T) {
	rng := testseed.Rand(t)
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ lanes, room, sources, launches int }{
		{lanes: 8, room: 8, sources: 5, launches: 1},
		{lanes: 3, room: 3, sources: 7, launches: 3},
		{lanes: 8, room: 2, sources: 5, launches: 3}, // five are refused, two are not
		{lanes: 8, room: 1, sources: 3, launches: 3},
	} {
		t.Setenv(lanesVariable, fmt.Sprint(c.lanes, c.room))
		a := sourced()[rng.IntN(len(sourced()))]
		g, params := sampleFor(rng, a)
		delete(params, bind.SourceName)
		snap, req := g.stored(t, 0), Request{Algorithm: a.Name, Params: params, Sources: someOf(rng, g.users, c.sources),
			Device: self}
		launches := 0
		all, err := Run(context.Background(), snap, req, Events{Launched: func(Launch) { launches++ }})
		if err != nil {
			t.Fatalf("%+v: %v", req, err)
		}
		var want []algorithms.Values
		for _, source := range req.Sources {
			alone := Request{Algorithm: a.Name, Params: maps.Clone(params)}
			alone.Params[bind.SourceName] = source
			for _, column := range mustRun(t, snap, alone).Columns {
				column.Name += "_" + source
				want = append(want, column)
			}
		}
		if !same(all.Columns, want) || len(all.Report.Sources) != c.sources {
			t.Errorf("%+v: %+v\nwant %+v\nreport %+v", req, all.Columns, want, all.Report)
		}
		if launches != c.launches {
			t.Errorf("%+v: %d launches", c, launches)
		}
	}
}
