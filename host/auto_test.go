package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/host/internal/choose"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/rates"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/registry"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// withNPU is a plugin directory in which this test program is installed as npu: the CPU device, with faults and lanes
// by its variables.
func withNPU(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	program, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, registry.NPU), 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, registry.NPU, registry.NPU)
	if err := os.WriteFile(path, program, 0o700); err != nil {
		t.Fatal(err)
	}
	digest, err := launch.Digest(path)
	if err != nil {
		t.Fatal(err)
	}
	lock, err := json.Marshal(registry.Lock{Version: 1, Plugins: map[string]registry.Locked{
		registry.NPU: {Version: "1", Platforms: map[string]registry.File{registry.Platform: {File: registry.NPU,
			SHA256: digest}}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, registry.LockFile), lock, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// knowing is an engine that knows how long both devices take for what req asks: so many seconds.
func knowing(t testing.TB, snap *store.Snapshot, req Request, cpu, npu float64) *Engine {
	t.Helper()
	e := engine(t)
	known := knownOf(t, e, snap, req)
	for device, seconds := range map[string]float64{plan.CPUDevice: cpu, registry.NPU: npu} {
		spec, err := e.finder(req).Spec(device)
		if err != nil {
			t.Fatal(err)
		}
		w, err := known.Work(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		w.Rounds = 3
		known.Book.Add(known.Key(spec), known.Kind(), 0,
			rates.Sample{Work: w, Load: seconds / 2, Compute: seconds / 2, Peak: 1000})
	}
	return e
}

// knownOf is what an engine knows of what req asks for.
func knownOf(t testing.TB, e *Engine, snap *store.Snapshot, req Request) choose.Known {
	t.Helper()
	c, err := plan.Bind(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	return e.known(c, snap)
}

// The sooner device is chosen, says why, and computes the same.
func TestAuto_ChoosesTheSooner(t *testing.T) {
	rng := testseed.Rand(t)
	g := random(rng, 50, 300, true, false, false)
	snap := g.stored(t, 0)
	req := Request{Algorithm: "bfs", Params: map[string]string{"source": g.users[0]}, PluginDir: withNPU(t)}
	want := mustRun(t, snap, Request{Algorithm: "bfs", Params: req.Params})
	for _, c := range []struct {
		cpu, npu float64
		chosen   string
	}{{0.1, 0.2, plan.CPUDevice}, {0.2, 0.1, registry.NPU}} {
		result, err := knowing(t, snap, req, c.cpu, c.npu).Run(context.Background(), snap, req, Events{})
		if err != nil {
			t.Fatal(err)
		}
		choice := result.Report.Choice
		if !same(result.Columns, want.Columns) || choice == nil || choice.Device != c.chosen || len(choice.Options) != 2 {
			t.Fatalf("%+v; expected %s", choice, c.chosen)
		}
		for i, seconds := range []float64{c.cpu, c.npu} {
			if o := choice.Options[i]; o.Refused != "" || o.Seconds < 0.9*seconds || o.Seconds > 1.1*seconds || o.Rounds != 3 ||
				o.Bytes == 0 {
				t.Errorf("%+v; expected %g seconds", o, seconds)
			}
		}
	}
}

// Where the owner of the database has not enabled npu it is not chosen, however soon it would be done.
func TestAuto_OnlyWhatIsEnabled(t *testing.T) {
	rng := testseed.Rand(t)
	g := random(rng, 50, 300, true, false, false)
	snap := g.stored(t, 0)
	req := Request{Algorithm: "bfs", Params: map[string]string{"source": g.users[0]}, PluginDir: withNPU(t)}
	for _, c := range []struct {
		enabled []string
		chosen  bool
	}{{[]string{}, false}, {[]string{registry.NPU}, true}, {nil, true}} {
		e := knowing(t, snap, req, 0.2, 0.1)
		req := req
		req.Allowed.Enabled = Allowlist{Database: "db", Names: c.enabled}
		r, _ := runOn(t, e, snap, req)
		if choice := r.Report.Choice; (choice != nil && choice.Device == registry.NPU) != c.chosen {
			t.Errorf("%q are enabled: %+v", c.enabled, choice)
		}
	}
}

// What npu cannot do is the CPU's, and the choice says why; a budget that a matrix does not fit as well.
func TestAuto_SaysWhyNot(t *testing.T) {
	rng := testseed.Rand(t)
	g := random(rng, 4000, 6000, true, false, false)
	snap := g.stored(t, 0)
	dir := withNPU(t)
	for want, req := range map[string]Request{
		"procedure":      {Algorithm: "lcc"},
		"schedule":       {Algorithm: "pagerank", Schedule: "subway"},
		"more bits than": {Algorithm: "pagerank", DeviceMemory: 1_000_000},
	} {
		req.PluginDir = dir
		result, err := engine(t).Run(context.Background(), snap, req, Events{})
		if err != nil {
			t.Fatal(err)
		}
		if c := result.Report.Choice; c == nil || c.Device != plan.CPUDevice ||
			!strings.Contains(c.Options[1].Refused, want) {
			t.Errorf("%+v; expected that it says %q", c, want)
		}
	}
	if c := mustRun(t, snap, Request{Algorithm: "pagerank", PluginDir: t.TempDir()}).Report.Choice; c != nil {
		t.Errorf("a choice without npu: %+v", c)
	}
}

// When the device that was chosen fails, the CPU computes, and the user is told.
func TestAuto_CPUStepsIn(t *testing.T) {
	rng := testseed.Rand(t)
	g := random(rng, 50, 300, true, false, false)
	snap := g.stored(t, 0)
	req := Request{Algorithm: "pagerank", PluginDir: withNPU(t)}
	want := mustRun(t, snap, Request{Algorithm: "pagerank"})
	for _, fault := range []string{"die at describe", "die at compile", "die at iterate", "exceed at init"} {
		e := knowing(t, snap, req, 0.2, 0.1)
		t.Setenv(launch.OwnVariable(registry.NPU, "FAULTS"), fault)
		var noticed []string
		result, err := e.Run(context.Background(), snap, req,
			Events{Noticed: func(err error) { noticed = append(noticed, err.Error()) }})
		if err != nil {
			t.Fatalf("%s: %v", fault, err)
		}
		if !same(result.Columns, want.Columns) || result.Report.Device != plan.CPUDevice || len(noticed) != 1 ||
			!strings.Contains(noticed[0], "the CPU computes instead") {
			t.Errorf("%s: on %s, noticed %q", fault, result.Report.Device, noticed)
		}
		if c := result.Report.Choice; c == nil || c.Options[1].Refused == "" {
			t.Errorf("%s: %+v", fault, c)
		}
	}
}

// Until runs have taken as long on the CPU as measuring takes, they are the CPU's. Then both devices are measured,
// once, by every process that uses the directory.
func TestAuto_MeasuresOnceItPays(t *testing.T) {
	rng := testseed.Rand(t)
	g := random(rng, 50, 300, true, false, false)
	snap := g.stored(t, 0)
	t.Setenv(launch.OwnVariable(registry.NPU, "LANES"), fmt.Sprint(4, 4))
	req := Request{Algorithm: "sssp", Sources: someOf(rng, g.users, 3), PluginDir: withNPU(t)}
	e := engine(t)
	for range 3 {
		result, err := e.Run(context.Background(), snap, req, Events{Noticed: func(err error) { t.Error(err) }})
		if err != nil {
			t.Fatal(err)
		}
		if c := result.Report.Choice; c == nil || c.Device != plan.CPUDevice ||
			!strings.Contains(c.Options[1].Refused, "not measured") {
			t.Errorf("%+v", c)
		}
	}
	known := knownOf(t, e, snap, req)
	cpu, err := e.finder(req).Spec(plan.CPUDevice)
	if err != nil {
		t.Fatal(err)
	}
	known.Book.Add(known.Key(cpu), known.Kind(), 1,
		rates.Sample{Work: core.Work{Vertices: 1e6, Edges: 1e7, Linked: 1e6, Rounds: 3}, Compute: 10, Peak: 1000})
	if err := known.Book.Save(0); err != nil {
		t.Fatal(err)
	}
	e.Close()
	for i := range 2 {
		noticed := 0
		e := engine(t)
		e.graphs = e.graphs[:2]
		result, err := e.Run(context.Background(), snap, req, Events{Noticed: func(error) { noticed++ }})
		if err != nil {
			t.Fatal(err)
		}
		if c := result.Report.Choice; c == nil || c.Options[0].Seconds <= 0 || c.Options[1].Seconds <= 0 || noticed != 1-i {
			t.Errorf("run %d: %+v, noticed %d times", i, c, noticed)
		}
		e.Close()
	}
}

// What a run is expected to take counts with what others have taken; and what measuring took is known to the next kind.
func TestAuto_CountsWhatIsToCome(t *testing.T) {
	rng := testseed.Rand(t)
	g := random(rng, 50, 300, true, false, false)
	snap := g.stored(t, 0)
	req := Request{Algorithm: "wcc", PluginDir: withNPU(t)}
	e := engine(t)
	e.graphs = e.graphs[:2]
	known := knownOf(t, e, snap, req)
	cpu, errCPU := e.finder(req).Spec(plan.CPUDevice)
	npu, errNPU := e.finder(req).Spec(registry.NPU)
	w, err := known.Work(context.Background())
	if err := errors.Join(err, errCPU, errNPU); err != nil {
		t.Fatal(err)
	}
	w.Rounds = 3
	for range 2 { // 3.8 s of the 4 that measuring takes before it was ever done
		known.Book.Add(known.Key(cpu), known.Kind(), 1, rates.Sample{Work: w, Compute: 1.9, Peak: 1000})
	}
	noticed := 0
	if _, err := e.Run(context.Background(), snap, req, Events{Noticed: func(error) { noticed++ }}); err != nil {
		t.Fatal(err)
	}
	took := known.Book.Trials(known.Key(npu))
	if noticed != 1 || took <= 0 {
		t.Errorf("measured %d times, in %g s", noticed, took)
	}
	req.Algorithm = "pagerank"
	if r, _ := runOn(t, e, snap, req); !strings.HasSuffix(r.Report.Choice.Options[1].Refused,
		fmt.Sprintf("to measure both takes %.2g s", took)) {
		t.Errorf("%+v; measuring took %g s", r.Report.Choice, took)
	}
}

// Runs that were not to choose are learned from.
func TestAuto_LearnsFromEveryRun(t *testing.T) {
	rng := testseed.Rand(t)
	snap := random(rng, 50, 300, true, false, false).stored(t, 0)
	dir, e := withNPU(t), engine(t)
	for _, device := range []string{plan.CPUDevice, registry.NPU} {
		req := Request{Algorithm: "wcc", Device: device, PluginDir: dir}
		runOn(t, e, snap, req)
		known := knownOf(t, e, snap, req)
		spec, err := e.finder(req).Spec(device)
		if err != nil {
			t.Fatal(err)
		}
		if f, ok := known.Forecast(spec, core.Work{Vertices: 50, Edges: 300, Linked: 50}); !ok || f.Rounds < 1 ||
			f.Launch <= 0 {
			t.Errorf("%s: %+v", device, f)
		}
	}
}

// BenchmarkAuto compares a run on a warm device without a choice and with one.
func BenchmarkAuto(b *testing.B) {
	g := random(rand.New(rand.NewPCG(1, 1)), 8192, 65536, true, false, false)
	snap := g.stored(b, 0)
	req := Request{Algorithm: "bfs", Params: map[string]string{"source": g.users[0]}}
	for name, dir := range map[string]string{"without": b.TempDir(), "with": withNPU(b)} {
		req.PluginDir = dir
		e := NewEngine(time.Hour)
		if name == "with" {
			e = knowing(b, snap, req, 0.001, 1)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := e.Run(context.Background(), snap, req, Events{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		e.Close()
	}
}

// BenchmarkChoose is what choosing takes where the question has been put before.
func BenchmarkChoose(b *testing.B) {
	g := random(rand.New(rand.NewPCG(1, 1)), 8192, 65536, true, false, false)
	snap := g.stored(b, 0)
	req := Request{Algorithm: "bfs", Params: map[string]string{"source": g.users[0]}, PluginDir: withNPU(b)}
	e := knowing(b, snap, req, 0.001, 1)
	c, err := plan.Bind(context.Background(), snap, req)
	if err != nil {
		b.Fatal(err)
	}
	time.Sleep(time.Second) // until the lock file is so old that it need not be read again
	for b.Loop() {
		if _, choice, err := chooseDevice(b.Context(), c.Request, e.chooser(c, attempt{snap: snap})); err != nil ||
			choice == nil {
			b.Fatal(err, choice)
		}
	}
}

// Of sums of changes, which keep to a tolerance, auto sends active lists alone where that is less, also where no chunk
// fits the device, so that nothing settles. Step by step it pulls along whole lists, whatever it measures.
func TestRun_AutoSendsActiveListsOfChanges(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	g := random(testseed.Rand(t), 3000, 40_000, true, false, false)
	snap := g.stored(t, 1<<20) // a chunk a direction
	req := Request{Algorithm: "pagerank-delta"}
	within, _ := withRoom(t, snap, req, 0.25)
	within.Schedule = "subway"
	lists := mustRun(t, snap, within)
	within.Schedule = "auto"
	got := mustRun(t, snap, within)
	if r := got.Report; r.Schedule != "auto" || r.Bytes.Transfer > lists.Report.Bytes.Transfer*11/10 {
		t.Errorf("%d bytes by %s, because %s; %d by subway", r.Bytes.Transfer, r.Schedule, r.Why, lists.Report.Bytes.Transfer)
	}
	checkClose(t, g, within, got, nil)
	within.Synchronous = true
	if r := mustRun(t, snap, within).Report; !strings.Contains(r.Kernel, "pull") {
		t.Errorf("step by step, by %s", r.Kernel)
	}
}
