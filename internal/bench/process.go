package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ProcessError is a program that failed; Stderr is the end of what it said.
type ProcessError struct {
	Command []string
	Stderr  string
	Err     error
}

func (e *ProcessError) Error() string {
	return fmt.Sprintf("bench: %s: %v: %s", strings.Join(e.Command, " "), e.Err, e.Stderr)
}

func (e *ProcessError) Unwrap() error { return e.Err }

// output runs command to its end: what it printed, and the seconds it took as a whole.
func output(ctx context.Context, command *exec.Cmd) (text []byte, wall float64, err error) {
	var stderr bytes.Buffer
	command.Stderr = &stderr
	started := time.Now()
	text, err = command.Output()
	wall = time.Since(started).Seconds()
	switch {
	case ctx.Err() != nil:
		return nil, 0, ctx.Err()
	case err != nil:
		said := stderr.Bytes()
		return nil, 0, &ProcessError{command.Args, string(said[max(0, len(said)-1000):]), err}
	}
	return text, wall, nil
}

// penstock runs the command line in a process of its own and decodes what it prints.
func (o Options) penstock(ctx context.Context, into any, args ...string) (wall float64, err error) {
	text, wall, err := o.penstockText(ctx, append(args, "--json")...)
	if err != nil {
		return 0, err
	}
	return wall, json.Unmarshal(text, into)
}

// penstockText runs the command line in a process of its own.
func (o Options) penstockText(ctx context.Context, args ...string) (text []byte, wall float64, err error) {
	return output(ctx, exec.CommandContext(ctx, o.Penstock, args...))
}

// wholeProcess runs k from the command line: all of it and, of that, its plugin's kernels.
func (g *graph) wholeProcess(ctx context.Context, k kernel, o Options) ([]sample, error) {
	args := g.runArgs(k, o)
	text, wall, err := o.penstockText(ctx, args...)
	if err != nil {
		return nil, err
	}
	compute, err := computing(text)
	command := g.shown("penstock", args...)
	return []sample{{way: inPlugin, seconds: compute, command: command}, {way: wholeProcess, seconds: wall, command: command}}, err
}

var computed = regexp.MustCompile(`, (\S+) computing,`)

// computing is how many seconds of a run were, by what it printed, in kernels.
func computing(text []byte) (float64, error) {
	found := computed.FindSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("bench: penstock run does not say how long it computed: %q", text)
	}
	compute, err := time.ParseDuration(string(found[1]))
	return compute.Seconds(), err
}

func (g *graph) runArgs(k kernel, o Options) []string {
	args := []string{"run", k.algorithm, "--graph", k.graph(), "--db", g.file(database), "--threads", strconv.Itoa(o.Threads), "--top=1"}
	for _, name := range slices.Sorted(maps.Keys(k.params)) {
		args = append(args, "--param", name+"="+k.params[name])
	}
	return args
}

// shown is a command as the report prints it: $GRAPH is the graph's directory.
func (g *graph) shown(program string, args ...string) string {
	return strings.ReplaceAll(filepath.Base(program)+" "+strings.Join(args, " "), g.dir, "$GRAPH")
}
