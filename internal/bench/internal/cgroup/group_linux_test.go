package cgroup

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestGroupIsEnteredAndRemoved: a command runs in its group, which can be removed when the
// command was killed.
func TestGroupIsEnteredAndRemoved(t *testing.T) {
	g, err := NewGroup(64 << 20)
	if err != nil {
		t.Skip("needs a control group of its own: run it as root where /sys/fs/cgroup can be written to: ", err)
	}
	defer g.Close()
	entered := "grep -q " + filepath.Base(g.dir) + " /proc/self/cgroup"
	command := g.Command(t.Context(), "sh", "-c", entered+" && echo in && exec sleep 60")
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if said, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Error("it did not enter the group:", said, err)
	}
	if err := command.Process.Kill(); err != nil {
		t.Error(err)
	}
	if err := command.Wait(); err == nil || command.ProcessState.ExitCode() != -1 {
		t.Error("it did not enter the group:", err)
	}
	g.Close()
	if _, err := os.Stat(g.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("left behind:", g.dir, err)
	}
}
