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
	return h.telling(append(settings, fmt.Sprintf("CARDS=%d", number), "SHARED="+h.file("cards"))...)
}

// amounts are what a report says of bytes of chunks.
type amounts struct {
	Transfer  uint64 // what the first device was given
	Forwarded uint64 // handed on to the second
	Peer      uint64 // of that, from card to card
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

// Two devices take a card each, and a chunk crosses the host's link once: the second copies it from the first.
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
				t.Logf("schedule %q: over the link %d, card to card %d", schedule, b.Transfer+b.Forwarded-b.Peer, b.Peer)
				least := b.Forwarded
				if schedule == "neugraph" { // whose chunks are of many sizes, so that there is not always a hole for one
					least = b.Forwarded * 3 / 4
				}
				if b.Peer < least || b.Forwarded == 0 {
					t.Errorf("%v: %+v; expected that what is handed on goes from card to card", flags, b)
				}
			}
		})
	}
	used, err := os.ReadFile(h.file("cards"))
	if err != nil {
		t.Fatal(err)
	}
	for _, card := range []string{" 0 ", " 1 "} {
		if !strings.Contains(string(used), card) {
			t.Errorf("nothing was on card%s: %s", card, used)
		}
	}
}

// Where cards do not reach each other, or the driver gives nothing to others, chunks come from the host; processes on
// one card reach each other.
func TestChain_Refused(t *testing.T) {
	h := faulty(t)
	want := h.expect(pagerank, "directed")
	for _, c := range []struct {
		cards    int
		settings []string
		says     string // empty: they are reached
	}{
		{1, nil, ""}, {3, nil, ""}, {2, []string{"PEERS=0"}, "is not reached from GPU-"},
		{2, []string{"FAULT=import"}, "cuda #2: cuIpcOpenMemHandle"},
		{2, []string{"FAULT=export"}, "cuda #1: cuIpcGetMemHandle"},
	} {
		told := h.cards(c.cards, c.settings...)
		b := told.compareChain(pagerank, "directed", want)
		if b.Forwarded == 0 || (b.Peer == b.Forwarded) != (c.says == "") || (b.Peer > 0) != (c.says == "") {
			t.Errorf("%+v: %+v", c, b)
		}
		var said strings.Builder
		command := told.command(told.run(chain, pagerank, "directed")...)
		command.Stderr = &said
		if err := command.Run(); err != nil || !strings.Contains(said.String(), c.says) ||
			strings.Contains(said.String(), "more than once") != (c.says != "") {
			t.Errorf("%+v: %v; it says: %s", c, err, said.String())
		}
	}
}

// A device that dies half-way, lending or borrowing, ends the run, by its name.
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
			time.Sleep(2 * time.Second)
			if err := syscall.Kill(h.device(c.Process.Pid, i), syscall.SIGKILL); err != nil {
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

// device is the i-th process of a run, by what the host has told it.
func (h *home) device(run, i int) int {
	h.t.Helper()
	for _, pid := range h.processes() {
		environment, _ := os.ReadFile("/proc/" + pid + "/environ")
		second := strings.Contains(string(environment), "PENSTOCK_DEVICE_NUMBER=1")
		if number, _ := strconv.Atoi(pid); number != run && second == (i == 1) {
			return number
		}
	}
	h.t.Fatalf("there is no device %d", i)
	return 0
}
