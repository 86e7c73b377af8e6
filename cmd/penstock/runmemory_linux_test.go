package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/long"
)

// programOfDevice is what the built-in device takes beside the budget, in bytes: the program itself, and its garbage.
const programOfDevice = 10 * mebi

// A device's process takes no more than --device-memory and what the documents name for the program, as the kernel
// counts it: memory of its own and what it has touched of the arena, not what it says of itself.
func TestRun_DeviceKeepsToItsMemory(t *testing.T) {
	if race {
		t.Skip("the race detector takes several times the memory; .ci/run runs this test without it as well")
	}
	db := filepath.Join(t.TempDir(), "db")
	out, err := exec.Command("penstock", "generate", "--db", db, "g",
		"--kind", "uniform", "--scale", "20", "--edge-factor", "4").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	type limited struct {
		program, parameter string
		budget             int64
	}
	for _, c := range long.Draw(t, []limited{
		{"bfs", "source=0", 32 * mebi},
		{"pagerank", "iterations=10", 56 * mebi},
		{"pagerank-delta", "tolerance=0.01", 64 * mebi},
		{"pagerank", "iterations=2", 16 * mebi}, // its state is in intervals
		{"wcc", "", 8 * mebi},                   // likewise
		{"k-core", "", 44 * mebi},               // a procedure, in passes
		{"scc", "", 40 * mebi},                  // likewise
		{"triangles", "", 44 * mebi},            // likewise
	}, 1) {
		t.Run(c.program, func(t *testing.T) {
			args := []string{"run", "--db", db, "--graph", "g", c.program, "--device-memory", strconv.FormatInt(c.budget, 10)}
			if c.parameter != "" {
				args = append(args, "--param", c.parameter)
			}
			peak, out, err := peakOfDevice("penstock", args...)
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			t.Logf("%d MiB at most, of a budget of %d and %d for the program", peak/mebi, c.budget/mebi, programOfDevice/mebi)
			if peak > c.budget+programOfDevice {
				t.Errorf("the device took %d MiB, more than %d", peak/mebi, (c.budget+programOfDevice)/mebi)
			}
			if peak < c.budget/4 {
				t.Errorf("the device took %d MiB of %d: nothing is tested", peak/mebi, c.budget/mebi)
			}
		})
	}
}

// peakOfDevice is the most memory that a child of a program was seen to have at a time, without the pages of files.
func peakOfDevice(program string, args ...string) (peak int64, out []byte, err error) {
	var told bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &told, &told
	if err := cmd.Start(); err != nil {
		return 0, nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			return peak, told.Bytes(), err
		case <-time.After(2 * time.Millisecond):
			for _, child := range childrenOf(cmd.Process.Pid) {
				peak = max(peak, resident(child, "RssAnon:")+resident(child, "RssShmem:"))
			}
		}
	}
}

// childrenOf are the processes that a process has started and not waited for; none: it has ended.
func childrenOf(pid int) (children []int) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, field := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}
