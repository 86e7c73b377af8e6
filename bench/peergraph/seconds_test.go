package main

import (
	"math"
	"testing"
)

// TestReadSeconds reads texts that were put together after the print statements in the programs'
// sources (Subway's main functions of November 2022, Gunrock's example bfs.cu of 2.0): they are
// samples of the form, and no results.
func TestReadSeconds(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{
		{"Graph Reading finished in 7.5 (s).\n2 Inner Iterations in Global Iteration 1, Partition 0\nProcessing finished in 0.25 (s).\nResults of first 1 nodes:\n[0:0]\n", 0.25},
		{"Graph Reading finished in 7.5 (s).\nProcessing finished in 250.5 (ms).\nNumber of iterations = 3\n", 0.2505},
		{"Processing finished in 9.1e-05 (s).\n", 9.1e-05},
		{"Source : 1\nGPU distances[:40] = 0 1 \nGPU Elapsed Time : 12.5 (ms)\nCPU Elapsed Time : 99 (ms)\nNumber of errors : 0\n", 0.0125},
		{`{"schedule": "resident", "seconds": {"total": 9, "compute": 0.5}, "per_iteration": []}`, 0.5},
		{`{"schedule": "subway", "seconds": {"total": 9, "compute": 0.5}, "per_iteration": [{"seconds": {"total": 0.5}}, {"seconds": {"total": 0.25}}]}`, 0.75},
	} {
		if got, err := readSeconds(c.text); err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%q: %v, %v, not %v", c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"", "GPUassert: no CUDA-capable device is detected graph.cu 47\n", "{}", "{"} {
		if got, err := readSeconds(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}
