package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/launch/processtest"
)

// A program that is killed while state is in intervals leaves no file with it, and no process.
func TestRun_KilledWithStateInIntervals(t *testing.T) {
	db, temporary := filepath.Join(t.TempDir(), "db"), t.TempDir()
	out, err := exec.Command("penstock", "generate", "--db", db, "g", "--scale", "15", "--seed", "7").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command("penstock", "run", "--db", db, "--graph", "g", "pagerank", "--param", "iterations=1000000",
		"--device-memory", "1MiB", "--threads", "1")
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for !holds(cmd.Process.Pid, temporary, "penstock-state-") || !holds(cmd.Process.Pid, temporary, "penstock-cells-") {
		select {
		case err := <-ended:
			t.Fatalf("it ended by itself: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	devices := childrenOf(cmd.Process.Pid)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
	if left, err := filepath.Glob(filepath.Join(temporary, "penstock-*")); err != nil || len(left) > 0 {
		t.Errorf("%v, %v are left", err, left)
	}
	if len(devices) == 0 {
		t.Error("there was no device")
	}
	for _, pid := range devices {
		processtest.Soon(t, "the end of the device", func() bool { return processtest.Gone(pid) })
	}
	if out, err := exec.Command("penstock", "verify", "--db", db).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// holds tells whether a process has a file open that had that name, and has lost it.
func holds(pid int, dir, name string) bool {
	files, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/fd/*")
	for _, file := range files {
		to, err := os.Readlink(file)
		if err == nil && strings.HasPrefix(to, filepath.Join(dir, name)) && strings.HasSuffix(to, " (deleted)") {
			return true
		}
	}
	return false
}
