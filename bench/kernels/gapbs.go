package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// command is a program of GAPBS with our number of threads.
func command(ctx context.Context, o options, program string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, filepath.Join(o.gapbs, program), args...)
	c.Env = append(os.Environ(), fmt.Sprintf("OMP_NUM_THREADS=%d", o.threads))
	return c
}

var trialTime = regexp.MustCompile(`Average Time:\s+([0-9.]+)`)

// runGAPBS does one trial of k: its seconds as GAPBS tells them, and its figure.
func (g *graph) runGAPBS(ctx context.Context, k kernel, o options) (seconds, figure float64, err error) {
	args := append([]string{"-f", g.file(serialized), "-n", "1", "-a"}, k.flags...)
	text, err := command(ctx, o, k.program, args...).Output()
	if err != nil {
		return 0, 0, fmt.Errorf("gapbs %s: %w", k.program, err)
	}
	if seconds, err = first(trialTime, text); err != nil {
		return 0, 0, err
	}
	figure, err = first(regexp.MustCompile(k.pattern), text)
	return seconds, figure, err
}

// first is the number in the first match's group.
func first(pattern *regexp.Regexp, text []byte) (float64, error) {
	found := pattern.FindSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("gapbs printed no %s:\n%s", pattern, text)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}
