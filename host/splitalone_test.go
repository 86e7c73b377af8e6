package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// Wherever the second device dies, hangs or takes too much, the first finishes alone, with the same answer, says so,
// and leaves no process behind.
func TestSplit_GoesOnAlone(t *testing.T) {
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	type accident struct{ algorithm, script string }
	for _, c := range long.Draw(t, []accident{
		{"wcc", "die at upload"}, {"wcc", "die at init"}, {"sssp", "die at settle"}, {"sssp", "die at deliver"},
		{"wcc", "die at deliver 2"},
		{"widest-path", "die at settle 2"}, {"sssp", "hang at settle"},
		{"pagerank", "die at upload"}, {"pagerank", "die at restore"}, {"pagerank", "die at gather"},
		{"num-paths", "die at step 2"},
		{"pagerank", "die at gather 3"}, {"pagerank-delta", "die at restore 4"}, {"pagerank", "hang at gather 2"},
		{"pagerank", "exceed at gather"}, {"sssp", "exceed at settle"},
	}, 4) {
		t.Run(c.algorithm+", "+c.script, func(t *testing.T) {
			a, err := catalog.Lookup(c.algorithm)
			if err != nil {
				t.Fatal(err)
			}
			rng := testseed.Rand(t)
			g, params := powerLaw(rng, a)
			snap := g.stored(t, 512+rng.IntN(2048))
			processtest.Traceless(t)
			t.Setenv(faultsVariable, c.script)
			req := Request{Algorithm: a.Name, Params: params, Device: "cpu+" + self, Core: "degree:60%"}
			if strings.HasPrefix(c.script, "hang") {
				req.Timeout = 2 * time.Second // it also has to start within that
			}
			var notices []error
			var pids []int
			got, err := Run(context.Background(), snap, req, Events{
				Launched: func(l Launch) { pids = append(pids, l.PID) },
				Noticed:  func(err error) { notices = append(notices, err) },
			})
			if err != nil {
				t.Fatal(err)
			}
			checkOracle(t, snap, g, a, req, got)
			if happened := got.Report.Core.Alone != ""; happened != (len(notices) == 1) || !happened && !mayEndBefore(c.script) {
				t.Errorf("%+v; notices %v", got.Report.Core, notices)
			}
			for _, pid := range pids {
				if !processtest.Gone(pid) {
					t.Errorf("process %d has outlived the run", pid)
				}
			}
		})
	}
}

// mayEndBefore tells whether a run may be over before something happens.
func mayEndBefore(script string) bool {
	return script[len(script)-1] >= '2' && script[len(script)-1] <= '9'
}

// A second device that is killed half-way, from outside.
func TestSplit_KilledHalfWay(t *testing.T) { checkKilled(t, "cpu+cpu", "") }

func TestSplit_NPUKilledHalfWay(t *testing.T) { checkKilled(t, "cpu+npu", withRuntime(t)) }

func checkKilled(t *testing.T, device, pluginDir string) {
	t.Helper()
	for name, params := range map[string]map[string]string{"pagerank": {"iterations": "12", "tolerance": "0"},
		"sssp": {}} {
		a, err := catalog.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		g := random(testseed.Rand(t), 300, 3000, true, false, false)
		if name == "sssp" {
			params["source"] = g.users[0]
		}
		snap := g.stored(t, 2048)
		var pids []int
		req := Request{Algorithm: name, Params: params, Device: device, PluginDir: pluginDir, Core: "degree:20%"}
		got, err := Run(context.Background(), snap, req, Events{
			Launched: func(l Launch) { pids = append(pids, l.PID) },
			Iterated: func(i IterationReport) {
				if i.Number == 4 || name == "sssp" && i.Number == 1 {
					syscall.Kill(pids[1], syscall.SIGKILL)
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		checkOracle(t, snap, g, a, req, got)
		if c := got.Report.Core; name == "pagerank" && (c.Alone == "" || c.Merges < 4 || got.Report.Iterations != 12) {
			t.Errorf("%d iterations, %+v", got.Report.Iterations, c)
		}
	}
}

// What is no accident ends the run: a first device that dies, a second that lies, or is not there to begin with.
func TestSplit_Fails(t *testing.T) {
	snap := random(testseed.Rand(t), 300, 3000, true, false, false).stored(t, 2048)
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(self) + " #2"
	for script, kind := range map[string]plugins.Kind{
		"die at describe": plugins.KindDied, "die at compile": plugins.KindDied, "lie at upload": plugins.KindInvalid,
	} {
		t.Run(script, func(t *testing.T) {
			processtest.Traceless(t)
			t.Setenv(faultsVariable, script)
			if _, err := Run(context.Background(), snap, Request{Algorithm: "pagerank", Device: "cpu+" + self,
				Core: "degree:20%"}, Events{}); err == nil || !isOf(kind, name)(err) {
				t.Errorf("error %v; want a %v of %s", err, kind, name)
			}
		})
	}
	var pids []int
	_, err = Run(context.Background(), snap, withDevice(endless("auto"), "cpu+cpu"), Events{
		Launched: func(l Launch) { pids = append(pids, l.PID) },
		Iterated: func(i IterationReport) {
			if i.Number == 2 {
				syscall.Kill(pids[0], syscall.SIGKILL)
			}
		},
	})
	if err == nil || !isOf(plugins.KindDied, "cpu #1")(err) {
		t.Errorf("the first killed: error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := Run(ctx, snap, withDevice(endless("auto"), "cpu+cpu"),
		Events{Iterated: func(IterationReport) { cancel() }}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: error %v", err)
	}
}

func withDevice(req Request, device string) Request {
	req.Device = device
	return req
}
