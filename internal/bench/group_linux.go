package bench

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
)

// hierarchy is where control groups for memory are made. Both count the page cache.
type hierarchy struct{ name, root, limit, peak string }

var hierarchies = []hierarchy{
	{"cgroup v2", "/sys/fs/cgroup", "memory.max", "memory.peak"},
	{"cgroup v1", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.max_usage_in_bytes"},
}

// group is a control group that holds all its processes together to so much memory.
type group struct{ kind, dir, peak string }

// newGroup makes a control group; few but root may.
func newGroup(limit uint64) (*group, error) {
	var failed []error
	for _, h := range hierarchies {
		dir, err := os.MkdirTemp(h.root, "penstock-bench-")
		if err != nil {
			failed = append(failed, err)
			continue
		}
		g := &group{h.name, dir, h.peak}
		if err := g.set(h.limit, limit); err != nil {
			failed = append(failed, err)
			g.close()
			continue
		}
		return g, nil
	}
	return nil, errors.Join(failed...)
}

// set writes a file that must be there already: elsewhere than in a control group it is not.
func (g *group) set(file string, value uint64) error {
	f, err := os.OpenFile(filepath.Join(g.dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(strconv.FormatUint(value, 10))
	return errors.Join(err, f.Close())
}

// command runs a program in the group: a shell enters it and becomes the program.
func (g *group) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	enter := []string{"-c", `echo $$ >"$0" && exec "$@"`, filepath.Join(g.dir, "cgroup.procs"), program}
	return exec.CommandContext(ctx, "sh", append(enter, args...)...)
}

// taken is what a command that has ended took, with all that it has waited for. What the system
// does not tell is 0.
func (g *group) taken(command *os.ProcessState) (t taken) {
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

// close removes the group once its last process is gone: a killed one takes a moment.
func (g *group) close() {
	for range 500 {
		if err := os.Remove(g.dir); err == nil || errors.Is(err, fs.ErrNotExist) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// forget drops the files below dir from the page cache, so that who reads them is charged.
func forget(dir string) error {
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
