package cgroup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// hierarchy is where control groups for memory are made. Both count the page cache.
type hierarchy struct{ name, root, limit, peak string }

var hierarchies = []hierarchy{
	{"cgroup v2", "/sys/fs/cgroup", "memory.max", "memory.peak"},
	{"cgroup v1", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.max_usage_in_bytes"},
}

// Group is a control group that holds all its processes together to so much memory.
type Group struct{ Kind, dir, peak string }

// NewGroup makes a control group; few but root may.
func NewGroup(limit uint64) (*Group, error) {
	var failed []error
	for _, h := range hierarchies {
		dir, err := os.MkdirTemp(h.root, "penstock-bench-")
		if err != nil {
			failed = append(failed, err)
			continue
		}
		g := &Group{h.name, dir, h.peak}
		if err := g.set(h.limit, limit); err != nil {
			failed = append(failed, err)
			g.Close()
			continue
		}
		return g, nil
	}
	return nil, errors.Join(failed...)
}

// set writes a file that must be there already: elsewhere than in a control group it is not.
func (g *Group) set(file string, value uint64) error {
	f, err := os.OpenFile(filepath.Join(g.dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(strconv.FormatUint(value, 10))
	return errors.Join(err, f.Close())
}

// Command runs a program in the group: a shell enters it and becomes the program.
func (g *Group) Command(ctx context.Context, program string, args ...string) *exec.Cmd {
	enter := []string{"-c", `echo $$ >"$0" && exec "$@"`, filepath.Join(g.dir, "cgroup.procs"), program}
	return exec.CommandContext(ctx, "sh", append(enter, args...)...)
}

// Taken is what a command that has ended took, with all that it has waited for. What the system
// does not tell is 0.
func (g *Group) Taken(command *os.ProcessState) (t measure.Taken) {
	if text, err := os.ReadFile(filepath.Join(g.dir, g.peak)); err == nil {
		t.Peak, _ = strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	}
	if command == nil { // it did not start
		return t
	}
	if usage, ok := command.SysUsage().(*syscall.Rusage); ok {
		t.Read = uint64(usage.Inblock) * 512
	}
	return t
}

// Close removes the group once its last process is gone: a killed one takes a moment.
func (g *Group) Close() {
	for range 500 {
		if err := os.Remove(g.dir); err == nil || errors.Is(err, fs.ErrNotExist) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Forget drops the files below dir from the page cache, so that who reads them is charged.
func Forget(dir string) error {
	return filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := f.Sync(); err != nil {
			return err
		}
		return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
	})
}
