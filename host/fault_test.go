package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/faulty"
	"github.com/penstock-db/penstock/internal/handshake"
	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/registry"
	"github.com/penstock-db/penstock/internal/testseed"
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
	beMeeting()
	beWhole()
	beIterating()
	beOlder()
	bePlanningOnce()
	beSelecting()
	beWorking()
	device, err := faulty.New(cpu.New(cpu.Options{}), os.Getenv(faultsVariable))
	if err != nil {
		panic(err)
	}
	serve(device)
}

// serve serves a device, by the name under which it has been installed if that is npu, until nobody needs it.
func serve(device plugins.Device) {
	if filepath.Base(os.Args[0]) == registry.NPU {
		device = called{device, registry.NPU}
	}
	plugins.Serve(device)
	os.Exit(0)
}

// called is a device of another name.
type called struct {
	plugins.Device
	name string
}

func (c called) Describe(ctx context.Context) (plugins.Description, error) {
	about, err := c.Device.Describe(ctx)
	about.Name = c.name
	return about, err
}

// A device that dies, hangs, lies or takes too much ends the run with an error that says
// so, and nothing else: no process is left, and the next run succeeds.
func TestRun_FaultyDevices(t *testing.T) {
	snap := random(testseed.Rand(t), 100, 1000, true, false, false).stored(t, 2048)
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

// A device whose process takes more memory than its budget is killed, whatever it says of itself, and the error names
// the budget and what was measured.
func TestRun_DeviceThatSwells(t *testing.T) {
	snap := random(testseed.Rand(t), 100, 1000, true, false, false).stored(t, 2048)
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	const budget = 16 << 20
	for _, script := range []string{"swell at open", "swell at compile", "swell at step 3", "swell at upload"} {
		t.Run(script, func(t *testing.T) {
			processtest.Traceless(t)
			t.Setenv(faultsVariable, script)
			var pid, launched int
			req := Request{Algorithm: "pagerank", Device: self, DeviceMemory: budget, Resume: script == "swell at step 3",
				CheckpointDir: t.TempDir()}
			events := Events{Launched: func(l Launch) { pid, launched = l.PID, launched+1 }}
			_, err := Run(context.Background(), snap, req, events)
			var over *MemoryError
			if plugins.KindOf(err) != plugins.KindDied || !errors.As(err, &over) {
				t.Fatalf("error %v", err)
			}
			if over.Limit.Budget != budget || over.Own <= over.Limit.Bytes() || over.Own > 4<<30 {
				t.Errorf("error %v: of %+v", err, over)
			}
			if launched != 1 || !processtest.Gone(pid) {
				t.Errorf("of %d plugins, %d outlived the run: one is started, and not once more, and ends", launched, pid)
			}
		})
	}
	r := mustRun(t, snap, Request{Algorithm: "pagerank", Device: self, DeviceMemory: budget}).Report
	if len(r.Memory) != 1 || r.Memory[0].Limit < budget || r.Memory[0].Own == 0 || r.Memory[0].Own > r.Memory[0].Limit ||
		r.Memory[0].Resident < r.Memory[0].Own {
		t.Errorf("of a run that keeps to its memory: %+v", r.Memory)
	}
}

// A device that does not close is killed; the result was whole before.
func TestRun_DeviceThatDoesNotClose(t *testing.T) {
	snap := random(testseed.Rand(t), 100, 1000, true, false, false).stored(t, 0)
	processtest.Traceless(t)
	t.Setenv(faultsVariable, "hang at close")
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	mustRun(t, snap, Request{Algorithm: "pagerank", Device: self, Timeout: time.Second})
}
