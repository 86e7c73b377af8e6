package host

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/faulty"
	"github.com/penstock-db/penstock/internal/handshake"
	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu"
)

// faultsVariable has the script of the faults of this test program as a plugin.
var faultsVariable = ownVariable("FAULTS")

// beFaulty serves when this program has been started as a plugin, by its path.
func beFaulty() {
	if !handshake.Launched() {
		return
	}
	beKilled()
	beLaned()
	beOwner()
	beSelecting()
	device, err := faulty.New(cpu.New(cpu.Options{}), os.Getenv(faultsVariable))
	if err != nil {
		panic(err)
	}
	plugins.Serve(device)
	os.Exit(0)
}

// A device that dies, hangs, lies or takes too much ends the run with an error that says
// so, and nothing else: no process is left, and the next run succeeds.
func TestRun_FaultyDevices(t *testing.T) {
	snap := random(seeded(t), 100, 1000, true, false, false).stored(t, 2048)
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	type fault struct {
		script, algorithm, schedule string
		kind                        plugins.Kind
		says                        string
	}
	for _, c := range long.Draw(t, []fault{
		{"die at describe", "pagerank", "auto", plugins.KindDied, "exit status 3"},
		{"die at open", "pagerank", "auto", plugins.KindDied, "exit status 3"},
		{"die at compile", "pagerank", "auto", plugins.KindDied, "exit status 3"},
		{"die at upload 2", "pagerank", "auto", plugins.KindDied, "exit status 3"},
		{"die at iterate", "pagerank", "auto", plugins.KindDied, "exit status 3"},
		{"die at step 7", "pagerank", "whole", plugins.KindDied, "exit status 3"},
		{"die at apply 3", "pagerank", "whole", plugins.KindDied, "exit status 3"},
		{"die at evict 2", "pagerank", "whole", plugins.KindDied, "exit status 3"},
		{"die at call", "lcc", "auto", plugins.KindDied, "exit status 3"},
		{"hang at describe", "pagerank", "auto", plugins.KindHung, "no answer"},
		{"hang at compile", "pagerank", "auto", plugins.KindHung, "no answer"},
		{"hang at iterate", "pagerank", "auto", plugins.KindHung, "no answer"},
		{"hang at step 3", "pagerank", "whole", plugins.KindHung, "no answer"},
		{"exceed at init", "pagerank", "auto", plugins.KindBudget, "of a budget of"},
		{"exceed at upload 2", "pagerank", "whole", plugins.KindBudget, "of a budget of"},
		{"exceed at call", "lcc", "auto", plugins.KindBudget, "of a budget of"},
		{"lie at every evict", "pagerank", "whole", plugins.KindInvalid, "resident already"},
		{"lie at upload 2", "pagerank", "whole", plugins.KindInvalid, "not resident"},
	}, 5) {
		t.Run(c.script, func(t *testing.T) {
			processtest.Traceless(t)
			t.Setenv(faultsVariable, c.script)
			var pid int
			req := Request{Algorithm: c.algorithm, Device: self, Schedule: c.schedule, Timeout: time.Minute}
			if strings.HasPrefix(c.script, "hang") {
				req.Timeout = 2 * time.Second // it also has to start within that
			}
			_, err := Run(context.Background(), snap, req, Events{Launched: func(l Launch) { pid = l.PID }})
			if err == nil || plugins.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v; want a %v that says %q", err, c.kind, c.says)
			}
			if pid != 0 && !processtest.Gone(pid) {
				t.Error("the plugin outlived the run")
			}
		})
	}
	mustRun(t, snap, Request{Algorithm: "pagerank", Device: self})
}

// A device that does not close is killed; the result was whole before.
func TestRun_DeviceThatDoesNotClose(t *testing.T) {
	snap := random(seeded(t), 100, 1000, true, false, false).stored(t, 0)
	processtest.Traceless(t)
	t.Setenv(faultsVariable, "hang at close")
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	mustRun(t, snap, Request{Algorithm: "pagerank", Device: self, Timeout: time.Second})
}
