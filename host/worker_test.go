package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/mega/kept"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/store"
)

// worksVariable makes this test program, as a plugin, a device of a third party whose program of two workers counts
// epochs; its value says what becomes of the second of them in epoch 3: dies, unless it goes on from a checkpoint,
// dies always, hangs, stops with its process, or is slow; or it is undivided, not for several processes.
var worksVariable = ownVariable("WORKS")

// beWorking serves when this program has been started as such a plugin.
func beWorking() {
	if os.Getenv(worksVariable) == "" {
		return
	}
	serve(working{cpu.New(cpu.Options{})})
}

type working struct{ plugins.Device }

func (w working) Describe(ctx context.Context) (plugins.Description, error) {
	about, err := w.Device.Describe(ctx)
	about.Name = "third"
	if os.Getenv(worksVariable) == "undivided" {
		about.Extensions = slices.DeleteFunc(slices.Clone(about.Extensions), func(e plugins.Extension) bool {
			return e == plugins.ExtensionWorkers
		})
	}
	return about, err
}

func (working) Open(_ context.Context, job plugins.Job) (plugins.Session, error) {
	return kit.Open(kit.Setup{Device: "third", Job: job, Compile: func(_ context.Context, task plugins.Task,
		_ *kit.Budget) (kit.Compiled, error) {
		rows, err := kit.OpenRows(job.Arena, task.Layout, int(job.Graph.Vertices))
		return kit.Compiled{Plan: plugins.Plan{Directions: []chunk.Direction{chunk.Out},
			Fixed: kit.LayoutBytes(task.Layout), Kernel: "counting"}, EdgeColumns: []string{task.Args.Strings["label"]},
			Procedure: &counting{task: task, rows: rows}}, err
	}})
}

// counting is what the third party's program does: it adds up, over epochs, what each of two edges says.
type counting struct {
	task     plugins.Task
	rows     kit.Rows
	course   *mega.Course[float64, float64, float64] // nil: it has not begun
	restored bool
	tell     func(plugins.Event)
}

func (*counting) Call(context.Context, []*kit.Chunk, func(float64)) (uint64, error) { return 0, nil }

func (c *counting) Learn(ctx context.Context, _ []*kit.Chunk, tell func(plugins.Event)) (uint64, error) {
	c.tell = tell
	row := c.bytes(kept.Row)
	if c.course == nil {
		if err := c.begin(row); err != nil {
			return 0, err
		}
	}
	done, err := c.course.Continue(ctx)
	switch {
	case err != nil:
	case done:
		var all []plugins.Work
		for _, w := range c.course.Report().Workers {
			all = append(all, plugins.Work{Edges: w.Edges})
		}
		if tell(plugins.Event{Work: all}); c.among().Number > 0 {
			break
		}
		kept.Clear(row)
		for i := range c.rows["factors"] {
			c.rows["factors"][i] = float32(c.course.State().Right[0])
		}
	default:
		var n int
		n, err = c.course.Save(kept.Room(row))
		kept.Close(row, c.course.Epochs(), n)
	}
	return 2, err
}

// bytes is a row as bytes.
func (c *counting) bytes(row string) []byte {
	numbers := c.rows[row]
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(numbers))), 4*len(numbers))
}

// among is which of the processes this is.
func (c *counting) among() mega.Processes {
	ints := c.task.Args.Ints
	return mega.Processes{Number: int(ints[plugins.ProcessArgument]), Of: int(ints[plugins.ProcessesArgument]),
		Room: c.bytes(plugins.RoomRow)}
}

// begin makes a run ready, which goes on from what was kept, if anything was.
func (c *counting) begin(row []byte) (err error) {
	o := mega.Options{Workers: 2, Epochs: int(c.task.Args.Ints["epochs"]), Pause: func() bool { return len(row) > 0 },
		Patience: time.Duration(c.task.Args.Ints["worker_timeout_nanos"]), Processes: c.among(),
		Alive: func() { c.tell(plugins.Event{}) }, Epoch: func(number int, loss float64) {
			var e plugins.Event
			if c.among().Number == 0 {
				e.Epoch = &plugins.Epoch{Number: number + 1, Loss: loss}
			}
			c.tell(e)
		}}
	c.course, err = mega.Start(&mega.Program[float64, float64, float64]{Name: "third", Right: mega.Rows{Shared: 1},
		Exchange: func(w *mega.Worker[float64], _, v []float64, edge *float64) {
			if v[0] += *edge; w.Number == 1 && w.Epoch == 2 {
				c.fail()
			}
		}, Stages: []mega.Stage{mega.Exchange(), mega.Sync()}},
		&mega.Graph[float64]{Rights: 1, Offsets: []int64{0, 1, 2}, Targets: []uint32{0, 0}, Edges: []float64{1, 2}}, o)
	if err != nil || len(row) == 0 {
		return err
	}
	epochs, bytes, err := kept.Open(row)
	if c.restored = epochs > 0; c.restored {
		err = c.course.Restore(bytes)
	}
	return err
}

// fail is what comes of the second worker in epoch 3.
func (c *counting) fail() {
	switch how := os.Getenv(worksVariable); {
	case how == "hangs":
		select {}
	case how == "stops":
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		select {} // other threads may stop sooner than this one
	case how == "slow":
		time.Sleep(slowly)
	case how == "dies always" || how == "dies" && !c.restored:
		panic("worn out")
	}
}

// briefly is how long a device may be silent that does not answer, and slowly longer than one may be without a sign
// of life.
const (
	briefly = time.Second
	slowly  = 12 * briefly
	started = 4 * briefly // within which a process starts, however busy the machine
)

// crossing are six edges, each between two vertices of its own.
func crossing(t *testing.T) *store.Snapshot {
	t.Helper()
	graph := random(testseed.Rand(t), 12, 0, true, false, false)
	for u := range uint32(6) {
		graph.edges = append(graph.edges, algorithms.Edge{Src: u, Dst: 6 + u, Weights: map[string]float64{"weight": 1}})
	}
	return graph.stored(t, 0)
}

// ownPath is that of this test program, as that of a plugin.
func ownPath(t *testing.T) string {
	t.Helper()
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	return self
}

// A worker of a third party's program that dies ends the run with an error that names it; with --resume it goes on in
// another process from the last checkpoint, once. One that hangs ends the run within its time. No process is left.
func TestLearn_WorkersThatFail(t *testing.T) {
	snap, self := crossing(t), ownPath(t)
	for _, c := range []struct {
		how             string
		resume          bool
		kind            plugins.Kind
		says            string
		launches, after int
	}{
		{"well", false, 0, "", 1, 0},
		{"undivided", false, 0, "", 1, 0},
		{"dies always", false, plugins.KindDied, "worker 1 of 2 has died in Exchange of left vertices (epoch 2, clock 2): " +
			"worn out at worker_test.go:", 1, 0},
		{"dies always", true, plugins.KindDied, "worker 1 of 2 has died in Exchange", 2, 0},
		{"dies", true, 0, "", 2, 2},
		{"hangs", false, plugins.KindHung, "worker 1 of 2 hangs in Exchange of left vertices (epoch 2, clock 2): nothing has " +
			"come of it for 1s", 1, 0},
		{"hangs", true, plugins.KindHung, "worker 1 of 2 hangs", 1, 0},
	} {
		t.Run(fmt.Sprintf("%s, resume %v", c.how, c.resume), func(t *testing.T) {
			processtest.Traceless(t)
			t.Setenv(worksVariable, c.how)
			req := DefaultFactorization("mf")
			req.Rank, req.Epochs, req.Workers, req.Split, req.Device = 2, 5, 2, "1,0,0", self
			req.WorkerTimeout, req.Resume, req.CheckpointDir, req.CheckpointEvery = time.Second, c.resume, t.TempDir(), 1
			engine, pids := NewEngine(0), []int(nil)
			launched := func(l Launch) { pids = append(pids, l.PID) }
			got, err := req.Learn(t.Context(), engine, snap, TrainEvents{Launched: launched})
			engine.Close()
			if len(pids) != c.launches {
				t.Errorf("%d launches", len(pids))
			}
			for _, pid := range pids {
				if !processtest.Gone(pid) {
					t.Errorf("process %d is left", pid)
				}
			}
			if c.says != "" {
				if plugins.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v", err)
			}
			if got.Report.Resumed != c.after || got.Model.Parameters[0].Numbers[0] != 15 {
				t.Errorf("resumed after epoch %d, counted %v", got.Report.Resumed, got.Model.Parameters[0].Numbers[0])
			}
		})
	}
	req := DefaultFactorization("mf")
	req.WorkerTimeout = -1
	var refused *RequestError
	if _, err := req.Learn(t.Context(), NewEngine(0), snap, TrainEvents{}); !errors.As(err, &refused) {
		t.Errorf("a timeout below 0: %v", err)
	}
}
