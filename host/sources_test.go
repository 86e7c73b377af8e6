package host

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// sourced are the algorithms that may go from several sources.
func sourced() (all []*algorithms.Algorithm) {
	for _, a := range catalog.All() {
		if a.Program != nil && slices.ContainsFunc(a.Params, func(p algorithms.Param) bool {
			return p.Name == plan.SourceName &&
				p.Type == algorithms.ParamVertex
		}) {
			all = append(all, a)
		}
	}
	return all
}

// someOf draws n different users.
func someOf(rng *rand.Rand, users []string, n int) (some []string) {
	for _, i := range rng.Perm(len(users))[:min(n, len(users))] {
		some = append(some, users[i])
	}
	return some
}

// checkSources runs req from all its sources, and from each alone, and compares.
func checkSources(t *testing.T, e *Engine, snap *store.Snapshot, req Request) {
	t.Helper()
	all, err := e.Run(context.Background(), snap, req, Events{})
	if err != nil {
		t.Fatalf("%+v: %v", req, err)
	}
	var want []algorithms.Values
	for i, source := range req.Sources {
		alone := req
		alone.Sources, alone.Params = nil, maps.Clone(req.Params)
		alone.Params[plan.SourceName] = source
		one, err := e.Run(context.Background(), snap, alone, Events{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range one.Columns {
			c.Name += "_" + source
			want = append(want, c)
		}
		told := all.Report.Sources[i]
		if told.Source != source || told.Iterations != one.Report.Iterations || told.Converged != one.Report.Converged {
			t.Errorf("%+v: told of %+v, of %d iterations alone, converged: %v", req, told, one.Report.Iterations,
				one.Report.Converged)
		}
	}
	if !same(all.Columns, want) {
		t.Errorf("%+v: %+v\nalone %+v", req, all.Columns, want)
	}
	if got := all.Report.Parameters["sources"]; got != strings.Join(req.Sources, ",") ||
		all.Report.Parameters[plan.SourceName] != "" {
		t.Errorf("parameters %v", all.Report.Parameters)
	}
}

// From several sources every algorithm gives what it gives from each alone.
func TestSources_EqualSeparateRuns(t *testing.T) {
	t.Parallel()
	rng := testseed.Rand(t)
	for _, a := range sourced() {
		g, params := sampleFor(rng, a)
		delete(params, plan.SourceName)
		checkSources(t, engine(t), g.stored(t, 0), Request{Algorithm: a.Name, Params: params,
			Sources: someOf(rng, g.users, 1+rng.IntN(5))})
	}
}

// So do programs of one's own, given as text or built.
func TestSources_OwnPrograms(t *testing.T) {
	rng := testseed.Rand(t)
	g := random(rng, 60, 300, true, false, false)
	snap, e, sources := g.stored(t, 0), engine(t), someOf(rng, g.users, 3)
	custom := &algorithms.Custom{Process: "src.dist + edge.weight", Reduce: "min", Init: "id == source ? 0.0 : inf"}
	req := Request{Custom: custom, Sources: sources, Params: map[string]string{}}
	checkSources(t, e, snap, req)
	byText, err := e.Run(context.Background(), snap, req, Events{})
	if err != nil {
		t.Fatal(err)
	}
	program := &algorithms.Program{
		Name: "own", Reduce: algorithms.Min, Order: algorithms.Monotone,
		State:     []algorithms.State{{Name: "dist", Type: algorithms.Float, Init: algorithms.Expr{Source: custom.Init}}},
		Process:   algorithms.Expr{Source: custom.Process},
		Constants: []algorithms.Constant{{Name: plan.SourceName, Type: algorithms.VertexID}},
	}
	built, err := e.Run(context.Background(), snap, Request{Program: program, Sources: sources}, Events{})
	if err != nil || !same(built.Columns, byText.Columns) {
		t.Errorf("%v, %+v\nas text %+v", err, built, byText.Columns)
	}
	if program.Constants[0].Int != 0 {
		t.Error("the caller's program was changed")
	}
}

// One process serves all sources.
func TestSources_OneLaunch(t *testing.T) {
	rng := testseed.Rand(t)
	g := random(rng, 60, 300, true, false, false)
	pids := map[int]bool{}
	_, err := engine(t).Run(context.Background(), g.stored(t, 0),
		Request{Algorithm: "bfs", Sources: someOf(rng, g.users, 5)},
		Events{Launched: func(l Launch) { pids[l.PID] = true }})
	if err != nil || len(pids) != 1 {
		t.Errorf("%d processes, %v", len(pids), err)
	}
}

func TestSources_Refused(t *testing.T) {
	snap := random(testseed.Rand(t), 20, 100, true, false, false).stored(t, 0)
	users := random(testseed.Rand(t), 20, 100, true, false, false).users
	for want, req := range map[string]Request{
		"named twice":       {Algorithm: "bfs", Sources: []string{users[0], users[1], users[0]}},
		"no such vertex":    {Algorithm: "bfs", Sources: []string{users[0], "nobody"}},
		"not both":          {Algorithm: "bfs", Sources: users[:2], Params: map[string]string{plan.SourceName: users[0]}},
		"no such parameter": {Algorithm: "pagerank", Sources: users[:2]},
		"is a procedure":    {Algorithm: "betweenness", Sources: users[:2]},
		"no constant source": {Program: &algorithms.Program{Name: "own", Reduce: algorithms.Min, Order: algorithms.Monotone,
			Process: algorithms.Expr{Source: "src.x"},
			State:   []algorithms.State{{Name: "x", Init: algorithms.Expr{Source: "1.0"}}}}, Sources: users[:2]},
	} {
		_, err := engine(t).Run(context.Background(), snap, req, Events{})
		var asked *RequestError
		var param *algorithms.ParamError
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &asked) && !errors.As(err, &param) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Results that the machine has no room for are refused before anything runs.
func TestSources_ResultsAreBounded(t *testing.T) {
	g := random(testseed.Rand(t), 20, 100, true, false, false)
	e := engine(t)
	e.memory = 8 * 20 * 2 * 2
	_, err := e.Run(context.Background(), g.stored(t, 0), Request{Algorithm: "bfs", Sources: g.users[:3]}, Events{})
	if err == nil || !strings.Contains(err.Error(), "ask for 2 sources at a time") {
		t.Errorf("got %v", err)
	}
}
