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
	"time"

	"golang.org/x/sys/unix"
)

// prefix begins the names of groups that are made here.
const prefix = "penstock-plugin-"

// Group is a group of processes.
type Group struct {
	version       version
	memory, tasks string     // directories
	limit         uint64     // bytes; 0: none
	made          []*os.File // directories, once each, locked
}

// Make makes a group for so many processes and threads at most, and any memory.
func (p *Place) Make(tasks uint64) (*Group, error) {
	g := &Group{version: p.version}
	var err error
	if g.memory, err = g.directory(p.memory); err == nil {
		err = write(g.memory, g.version.limit, g.version.unlimited)
	}
	if err == nil && g.version.whole != "" {
		err = write(g.memory, g.version.whole, "1")
	}
	switch {
	case err != nil || p.tasks == "":
	case p.tasks == p.memory:
		g.tasks = g.memory
	default:
		g.tasks, err = g.directory(p.tasks)
	}
	if err == nil && g.tasks != "" {
		err = write(g.tasks, "pids.max", strconv.FormatUint(tasks, 10))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("control group %s: %w", p.version.name, err), g.Remove())
	}
	return g, nil
}

// attempts is how many directories are made for one: who sweeps holds each for a moment at most.
const attempts = 100

// directory makes one, and locks it. Until it is locked, another process that sweeps may take it for nobody's: then
// another one is made.
func (g *Group) directory(in string) (dir string, err error) {
	for range attempts {
		if dir, err = os.MkdirTemp(in, prefix); err != nil {
			return "", err
		}
		var made *os.File
		if made, err = locked(dir); err == nil {
			g.made = append(g.made, made)
			return dir, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, fs.ErrNotExist) {
			return "", errors.Join(err, os.Remove(dir))
		}
	}
	return "", err
}

// locked is a directory that this process has a lock of, and that was still there then.
func locked(dir string) (*os.File, error) {
	made, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err = unix.Flock(int(made.Fd()), unix.LOCK_EX|unix.LOCK_NB); err == nil {
		_, err = os.Stat(dir)
	}
	if err != nil {
		return nil, errors.Join(err, made.Close())
	}
	return made, nil
}

// Join has processes be of the group, and with them what they make from then on.
func (g *Group) Join(pids ...int) error {
	for _, dir := range g.made {
		for _, pid := range pids {
			if err := write(dir.Name(), "cgroup.procs", strconv.Itoa(pid)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Limit has the group have at most so many bytes, in memory or swapped out; 0: any. A limit that is lower than what it
// has, and can give back none of, is refused by version 1.
func (g *Group) Limit(bytes uint64) error {
	limit, swap := g.version.unlimited, g.version.unlimited
	if bytes > 0 {
		limit, swap = strconv.FormatUint(bytes, 10), "0"
	}
	if g.version.swapToo {
		swap = limit
		_ = write(g.memory, g.version.swap, swap) // it must not be below the other limit, before nor after
	}
	if err := write(g.memory, g.version.limit, limit); err != nil {
		return err
	}
	g.limit = bytes
	if g.version.reached == (counter{}) {
		_ = write(g.memory, g.version.peak, "0") // it is of this limit from now on
	}
	if err := write(g.memory, g.version.swap, swap); err != nil && !errors.Is(err, os.ErrNotExist) { // swap is not counted
		return err
	}
	return nil
}

// Ended says what became of the group so far. What cannot be read did not happen.
func (g *Group) Ended() Ended {
	most, _ := count(g.memory, counter{g.version.peak, ""})
	killed, _ := count(g.memory, g.version.killed)
	e := Ended{Killed: killed > 0 && g.reached(most), Most: most}
	if g.tasks != "" {
		refused, _ := count(g.tasks, counter{"pids.events", "max"})
		e.Refused = refused > 0
	}
	return e
}

// charged is how many bytes at a time the kernel counts, at most.
const charged = 256 << 10

// reached tells whether the group has had as much as it may: else it was the machine that had no memory left.
func (g *Group) reached(most uint64) bool {
	if g.version.reached == (counter{}) {
		return g.limit > 0 && most+charged > g.limit
	}
	n, _ := count(g.memory, g.version.reached)
	return n > 0
}

func count(dir string, c counter) (uint64, error) {
	text, err := os.ReadFile(filepath.Join(dir, c.file))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		name, number, named := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case c.name == "" && !named:
			return strconv.ParseUint(name, 10, 64)
		case c.name != "" && c.name == name:
			return strconv.ParseUint(number, 10, 64)
		}
	}
	return 0, fmt.Errorf("%s of %s has no %q", c.file, dir, c.name)
}

// patience is how long Remove waits for processes that have been killed.
const patience = 2 * time.Second

// Remove ends what is in the group, and removes it. What does not end in time is left to who makes groups next.
func (g *Group) Remove() error {
	var failed error
	for _, dir := range g.made {
		var err error
		for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
			if err = unix.Rmdir(dir.Name()); !errors.Is(err, unix.EBUSY) || time.Now().After(end) {
				break
			}
			kill(dir.Name())
		}
		if err != nil {
			err = &os.PathError{Op: "rmdir", Path: dir.Name(), Err: err}
		}
		failed = errors.Join(failed, err, dir.Close())
	}
	g.made = nil
	return failed
}

// kill kills the processes of a group.
func kill(dir string) {
	pids, _ := words(dir, "cgroup.procs")
	for _, word := range pids {
		if pid, err := strconv.Atoi(word); err == nil && pid > 0 {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
	}
}

// sweep removes groups whose makers are gone, and which have no processes: of others nobody knows whose they are.
func (p *Place) sweep() {
	for _, in := range slices.Compact([]string{p.memory, p.tasks}) {
		found, _ := filepath.Glob(filepath.Join(in, prefix+"*")) // the pattern is well formed
		for _, dir := range found {
			_ = sweepOne(dir)
		}
	}
}

func sweepOne(dir string) error {
	left, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer left.Close()
	if err := unix.Flock(int(left.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return err
	}
	pids, err := words(dir, "cgroup.procs")
	if err == nil && len(pids) > 0 {
		err = fmt.Errorf("%s has processes", dir)
	}
	if err != nil {
		return err
	}
	return unix.Rmdir(dir)
}
