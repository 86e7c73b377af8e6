package host

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// shopping are ratings of users, who come first, of items.
func shopping(t *testing.T) *store.Snapshot {
	t.Helper()
	const users, items = 24, 12
	r := testseed.Rand(t)
	graph := random(r, users+items, 0, true, false, false)
	for u := range uint32(users) {
		for _, v := range r.Perm(items)[:5] {
			graph.edges = append(graph.edges, algorithms.Edge{Src: u, Dst: users + uint32(v),
				Weights: map[string]float64{"weight": float64(r.IntN(5))}})
		}
	}
	return graph.stored(t, 0)
}

// Processes learn the bits that threads do, within the budget of all, each is reported, and none is left.
func TestLearn_Processes(t *testing.T) {
	processtest.Traceless(t)
	snap := shopping(t)
	learn := func(workers string, slack int) *Trained {
		req := DefaultFactorization("mf")
		req.Rank, req.Epochs, req.Batch, req.Slack = 3, 6, 7, slack
		if err := (Workers{&req.Processes, &req.Workers}).Set(workers); err != nil {
			t.Fatal(err)
		}
		var pids []int
		engine := NewEngine(0)
		got, err := req.Learn(t.Context(), engine, snap, TrainEvents{Launched: func(l Launch) { pids = append(pids, l.PID) }})
		engine.Close()
		if err != nil {
			t.Fatalf("%s: %v", workers, err)
		}
		if n := max(req.Processes, 1); len(pids) != n || len(slices.Compact(slices.Sorted(slices.Values(pids)))) != n {
			t.Errorf("%s: processes %v", workers, pids)
		}
		for _, pid := range pids {
			if !processtest.Gone(pid) {
				t.Errorf("%s: process %d is left", workers, pid)
			}
		}
		return got
	}
	want, got := learn("4", 0), learn("2x2", 0)
	for i, p := range want.Model.Parameters {
		if !slices.Equal(got.Model.Parameters[i].Numbers, p.Numbers) {
			t.Errorf("%s are others than of threads", p.Name)
		}
	}
	processes := got.Report.Learner.Processes
	if len(processes) != 2 || processes[1].Name != "cpu #2" || processes[1].Workers != 2 || processes[0].EdgesProcessed == 0 {
		t.Errorf("%+v", processes)
	}
	if workers := got.Report.Learner.Workers; len(workers) != 4 {
		t.Errorf("%d workers", len(workers))
	}
	for i, w := range want.Report.Learner.Workers {
		same := got.Report.Learner.Workers[i]
		if same.Edges != w.Edges || same.Pushed != w.Pushed || same.Pulled != w.Pulled {
			t.Errorf("worker %d: %+v, as a thread %+v", i, same, w)
		}
	}
	if got := learn("4x1", 2); got.Report.Learner.Workers[0].Ahead > 2 {
		t.Errorf("%d clocks ahead", got.Report.Learner.Workers[0].Ahead)
	}
}

// A process that is stopped ends the run by an error that names it; so does the budget that all of them need, before
// any has learned.
func TestLearn_ProcessesRefused(t *testing.T) {
	processtest.Traceless(t)
	snap := shopping(t)
	req := DefaultFactorization("mf")
	req.Rank, req.Epochs, req.Processes, req.Workers, req.Timeout = 3, 1<<20, 2, 2, time.Second
	var pids []int
	engine := NewEngine(0)
	_, err := req.Learn(t.Context(), engine, snap, TrainEvents{Launched: func(l Launch) { pids = append(pids, l.PID) },
		Trained: func(e TrainingEpoch) {
			if e.Number == 1 {
				_ = syscall.Kill(pids[1], syscall.SIGSTOP)
			}
		}})
	engine.Close()
	if plugins.KindOf(err) != plugins.KindHung || !strings.Contains(err.Error(), "cpu #2: plugin hung") {
		t.Errorf("%v", err)
	}
	for _, pid := range pids {
		if !processtest.Gone(pid) {
			t.Errorf("process %d is left", pid)
		}
	}
	req.Epochs, req.DeviceMemory = 1, 10_000
	var over *BudgetError
	if _, err := req.Learn(t.Context(), NewEngine(0), snap, TrainEvents{}); !errors.As(err, &over) {
		t.Errorf("%v", err)
	}
	one := over.Need
	req.Processes, req.Workers = 4, 4
	if _, err := req.Learn(t.Context(), NewEngine(0), snap, TrainEvents{}); !errors.As(err, &over) || over.Need <= one {
		t.Errorf("4 processes need %d bytes, and 2 %d: %v", over.Need, one, err)
	}
	var refused *RequestError
	for _, spoil := range []func(*FactorizeRequest){
		func(r *FactorizeRequest) { r.Workers = 3 },
		func(r *FactorizeRequest) { r.Processes, r.Workers = 40, 40 },
		func(r *FactorizeRequest) { r.Cluster.LinkLatency = 1 },
	} {
		req := DefaultFactorization("mf")
		req.Processes, req.Workers = 2, 2
		spoil(req)
		if _, err := req.Learn(t.Context(), NewEngine(0), snap, TrainEvents{}); !errors.As(err, &refused) {
			t.Errorf("%+v: %v", req.MegaOptions, err)
		}
	}
}

// Of several processes of a third party's program one whose worker dies or hangs, and one that is stopped in the middle
// of an epoch, end the run by an error that names it, and none is left.
func TestLearn_ProcessesThatFail(t *testing.T) {
	snap := crossing(t)
	for _, c := range []struct {
		how  string
		kind plugins.Kind
		says string
	}{
		{"well", 0, ""},
		{"undivided", plugins.KindUnsupported, "#1: unsupported: it does not have the extension workers, so that 2 processes " +
			"cannot divide its 2 workers: have them be threads of one process, by workers 2"},
		{"dies always", plugins.KindDied,
			"#2: plugin died: third: worker 1 of 2 has died in Exchange of left vertices (epoch 2, clock 2)"},
		{"hangs", plugins.KindHung, "#2: plugin hung: third: worker 1 of 2 hangs in Exchange of left vertices (epoch 2, " +
			"clock 2): nothing has come of it for 1s"},
		{"stops", plugins.KindHung, "#2: plugin hung: no answer for "},
	} {
		t.Run(c.how, func(t *testing.T) {
			processtest.Traceless(t)
			got, err := learnWorking(t, snap, c.how, time.Second, started)
			if c.says != "" {
				if plugins.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v", err)
			}
			if numbers := got.Model.Parameters[0].Numbers; numbers[0] != 15 || len(got.Report.Learner.Workers) != 2 {
				t.Errorf("counted %v, by %d workers", numbers[0], len(got.Report.Learner.Workers))
			}
		})
	}
}

// learnWorking has the third party's program learn in two processes, which it looks after.
func learnWorking(t *testing.T, snap *store.Snapshot, how string, patience, timeout time.Duration) (*Trained, error) {
	t.Helper()
	t.Setenv(worksVariable, how)
	req := DefaultFactorization("mf")
	req.Rank, req.Epochs, req.Workers, req.Processes, req.Split, req.Device = 2, 5, 2, 2, "1,0,0", ownPath(t)
	req.WorkerTimeout, req.Timeout = patience, timeout
	engine, pids := NewEngine(0), []int(nil)
	got, err := req.Learn(t.Context(), engine, snap, TrainEvents{Launched: func(l Launch) { pids = append(pids, l.PID) }})
	engine.Close()
	if len(pids) != 2 {
		t.Errorf("%d launches", len(pids))
	}
	for _, pid := range pids {
		if !processtest.Gone(pid) {
			t.Errorf("process %d is left", pid)
		}
	}
	return got, err
}

// A process that takes long for an epoch, since its program or a link that is simulated does, shows life meanwhile:
// neither it nor one that waits for it is taken for one that hangs.
func TestLearn_SlowIsNotHung(t *testing.T) {
	if !long.Tests() {
		t.Skip("of sleeping: with PENSTOCK_LONG=1")
	}
	if _, err := learnWorking(t, crossing(t), "slow", 2*slowly, briefly); err != nil {
		t.Errorf("a slow program: %v", err)
	}
	req := DefaultFactorization("mf")
	req.Rank, req.Epochs, req.Workers, req.Cluster.LinkLatency, req.Timeout = 3, 1, 2, slowly, briefly
	if _, err := req.Learn(t.Context(), NewEngine(0), shopping(t), TrainEvents{}); err != nil {
		t.Errorf("a slow link: %v", err)
	}
}

// Nor is a process that halts time and again.
func TestLearn_HaltingIsNotHung(t *testing.T) {
	req := DefaultFactorization("mf")
	req.Rank, req.Workers, req.Processes, req.Epochs, req.Timeout = 3, 2, 2, 1<<20, started
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	enough := errors.New("enough")
	var pids []int
	var halting sync.WaitGroup
	halt := func() {
		for range 6 {
			_ = syscall.Kill(pids[1], syscall.SIGSTOP)
			time.Sleep(started / 5)
			_ = syscall.Kill(pids[1], syscall.SIGCONT)
			time.Sleep(started / 50)
		}
		cancel(enough)
	}
	_, err := req.Learn(ctx, NewEngine(0), shopping(t), TrainEvents{
		Launched: func(l Launch) { pids = append(pids, l.PID) },
		Trained: func(e TrainingEpoch) {
			if e.Number == 1 {
				halting.Go(halt)
			}
		}})
	halting.Wait()
	if !errors.Is(err, enough) {
		t.Errorf("%v", err)
	}
}

func TestWorkers_Set(t *testing.T) {
	for text, want := range map[string][2]int{"4": {1, 4}, "4x2": {4, 8}, "1x3": {1, 3}, "0": {1, 0}, "0x2": {}, "2x": {}, "2x0": {},
		"x2": {}, "2x2x2": {}, "-2x-2": {}, "600x2": {}, "": {}} {
		var got [2]int
		err := Workers{&got[0], &got[1]}.Set(text)
		if got != want || (err != nil) != (want == [2]int{}) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}
