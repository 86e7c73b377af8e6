package clitest

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

// faulty is a home in which a card can be told to fail.
func faulty(t *testing.T) *home {
	t.Helper()
	softcuda.Faults(t)
	return newHome(t)
}

// What fails is said with what it was and where, and the next run is well.
func TestFaults(t *testing.T) {
	h := faulty(t)
	want := h.expect(wcc, "small")
	for fault, says := range map[string][]string{
		"FAULT=oom@1+":     {"wcc on graph small", "device cuda", "out of memory", "bytes"},
		"FAULT=oom@2+":     {"wcc on graph small", "device cuda", "out of memory", "bytes"},
		"FAULT=sticky@5":   {"wcc on graph small", "device cuda", "the card was lost", "illegal memory access"},
		"FAULT=nodevice":   {"wcc on graph small", "device cuda", "the driver sees no GPU", "CUDA_VISIBLE_DEVICES"},
		"FAULT=init=803":   {"wcc on graph small", "device cuda", "of different versions", "restart the machine"},
		"FAULT=hang@5":     {"wcc on graph small", "device cuda", "plugin hung", "it has been killed"},
		"MEMORY=200000000": nil,
		"FAULT=register":   nil,
	} {
		t.Run(fault, func(t *testing.T) {
			h := h.of(t)
			if says == nil {
				h.telling(fault).compare(wcc, "small", want)
				return
			}
			h.telling(fault).refused(h.run("cuda", wcc, "small", "--timeout", "2s"), says...)
			h.checkNothingIsLeft()
			h.compare(wcc, "small", want)
		})
	}
}

func TestFaults_NoDriver(t *testing.T) {
	h := faulty(t)
	h.environment = append(h.environment, softcuda.Variable+"="+h.file("none"))
	says := []string{"no NVIDIA driver was found", "install one, or set PENSTOCK_LIBCUDA", h.file("none")}
	h.refused(h.run("cuda", wcc, "small"), says...)
	out, err := output(h.command("plugin", "doctor", "cuda"))
	if err == nil || !all(says, func(words string) bool { return strings.Contains(out, words) }) {
		t.Errorf("penstock plugin doctor cuda: %v, %s; expected that it says %q", err, out, says)
	}
}

// Two processes share a card: with memory for one of them, each ends with its result or by saying that there is none
// left.
func TestFaults_TwoProcesses(t *testing.T) {
	h := faulty(t)
	want := h.expect(sssp, "small")
	if err := exec.Command("cp", "-r", h.file("db"), h.file("db2")).Run(); err != nil {
		t.Fatal(err)
	}
	first := h.telling(h.shared(), "MEMORY=9000000", "DELAY=2000")
	second := first.of(t)
	second.environment = append(slices.Clone(second.environment), "PENSTOCK_DB="+h.file("db2"))
	ended := make(chan error, 2)
	for i, user := range []*home{first, second} {
		name := fmt.Sprintf("%d.csv", i)
		arguments := append(user.run("cuda", sssp, "small"), "--out", h.file(name))
		go func() {
			if err := quiet(user.command(arguments...)); err != nil {
				if !strings.Contains(err.Error(), "out of memory") && !strings.Contains(err.Error(), "budget") {
					ended <- err
					return
				}
				ended <- nil
				return
			}
			ended <- differs(user.rows(name), want, true)
		}()
	}
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	first.compare(sssp, "small", want) // all has been given back
}

// Whoever ends half-way, no process stays.
func TestFaults_Ended(t *testing.T) {
	h := faulty(t).telling("FAULT=hang@5")
	for name, end := range map[string]struct {
		whom   func(host int) (int, error)
		signal syscall.Signal
		status int
	}{
		"interrupted":   {self, syscall.SIGINT, 130},
		"terminated":    {self, syscall.SIGTERM, 130},
		"host killed":   {self, syscall.SIGKILL, -1},
		"device killed": {child, syscall.SIGKILL, 1},
	} {
		t.Run(name, func(t *testing.T) {
			h := h.of(t)
			var said strings.Builder
			c := h.command(h.run("cuda", wcc, "small")...)
			c.Stderr = &said
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			h.awaitKernels()
			pid, err := end.whom(c.Process.Pid)
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(pid, end.signal); err != nil {
				t.Fatal(err)
			}
			var failed *exec.ExitError
			if err := c.Wait(); !errors.As(err, &failed) || failed.ExitCode() != end.status {
				t.Errorf("it ends with %v, expected exit status %d; it says: %s", err, end.status, said.String())
			}
			h.checkNothingIsLeft()
		})
	}
}

func self(host int) (int, error) { return host, nil }

// child is the device's process.
func child(host int) (int, error) {
	out, err := exec.Command("pgrep", "-P", strconv.Itoa(host)).Output()
	if err != nil {
		return 0, fmt.Errorf("pgrep: %w", err)
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

// awaitKernels gives a run the time to hang in a kernel, once the host and its device are there.
func (h *home) awaitKernels() {
	h.t.Helper()
	for end := time.Now().Add(time.Minute); len(h.processes()) < 2; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			h.t.Fatal("no device has started")
		}
	}
	time.Sleep(time.Second)
}

func all(texts []string, holds func(string) bool) bool {
	return !slices.ContainsFunc(texts, func(text string) bool { return !holds(text) })
}
