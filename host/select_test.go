package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cpu"
)

// selectsVariable makes this test program, as a plugin, a device that takes active rows out of chunks by itself.
var selectsVariable = ownVariable("SELECTS")

// beSelecting serves when this program has been started as such a plugin.
func beSelecting() {
	if os.Getenv(selectsVariable) == "" {
		return
	}
	serve(selecting{cpu.New(cpu.Options{})})
}

// selecting is the CPU device, which is given the rows in a file.
type selecting struct{ plugins.Device }

func (d selecting) Describe(ctx context.Context) (plugins.Description, error) {
	about, err := d.Device.Describe(ctx)
	about.MapsFiles = false
	return about, err
}

func (d selecting) Open(ctx context.Context, job plugins.Job) (plugins.Session, error) {
	good, err := d.Device.Open(ctx, job)
	return &selectingSession{Session: good, job: job}, err
}

type selectingSession struct {
	plugins.Session
	job plugins.Job
}

func (s *selectingSession) Compile(ctx context.Context, task plugins.Task) (plugins.Plan, error) {
	plan, err := s.Session.Compile(ctx, task)
	plan.Selects = task.ActiveRows && plan.ActiveRows
	return plan, err
}

func (s *selectingSession) Execute(ctx context.Context, commands <-chan plugins.Command,
	emit func(plugins.Event)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	passed := make(chan plugins.Command)
	go func() {
		defer close(passed)
		for c := range commands {
			if c.Op == plugins.Upload && c.Among.Length > 0 {
				if err := s.cut(&c); err != nil {
					cancel(err)
					return
				}
			}
			supply.Hand(ctx, passed, c)
		}
	}()
	err := s.Session.Execute(ctx, passed, emit)
	return errors.Join(err, context.Cause(ctx))
}

// cut makes an Upload one of the rows that it wants.
func (s *selectingSession) cut(c *plugins.Command) error {
	set, err := s.job.Arena.Uint64s(c.Among)
	if err != nil {
		return err
	}
	bytes, err := s.job.Chunk(*c)
	if err != nil {
		return err
	}
	whole, err := chunk.Open(bytes)
	if err != nil {
		return err
	}
	defer whole.Release()
	part, err := cut.Join(cut.Select(whole, set, 0, chunk.Places{}))
	if err != nil {
		return err
	}
	path := filepath.Join(os.Getenv(selectsVariable), fmt.Sprint(c.Seq))
	encoded := make([]byte, part.EncodedSize())
	if _, err := part.EncodeTo(encoded, 1); err != nil {
		return err
	}
	c.File, c.At, c.Among = path, arena.Range{Length: uint64(len(encoded))}, arena.Range{}
	return os.WriteFile(path, encoded, 0o600)
}

// A device that takes active rows out of chunks by itself is given them whole, in the arena, where they are read
// once; the result is the same to the bit by every schedule.
func TestRun_DeviceSelects(t *testing.T) {
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	t.Setenv(selectsVariable, folder)
	requests := 1
	if long.Tests() {
		requests = 4
	}
	for _, name := range []string{"sssp", "wcc", "widest-path"} {
		a, err := catalog.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		rng := testseed.Rand(t)
		g, params := sampleFor(rng, a)
		snap := g.stored(t, 1<<10+rng.IntN(4096))
		req := Request{Algorithm: name, Params: params}
		needs, err := leastResident(snap, req)
		if err != nil {
			t.Fatal(err)
		}
		want := mustRun(t, snap, req)
		req.Device, req.Unconfined = self, []string{self} // it writes files
		for range requests {
			req := randomRequest(rng, req, needs)
			got, err := runWithin(snap, &req, Events{})
			var schedule *ScheduleError
			if errors.As(err, &schedule) {
				continue // it says why
			}
			if err != nil || !same(got.Columns, want.Columns) || got.Report.PeakDeviceBytes > req.DeviceMemory {
				t.Fatalf("%+v: %v", req, err)
			}
		}
		req.Schedule, req.DeviceMemory = "subway:threshold=1", max(needs.Minimum, needs.Resident-1)
		var stored uint64
		for _, c := range append(snap.Chunks(chunk.Out), snap.Chunks(chunk.In)...) {
			stored += uint64(c.Bytes)
		}
		if got := mustRun(t, snap, req); !same(got.Columns, want.Columns) || got.Report.Bytes.Storage > stored {
			t.Errorf("%+v: %d bytes read, of %d that there are", req, got.Report.Bytes.Storage, stored)
		}
	}
}
