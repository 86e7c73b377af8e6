package host

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// damage inverts a byte in every 16 KiB of the value logs, and so some in every chunk.
func damage(t *testing.T, dir string) {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(dir, "*", "*.vlog"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("value logs %v, %v", logs, err)
	}
	for _, path := range logs {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(io.LimitReader(f, 16<<20)) // the rest is room for more
		if err != nil {
			t.Fatal(err)
		}
		used := len(bytes.TrimRight(content, "\x00"))
		for at := 16 << 10; at < used; at += 16 << 10 {
			if _, err := f.WriteAt([]byte{^content[at]}, int64(at)); err != nil {
				t.Fatal(err)
			}
		}
		f.Close()
	}
}

// A chunk that is damaged on the disk ends the run before a device computes with it.
func TestRun_DamagedChunk(t *testing.T) {
	dir := t.TempDir()
	snap := random(testseed.Rand(t), 2000, 60_000, true, false, false).storedIn(t, dir, 1<<18)
	damage(t, dir)
	for _, schedule := range Schedules {
		t.Run(schedule, func(t *testing.T) {
			processtest.Traceless(t)
			var pid int
			// Both directions are read, so that the damaged chunk is among them.
			req := Request{Algorithm: "wcc", Schedule: schedule}
			_, err := Run(context.Background(), snap, req, Events{Launched: func(l Launch) { pid = l.PID }})
			var damaged *store.DamagedError
			if !errors.As(err, &damaged) || damaged.Number < 0 {
				t.Errorf("error %v", err)
			}
			if !processtest.Gone(pid) {
				t.Error("the plugin outlived the run")
			}
		})
	}
}
