package main

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/bench"
	"github.com/penstock-db/penstock/internal/long"
)

// In a control group of less memory than the graph takes, whole processes read every chunk past
// the page cache. That the device reads blocks only into aligned memory is not seen elsewhere: a
// graph that fits the cache is read through it.
func TestOutOfCore_NothingThroughTheCache(t *testing.T) {
	if race {
		t.Skip("the race detector takes several times the memory: run it without -race, as .ci/run does")
	}
	if !long.Tests() {
		t.Skip("loads a graph of 8 million edges: run it with PENSTOCK_LONG=1")
	}
	if err := buildPenstock(); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("penstock-bench", "outofcore", "--graphs", "rmat-19", "--runs", "1", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Limit  string
		Graphs []struct {
			Kernels []struct {
				Name string
				Ways []struct {
					Name     string
					Stopped  bool
					Uncached uint64 `json:"uncached_chunks"`
					Cached   uint64 `json:"cached_chunks"`
				}
			}
		}
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(report.Limit, "No control group") {
		t.Skip("needs a control group: run it as root where /sys/fs/cgroup can be written to: ", report.Limit)
	}
	if len(report.Graphs) != 1 || len(report.Graphs[0].Kernels) == 0 {
		t.Fatalf("nothing was measured: %s", out)
	}
	for _, k := range report.Graphs[0].Kernels {
		for _, way := range k.Ways {
			if way.Uncached == 0 || way.Cached > 0 {
				t.Errorf("%s, in %d MiB: %d chunks were read past the cache, %d through it (stopped: %v)", k.Name,
					bench.DefaultMemory>>20, way.Uncached, way.Cached, way.Stopped)
			}
		}
	}
}
