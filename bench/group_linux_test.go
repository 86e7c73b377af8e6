package bench

import (
	"path/filepath"
	"testing"
	"time"
)

// TestLimitedProcess: it runs in a group of its own, which is gone when it has ended or was
// stopped.
func TestLimitedProcess(t *testing.T) {
	l := &limits{memory: 64 << 20, longest: 500 * time.Millisecond}
	said := l.try()
	if !l.grouped {
		t.Skip(said)
	}
	if _, stopped, err := l.run(t.Context(), "/bin/sh", []string{"-c", "grep -q penstock-bench- /proc/self/cgroup"}); err != nil || stopped {
		t.Error(stopped, err)
	}
	if _, stopped, err := l.run(t.Context(), "/bin/sleep", []string{"60"}); err != nil || !stopped {
		t.Error(stopped, err)
	}
	for _, h := range hierarchies {
		if left, err := filepath.Glob(filepath.Join(h.root, "penstock-bench-*")); err != nil || len(left) > 0 {
			t.Error("left behind:", left, err)
		}
	}
}
