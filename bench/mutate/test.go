package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/penstock-db/penstock/internal/gosource"
)

// A Score counts what became of a package's mistakes. Those that do not compile and those that are named as equivalent
// are not among them.
type Score struct {
	Killed   int
	Slow     int // of those killed: by time
	Survived int
	Unseen   int // of those that survived: no test came by
}

func (s Score) percent() float64 {
	if s.Killed+s.Survived == 0 {
		return 100
	}
	return 100 * float64(s.Killed) / float64(s.Killed+s.Survived)
}

func (s Score) String() string {
	return fmt.Sprintf("%d of %d killed, %.1f %% (%d by time); %d survived, %d of them unseen by any test",
		s.Killed, s.Killed+s.Survived, s.percent(), s.Slow, s.Survived, s.Unseen)
}

// A choice is which mistakes are made.
type choice struct {
	only  string // those whose name contains it
	every int    // one in so many
}

func (c choice) has(m *mutant) bool {
	return strings.Contains(m.name, c.only) && m.id%max(1, c.every) == 0
}

// memory is how much address space a run may take, in KiB: a mistake may allocate without end.
const memory = 8 << 20

// test makes the mistakes of a package one by one and says which survive.
func test(ctx context.Context, w io.Writer, pkg *gosource.Package, mutants []*mutant,
	equivalent map[string]bool, choice choice) (Score, error) {
	var score Score
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return score, err
	}
	defer os.RemoveAll(dir)
	tests, err := build(ctx, dir, pkg, mutants)
	if err != nil {
		return score, err
	}
	seen, took, err := tests.first(ctx, dir)
	if err != nil {
		return score, fmt.Errorf("%s: its tests fail without a mistake: %w", pkg.Path, err)
	}
	for _, m := range tests.mutants {
		if equivalent[m.name] || !choice.has(m) {
			continue
		}
		if !seen[m.id] {
			score.Survived++
			score.Unseen++
			fmt.Fprintln(w, "unseen   ", m.name)
			continue
		}
		// A mistake rarely makes tests slower without making them fail; a busy machine does.
		out, err := tests.run(ctx, 10*time.Second+10*took, "PENSTOCK_MUTANT="+strconv.Itoa(m.id))
		switch {
		case ctx.Err() != nil:
			return score, ctx.Err()
		case err == nil:
			score.Survived++
			fmt.Fprintln(w, "survived ", m.name)
		case errors.Is(err, errSlow):
			score.Killed++
			score.Slow++
		case strings.Contains(string(out), "FAIL") || strings.Contains(string(out), "panic") ||
			strings.Contains(string(out), "fatal"):
			score.Killed++
		default:
			return score, fmt.Errorf("%s: %w\n%s", m.name, err, out)
		}
	}
	return score, nil
}

// first runs the tests without a mistake, and returns which ones they come by, and how long it takes.
func (b *binary) first(ctx context.Context, dir string) (seen map[int]bool, took time.Duration, err error) {
	list := filepath.Join(dir, "seen")
	if out, err := b.run(ctx, 10*time.Minute, "PENSTOCK_MUTANTS_SEEN="+list); err != nil {
		return nil, 0, fmt.Errorf("%w\n%s", err, out)
	}
	seen = map[int]bool{}
	text, err := os.ReadFile(list)
	if err != nil {
		return nil, 0, err
	}
	for line := range strings.Lines(string(text)) {
		if id, err := strconv.Atoi(strings.TrimSpace(line)); err == nil {
			seen[id] = true
		}
	}
	start := time.Now()
	out, err := b.run(ctx, 10*time.Minute, "PENSTOCK_MUTANT=0")
	if err != nil {
		return nil, 0, fmt.Errorf("%w\n%s", err, out)
	}
	return seen, time.Since(start), nil
}

var errSlow = errors.New("it takes too long")

// run runs the tests; errSlow: for longer than limit.
func (b *binary) run(ctx context.Context, limit time.Duration, env string) ([]byte, error) {
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	args := []string{"-c", `ulimit -v "$0"; exec "$@"`, strconv.Itoa(memory), b.path, "-test.failfast", "-test.timeout",
		"0"}
	if b.rapid {
		args = append(args, "-rapid.nofailfile", "-rapid.checks", "20") // of 100, which take most of the time
	}
	command := exec.CommandContext(within, "sh", args...)
	command.Dir = b.dir
	command.Env = append(os.Environ(), env)
	command.WaitDelay = time.Second
	out, err := command.CombinedOutput()
	if within.Err() != nil && ctx.Err() == nil {
		return out, errSlow
	}
	return out, err
}
