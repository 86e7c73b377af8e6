package outofcore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/bench/internal/cgroup"
	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/kernels"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/programs"
)

// limits of the processes that are measured.
type limits struct {
	memory   uint64
	programs string // copies: the page cache of these is nobody else's
	grouped  bool   // whether control groups can be made
	longest  time.Duration
}

func (l *limits) copyPrograms(o measure.Options) error {
	if err := os.Mkdir(l.programs, 0o700); err != nil {
		return err
	}
	files := map[string]string{"penstock": o.Penstock}
	if o.Grid != "" {
		for _, name := range []string{"bfs", "pagerank", "wcc"} {
			files[name] = filepath.Join(o.Grid, "bin", name)
		}
	}
	for name, file := range files {
		if err := copyProgram(filepath.Join(l.programs, name), file); err != nil {
			return err
		}
	}
	return nil
}

func copyProgram(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o700)
	if err != nil {
		return err
	}
	defer out.Close()
	_, err = io.Copy(out, in)
	return err
}

// try makes a control group, and says how processes will be limited.
func (l *limits) try() string {
	g, err := cgroup.NewGroup(l.memory)
	if err != nil {
		return fmt.Sprintf("No control group could be made (%v): the arena alone is held to %d MiB.", err, spare>>20)
	}
	defer g.Close()
	l.grouped = true
	return fmt.Sprintf(
		"All processes of a command together are held to %d MiB, page cache included (%s), and find nothing in the page cache.", l.memory>>20, g.Kind)
}

// gridMemory is what GridGraph's programs are told: what the user says, in the unit that they were built with; else
// four fifths of the limit in GiB, their own unit, which they take whole, so one at the least.
func (l *limits) gridMemory(o measure.Options) uint64 {
	switch {
	case o.GridMemory > 0:
		return o.GridMemory
	case !l.grouped:
		return 1
	}
	return max(1, l.memory/5*4>>30)
}

// deviceMemory is the least with which k can run and a little more: the rest is for two programs.
func (l *limits) deviceMemory(ctx context.Context, g *graphs.Graph, k kernel.Kernel, o measure.Options) (uint64,
	error) {
	if !l.grouped {
		return spare, nil
	}
	args := append([]string{"estimate"}, kernels.RunArgs(g, k, o)[1:]...)
	var needs host.Needs
	_, err := programs.Penstock(ctx, o, &needs, slices.DeleteFunc(args,
		func(arg string) bool { return arg == "--top=1" })...)
	return needs.Minimum + l.memory/8, err
}

// contender is a process in a new group, or, where none can be made, one that keeps to its budget itself.
func (l *limits) contender(g *graphs.Graph, way, program string, args []string) measure.Contender {
	return func(ctx context.Context) (_ []measure.Sample, err error) {
		if l.grouped {
			err = errors.Join(cgroup.Forget(l.programs), cgroup.Forget(g.Dir))
		}
		if err != nil {
			return nil, err
		}
		s := measure.Sample{Way: way, Command: g.Shown(program, args...)}
		var text []byte
		text, s.Seconds, s.Taken, s.Stopped, err = l.run(ctx, filepath.Join(l.programs, program), args)
		if err == nil && !s.Stopped && way == measure.LimitedProcess {
			s.Uncached, s.Cached, err = countChunks(text)
		}
		return []measure.Sample{s}, err
	}
}

var pastCache = regexp.MustCompile(`(\d+) chunks were read past the system's cache, (\d+) through it`)

// countChunks reads from what a run printed how many chunks were read past the cache, and how many
// through it; of a graph that fits the cache it says nothing.
func countChunks(text []byte) (past, through uint64, err error) {
	found := pastCache.FindSubmatch(text)
	if found == nil {
		return 0, 0, nil
	}
	if past, err = strconv.ParseUint(string(found[1]), 10, 64); err != nil {
		return 0, 0, err
	}
	through, err = strconv.ParseUint(string(found[2]), 10, 64)
	return past, through, err
}

// run stops a process that takes longer than l.longest: one that has too little memory may take forever.
func (l *limits) run(ctx context.Context, program string, args []string) (text []byte, wall float64, took measure.Taken,
	stopped bool, err error) {
	limited, cancel := context.WithTimeout(ctx, l.longest)
	defer cancel()
	command := exec.CommandContext(limited, program, args...)
	if l.grouped {
		group, err := cgroup.NewGroup(l.memory)
		if err != nil {
			return nil, 0, took, false, err
		}
		defer group.Close()
		command = group.Command(limited, program, args...)
		defer func() { took = group.Taken(command.ProcessState) }()
	}
	text, wall, err = programs.Output(limited, command)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, l.longest.Seconds(), took, true, nil
	}
	return text, wall, took, false, err
}
