package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// version is how one of the two versions of control groups is spoken to.
type version struct {
	name        string
	limit, swap string // files that take a limit in bytes
	swapToo     bool   // that of swap is of both together
	unlimited   string
	peak        string
	reached     counter // above 0: the limit was reached; version 1 tells by the peak alone, its counts of failures stay 0
	killed      counter
	whole       string // a file that takes 1, to have the kernel kill all of a group; empty: it kills one
}

// counter is a number in a file, on the line of a name; without a name it is all there is.
type counter struct{ file, name string }

var (
	v1 = version{name: "v1", limit: "memory.limit_in_bytes", swap: "memory.memsw.limit_in_bytes", swapToo: true, unlimited: "-1",
		peak: "memory.max_usage_in_bytes", killed: counter{"memory.oom_control", "oom_kill"}}
	v2 = version{name: "v2", limit: "memory.max", swap: "memory.swap.max", unlimited: "max", peak: "memory.peak",
		reached: counter{"memory.events", "oom"}, killed: counter{"memory.events", "oom_kill"}, whole: "memory.oom.group"}
)

// Place is where groups can be made.
type Place struct {
	version version
	memory  string // a directory
	tasks   string // likewise, or empty: tasks are counted elsewhere
}

// Version is the one of control groups that it has: v1 or v2.
func (p *Place) Version() string { return p.version.name }

// Own is the place below the group of this process, once what others have left there is removed. An error says why
// there is none.
var Own = sync.OnceValues(func() (*Place, error) {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	p, err := find(string(groups), string(mounts))
	if err == nil {
		p.sweep()
	}
	return p, err
})

// errNoController is a machine whose memory no group holds.
var errNoController = errors.New("no control group for memory is mounted")

// find is the place of a process that is in these groups, as /proc tells them, where such file systems are mounted.
func find(groups, mounts string) (*Place, error) {
	if memory := ownDirectory(groups, mounts, "memory"); memory != "" {
		return &Place{v1, memory, ownDirectory(groups, mounts, "pids")}, nil
	}
	own := ownDirectory(groups, mounts, "")
	if own == "" {
		return nil, errNoController
	}
	own, err := divisible(own)
	return &Place{v2, own, own}, err
}

// ownDirectory is that of the group of this process for a controller, or, without one, that of version 2; empty: there
// is none.
func ownDirectory(groups, mounts, controller string) string {
	group, found := "", false
	for line := range strings.Lines(groups) { // 4:cpu,memory:/a/b
		_, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		controllers, path, _ := strings.Cut(rest, ":")
		if slices.Contains(strings.Split(controllers, ","), controller) {
			group, found = path, true
		}
	}
	for line := range strings.Lines(mounts) { // 36 25 0:31 ROOT POINT rw - cgroup cgroup rw,memory
		before, after, _ := strings.Cut(line, " - ")
		fields, system := strings.Fields(before), strings.Fields(after)
		if !found || len(fields) < 5 || len(system) < 3 || !mountsIt(system, controller) {
			continue
		}
		if below, err := filepath.Rel(fields[3], group); err == nil && filepath.IsLocal(below) {
			return filepath.Join(fields[4], below)
		}
	}
	return ""
}

// mountsIt tells whether a file system, by its type, source and options, is the one of a controller.
func mountsIt(system []string, controller string) bool {
	if controller == "" {
		return system[0] == "cgroup2"
	}
	return system[0] == "cgroup" && slices.Contains(strings.Split(system[2], ","), controller)
}

// hostGroup is where a host of version 2 goes to, for there a group that has processes cannot be divided.
const hostGroup = "penstock-host"

// divisible is the directory of a group of version 2 that can be divided: one that passes its controllers on already,
// or one that was delegated to this process alone, which then makes room.
func divisible(own string) (string, error) {
	if filepath.Base(own) == hostGroup {
		own = filepath.Dir(own)
	}
	passed, err := words(own, "cgroup.subtree_control")
	if err != nil || slices.Contains(passed, "memory") {
		return own, err
	}
	if has, err := words(own, "cgroup.controllers"); err != nil || !slices.Contains(has, "memory") {
		return "", errors.Join(fmt.Errorf("the control group %s has no controller of memory", own), err)
	}
	if !delegated(own) {
		return "", fmt.Errorf("the control group %s is not delegated (systemd: Delegate=yes)", own)
	}
	inside, err := words(own, "cgroup.procs")
	if err == nil && !slices.Equal(inside, []string{strconv.Itoa(os.Getpid())}) {
		err = fmt.Errorf("the control group %s has other processes", own)
	}
	if err != nil {
		return "", err
	}
	host := filepath.Join(own, hostGroup)
	if err := os.Mkdir(host, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	if err := write(host, "cgroup.procs", strconv.Itoa(os.Getpid())); err != nil {
		return "", err
	}
	return own, write(own, "cgroup.subtree_control", "+memory +pids")
}

// delegated tells whether systemd has left a group to those who are in it.
var delegated = func(dir string) bool {
	value := make([]byte, 8)
	for _, name := range []string{"trusted.delegate", "user.delegate"} {
		if n, err := unix.Getxattr(dir, name, value); err == nil && string(value[:n]) == "1" {
			return true
		}
	}
	return false
}

func words(dir, file string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(dir, file))
	return strings.Fields(string(text)), err
}

// write writes a file that is there: elsewhere than in a control group it is not.
func write(dir, file, text string) error {
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
