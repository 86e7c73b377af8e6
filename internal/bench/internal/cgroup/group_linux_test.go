package cgroup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestGroupIsEnteredAndRemoved: a command runs in its group, which can be removed when the
// command was killed.
func TestGroupIsEnteredAndRemoved(t *testing.T) {
	g, err := NewGroup(64 << 20)
	if err != nil {
		t.Skip("needs a control group of its own: run it as root where /sys/fs/cgroup can be written to: ", err)
	}
	defer g.Close()
	command := g.Command(t.Context(), "sh", "-c", "grep -q "+filepath.Base(g.dir)+" /proc/self/cgroup && exec sleep 60")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	if err := command.Process.Kill(); err != nil {
		t.Error("it did not enter the group:", err)
	}
	if err := command.Wait(); err == nil || command.ProcessState.ExitCode() != -1 {
		t.Error("it did not enter the group:", err)
	}
	g.Close()
	if _, err := os.Stat(g.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("left behind:", g.dir, err)
	}
}
