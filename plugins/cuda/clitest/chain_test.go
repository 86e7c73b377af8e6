package clitest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// chain is what asks for two devices.
const chain = "cuda,cuda"

// cards has softcuda give all processes the same cards.
func (h *home) cards(number int, settings ...string) *home {
	return h.telling(append(settings, fmt.Sprintf("CARDS=%d", number), h.shared())...)
}

// amounts are what a report says of bytes of chunks.
type amounts struct {
	Transfer  uint64 // what the devices were given of their own edges
	Forwarded uint64 // and of the other's, where sums are pulled
}

// compareChain is compare on two devices.
func (h *home) compareChain(c computation, graph string, want [][]string, flags ...string) amounts {
	h.t.Helper()
	out := h.penstock(h.run(chain, c, graph, append([]string{"--json"}, flags...)...)...)
	if err := differs(h.rows(chain+".csv"), want, c.exact); err != nil {
		h.t.Errorf("%s on %s, %v: %v", c.name, graph, flags, err)
	}
	var report struct{ Bytes amounts }
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		h.t.Fatalf("%v: %s", err, out)
	}
	return report.Bytes
}

// Two devices take a card each, and an edge crosses the host's link once, to the card that its column or row is on.
func TestChain(t *testing.T) {
	h := faulty(t).cards(2, "DELAY=200")
	h.penstock("generate", "large", "--scale", "13", "--edge-factor", "8", "--weights", "--order", "none")
	for _, c := range []computation{sssp, wcc, pagerank} {
		t.Run(c.name, func(t *testing.T) {
			h := h.of(t)
			want := h.expect(c, "large")
			asked := slices.Concat([]string{"--graph", "large", "--device", chain}, c.arguments)
			least, resident := h.estimate("minimum", asked...), h.estimate("resident", asked...)
			for _, schedule := range []string{"", "whole", "subway", "neugraph", "auto"} {
				var flags []string
				if schedule != "" {
					flags = []string{"--schedule", schedule, "--device-memory", fmt.Sprintf("%dB", least+(resident-least)/2)}
				}
				b := h.compareChain(c, "large", want, flags...)
				if b.Transfer == 0 || b.Forwarded > b.Transfer || b.Forwarded > 0 && c.name != pagerank.name {
					t.Errorf("%v: %+v; expected that each edge goes to one card", flags, b)
				}
			}
		})
	}
	used, err := os.ReadFile(strings.TrimPrefix(h.shared(), "SHARED="))
	if err != nil {
		t.Fatal(err)
	}
	for _, card := range []string{" 0 ", " 1 "} {
		if !strings.Contains(string(used), card) {
			t.Errorf("nothing was on card%s: %s", card, used)
		}
	}
}

// A device that dies half-way ends the run, by its name.
func TestChain_Killed(t *testing.T) {
	h := faulty(t).cards(2, "DELAY=3000")
	long := computation{"long", []string{"pagerank", "--param", "iterations=100000", "--param", "tolerance=0",
		"--schedule", "whole"}, false, false}
	for i, name := range []string{"cuda #1", "cuda #2"} {
		t.Run(name, func(t *testing.T) {
			h := h.of(t)
			var said strings.Builder
			c := h.command(h.run(chain, long, "small", "--device-memory",
				fmt.Sprintf("%dB", h.estimate("minimum", slices.Concat([]string{"--graph", "small", "--device", chain},
					long.arguments)...)))...)
			c.Stderr = &said
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			device := h.device(c.Process.Pid, i)
			time.Sleep(2 * time.Second)
			if err := syscall.Kill(device, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			var failed *exec.ExitError
			if err := c.Wait(); !errors.As(err, &failed) || !strings.Contains(said.String(), name) ||
				!strings.Contains(said.String(), "died") {
				t.Errorf("it ends with %v; it says: %s", err, said.String())
			}
			h.checkNothingIsLeft()
		})
	}
}

// device is the i-th process of a run, by what the host has told it, once both are there.
func (h *home) device(run, i int) int {
	h.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		devices := map[bool]int{}
		for _, pid := range h.processes() {
			environment, _ := os.ReadFile("/proc/" + pid + "/environ")
			if number, _ := strconv.Atoi(pid); number != run {
				devices[strings.Contains(string(environment), "PENSTOCK_DEVICE_NUMBER=1")] = number
			}
		}
		if len(devices) == 2 {
			return devices[i == 1]
		}
	}
	h.t.Fatalf("there is no device %d", i)
	return 0
}
