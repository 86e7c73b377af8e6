package outofcore

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/bench/internal/cgroup"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// TestTooSlowIsStopped: it is no error, and the time is the limit.
func TestTooSlowIsStopped(t *testing.T) {
	l := &limits{longest: 100 * time.Millisecond}
	if _, wall, _, stopped, err := l.run(t.Context(), "/bin/sleep", []string{"60"}); err != nil || !stopped ||
		wall != 0.1 {
		t.Error(wall, stopped, err)
	}
	l.longest = time.Hour
	if _, _, _, stopped, err := l.run(t.Context(), "/bin/sleep", []string{"0"}); err != nil || stopped {
		t.Error(stopped, err)
	}
}

// GridGraph is told what the user says, else whole GiB.
func TestGridMemory(t *testing.T) {
	for _, c := range []struct {
		limits
		said, want uint64
	}{
		{limits{memory: 80 << 20, grouped: true}, 0, 1},
		{limits{memory: 10 << 30, grouped: true}, 0, 8},
		{limits{memory: 10 << 30}, 0, 1},
		{limits{memory: 80 << 20, grouped: true}, 64, 64},
	} {
		if told := c.gridMemory(measure.Options{GridMemory: c.said}); told != c.want {
			t.Errorf("%+v: told %d", c, told)
		}
	}
}

// TestTakenIsTold: the peak of a command's memory, within its limit, and what it has read of
// what was not in memory.
func TestTakenIsTold(t *testing.T) {
	const size, limit = 8 << 20, 32 << 20
	l := &limits{memory: limit, longest: time.Hour}
	if l.try(); !l.grouped {
		t.Skip("needs a control group: run it as root where /sys/fs/cgroup can be written to")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := errors.Join(os.WriteFile(file, make([]byte, size), 0o600), cgroup.Forget(filepath.Dir(file))); err != nil {
		t.Fatal(err)
	}
	_, _, took, _, err := l.run(t.Context(), "/bin/sh", []string{"-c", "cat " + file + " >/dev/null; true"})
	if err != nil {
		t.Fatal(err)
	}
	if took.Peak == 0 || took.Peak > limit {
		t.Errorf("a peak of %d bytes; the limit is %d", took.Peak, limit)
	}
	if took.Read != 0 && took.Read < size { // of a file system without a device nothing is told
		t.Errorf("%d bytes read; the file has %d", took.Read, size)
	}
}
