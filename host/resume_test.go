package host

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/host/internal/checkpoint"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// resumable is req with a checkpoint after every iteration.
func resumable(t testing.TB, req Request) Request {
	req.Resume, req.CheckpointDir, req.CheckpointEvery = true, filepath.Join(t.TempDir(), "checkpoints"), 1
	return req
}

// killer kills the plugin of each of the first launches when it has done some iterations.
type killer struct {
	launches, kills int
	pid, from       int
	after           int
	notices         []error
}

func (k *killer) events() Events {
	return Events{
		Launched: func(l Launch) { k.launches, k.pid, k.from = k.launches+1, l.PID, -1 },
		Iterated: func(i IterationReport) {
			if k.from < 0 {
				k.from = i.Number
			}
			if k.launches <= k.kills && i.Number == k.from+k.after {
				syscall.Kill(k.pid, syscall.SIGKILL)
			}
		},
		Noticed: func(err error) { k.notices = append(k.notices, err) },
	}
}

func checkpoints(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Every program of the catalog, whose plugin is killed again and again, ends with the same
// bits as one that ran through: by the same Run after the first death, by another after
// the second. Then the checkpoint is gone.
func TestRun_ResumesWithTheSameBits(t *testing.T) {
	processtest.Traceless(t)
	for _, a := range catalog.All() {
		if a.Procedure != nil {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			rng := testseed.Rand(t)
			g, params := sampleFor(rng, a)
			snap := g.stored(t, 512+rng.IntN(4096))
			req := resumable(t, Request{Algorithm: a.Name, Params: params, Threads: 1 + rng.IntN(3),
				Schedule: Schedules[rng.IntN(len(Schedules))]})
			needs, err := Estimate(context.Background(), snap, req)
			if err != nil {
				t.Fatal(err)
			}
			if rng.IntN(3) > 0 {
				req.DeviceMemory = needs.Minimum + rng.Uint64N(needs.Resident-needs.Minimum+1)
			}
			checkResumes(t, rng, snap, req)
		})
	}
}

func checkResumes(t *testing.T, rng *rand.Rand, snap *store.Snapshot, req Request) {
	t.Helper()
	want, err := runWithin(snap, &req, Events{})
	var refusal *ScheduleError
	if errors.As(err, &refusal) {
		return // it says why
	}
	if err != nil {
		t.Fatalf("%+v: %v", req, err)
	}
	plain := req
	plain.Resume, plain.DeviceMemory = false, 0
	if without := mustRun(t, snap, plain); !approximate(req) && !same(want.Columns, without.Columns) {
		t.Errorf("%+v: another result than without checkpoints", req)
	}
	// How many passes it takes until all have settled, chance decides.
	exact := want.Report.Schedule == plan.ResidentSchedule || req.Schedule == "whole"
	if want.Report.Iterations < 4 || !exact && want.Report.Iterations < 7 {
		return
	}
	k := killer{kills: 3, after: 1}
	if exact {
		k.after += rng.IntN((want.Report.Iterations - 1) / 3)
	}
	_, err = Run(context.Background(), snap, req, k.events())
	if plugins.KindOf(err) != plugins.KindDied || k.launches != 2 || len(checkpoints(t, req.CheckpointDir)) != 1 {
		t.Fatalf("%+v: error %v after %d launches; there are %v", req, err, k.launches, checkpoints(t, req.CheckpointDir))
	}
	got, err := Run(context.Background(), snap, req, k.events())
	if err != nil {
		t.Fatalf("%+v: %v", req, err)
	}
	if k.launches != 4 || got.Report.ResumedFrom < 3*(k.after-1) || got.Report.ResumedFrom == 0 && k.after > 1 ||
		len(k.notices) != 2 {
		t.Errorf("%+v: resumed after iteration %d, killed at every %d; %d launches, notices %v", req, got.Report.ResumedFrom,
			k.after, k.launches, k.notices)
	}
	passes := got.Report.Iterations == want.Report.Iterations || !exact
	if !same(got.Columns, want.Columns) || !passes || got.Report.Converged != want.Report.Converged {
		t.Errorf("%+v: another result (%s): %d iterations, not %d", req, got.Report.Kernel, got.Report.Iterations,
			want.Report.Iterations)
	}
	if left := checkpoints(t, req.CheckpointDir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// approximate tells whether another schedule may give other bits.
func approximate(req Request) bool {
	a, err := catalog.Lookup(req.Algorithm)
	return err == nil && a.Approximate
}

// ranks is what the host that is killed computes.
func ranks(dir string) Request {
	return Request{Algorithm: "pagerank", Params: map[string]string{"iterations": "20"}, Schedule: "whole",
		Resume: true, CheckpointDir: filepath.Join(dir, "checkpoints"), CheckpointEvery: 1}
}

// kill -9 of the host in the middle of a run, then the same run: it goes on.
func TestRun_HostKilledResumes(t *testing.T) {
	dir := t.TempDir()
	stored(t, dir)
	killHost(t, resumingHostArg, dir)
	snap, closeGraph := opened(t, dir)
	defer closeGraph()
	got := mustRun(t, snap, ranks(dir))
	fresh := ranks(t.TempDir())
	if want := mustRun(t, snap, fresh); got.Report.ResumedFrom != haltAt || !same(got.Columns, want.Columns) {
		t.Errorf("resumed after iteration %d; another result than without a break: %v", got.Report.ResumedFrom,
			!same(got.Columns, want.Columns))
	}
}

func opened(t *testing.T, dir string) (*store.Snapshot, func()) {
	t.Helper()
	db, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	snap, err := db.Snapshot("g")
	if err != nil {
		t.Fatal(err)
	}
	return snap, func() {
		snap.Close()
		db.Close()
	}
}

// broken leaves a checkpoint of a run of pagerank behind.
func broken(t *testing.T, snap *store.Snapshot, req Request) (file string) {
	t.Helper()
	k := killer{kills: 2, after: 3}
	if _, err := Run(context.Background(), snap, req, k.events()); plugins.KindOf(err) != plugins.KindDied {
		t.Fatalf("error %v", err)
	}
	files := checkpoints(t, req.CheckpointDir)
	if len(files) != 1 {
		t.Fatalf("checkpoints: %v", files)
	}
	return files[0]
}

// A checkpoint that is damaged, or of another computation, is never used: the run says so,
// starts from the beginning, and replaces it.
func TestRun_CheckpointThatIsNotUsed(t *testing.T) {
	rng := testseed.Rand(t)
	g := random(rng, 300, 3000, true, false, false)
	snap := g.stored(t, 2048)
	req := resumable(t, Request{Algorithm: "pagerank", Params: map[string]string{"iterations": "12"}})
	file := broken(t, snap, req)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := mustRun(t, snap, req)
	if want.Report.ResumedFrom == 0 {
		t.Fatal("the good one is not used")
	}
	engine := NewEngine(time.Minute)
	defer engine.Close()
	replaced := func(old, new string) []byte { return resummed(bytes.Replace(good, []byte(old), []byte(new), 1)) }
	flipped := func(at int) []byte {
		b := bytes.Clone(good)
		b[at] ^= 1 << rng.IntN(8)
		return b
	}
	huge := binary.LittleEndian.AppendUint64([]byte(checkpoint.Magic), 1<<62)
	for name, c := range map[string]struct {
		text []byte
		says string
	}{
		"empty":              {nil, "is none"},
		"something else":     {[]byte(strings.Repeat("rank,1\n", 1000)), "is none"},
		"a flipped state":    {flipped(len(good) - 9 - rng.IntN(2000)), "damaged"},
		"a flipped sum":      {flipped(len(good) - 1 - rng.IntN(8)), "damaged"},
		"a flipped bit":      {flipped(rng.IntN(len(good))), "used"},
		"cut off":            {good[:rng.IntN(len(good))], "used"},
		"cut off at the end": {good[:len(good)-1], "damaged"},
		"too long":           {append(bytes.Clone(good), 0), "damaged"},
		"an endless head":    {append(huge, good...), "damaged"},
		"another snapshot":   {replaced(`"snapshot":1`, `"snapshot":7`), "another snapshot: 7"},
		"another device":     {replaced(`"plugin":"`, `"plugin":"f`), "another program of the device"},
		"another kernel":     {replaced(`"kernel":"`, `"kernel":"x`), "another kernel"},
		"another parameter":  {replaced(`"iterations":"12"`, `"iterations":"13"`), "another set of parameters"},
	} {
		if err := os.WriteFile(file, c.text, 0o600); err != nil {
			t.Fatal(err)
		}
		var k killer
		got, err := engine.Run(context.Background(), snap, req, k.events())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var notice *CheckpointError
		if len(k.notices) != 1 || !errors.As(k.notices[0], &notice) || !strings.Contains(notice.Error(), c.says) {
			t.Errorf("%s: notices %v", name, k.notices)
		}
		if got.Report.ResumedFrom != 0 || !same(got.Columns, want.Columns) {
			t.Errorf("%s: resumed after iteration %d", name, got.Report.ResumedFrom)
		}
		if left := checkpoints(t, req.CheckpointDir); len(left) > 0 {
			t.Errorf("%s: left behind: %v", name, left)
		}
	}
}

// resummed gives a changed checkpoint the checksum, and the length of its head, that it should have.
func resummed(text []byte) []byte {
	at := len(checkpoint.Magic)
	change := bytes.Index(text, []byte(`"change":`))
	end := change + bytes.IndexByte(text[change:], '}') + 1
	binary.LittleEndian.PutUint64(text[at:], uint64(end-at-8))
	sum := xxhash.Sum64(text[:len(text)-8])
	return binary.LittleEndian.AppendUint64(text[:len(text)-8], sum)
}

// A checkpoint that cannot be written, the disk being full, is no end of the run.
func TestRun_CheckpointThatCannotBeWritten(t *testing.T) {
	rng := testseed.Rand(t)
	snap := random(rng, 300, 3000, true, false, false).stored(t, 2048)
	req := resumable(t, Request{Algorithm: "pagerank", Params: map[string]string{"iterations": "12"}})
	file := broken(t, snap, req)
	for _, place := range []string{file, file + ".part"} {
		os.Remove(file)
		want := syscall.ENOSPC
		if place == file {
			want = syscall.ENOTDIR
			req.CheckpointDir = filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(req.CheckpointDir, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		} else {
			req.CheckpointDir = filepath.Dir(file)
			if err := os.Symlink("/dev/full", place); err != nil {
				t.Fatalf("a link to /dev/full in place of the checkpoint: %v", err)
			}
		}
		var k killer
		got, err := Run(context.Background(), snap, req, k.events())
		if err != nil || !got.Report.Converged && got.Report.Iterations != 12 {
			t.Fatalf("error %v", err)
		}
		var notice *CheckpointError
		if len(k.notices) == 0 || !errors.As(k.notices[len(k.notices)-1], &notice) || !errors.Is(notice, want) {
			t.Errorf("notices %v", k.notices)
		}
	}
}

// What has no state to keep says so, and runs.
func TestRun_NothingToResume(t *testing.T) {
	snap := random(testseed.Rand(t), 100, 1000, true, false, false).stored(t, 2048)
	var k killer
	if _, err := Run(context.Background(), snap, resumable(t, Request{Algorithm: "lcc"}), k.events()); err != nil ||
		len(k.notices) != 1 {
		t.Errorf("error %v, notices %v", err, k.notices)
	}
	_, err := Run(context.Background(), snap, Request{Algorithm: "lcc", Resume: true}, Events{})
	var request *RequestError
	if !errors.As(err, &request) {
		t.Errorf("without a directory: %v", err)
	}
}

// Checkpoints go with their graph.
func TestRemoveCheckpoints(t *testing.T) {
	snap := random(testseed.Rand(t), 300, 3000, true, false, false).stored(t, 2048)
	req := resumable(t, Request{Algorithm: "pagerank"})
	broken(t, snap, req)
	for _, c := range []struct {
		graph string
		left  int
	}{{"h", 1}, {"g", 0}} {
		if err := RemoveCheckpoints(req.CheckpointDir, c.graph); err != nil ||
			len(checkpoints(t, req.CheckpointDir)) != c.left {
			t.Errorf("%s: %v, %v", c.graph, err, checkpoints(t, req.CheckpointDir))
		}
	}
	if err := RemoveCheckpoints(filepath.Join(t.TempDir(), "none"), "g"); err != nil {
		t.Error(err)
	}
}

// haltAt is the iteration in which the host that is killed stops.
const haltAt = 5

// resumeForever tells the process id of the plugin once there are checkpoints.
func resumeForever(dir string) error {
	snap, err := openGraph(dir)
	if err != nil {
		return err
	}
	var pid int
	_, err = Run(context.Background(), snap, ranks(dir), Events{
		Launched: func(l Launch) { pid = l.PID },
		Iterated: func(i IterationReport) {
			if i.Number == haltAt+1 {
				fmt.Println(pid)
				time.Sleep(time.Hour)
			}
		},
	})
	return err
}
