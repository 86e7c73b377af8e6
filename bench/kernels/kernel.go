package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host"
)

// kernel is one algorithm here and in GAPBS, with a figure by which results are compared.
type kernel struct {
	algorithm string
	params    map[string]string
	program   string   // of GAPBS
	flags     []string // beside the graph, the number of trials, and -a for the figure
	pattern   string   // finds the figure in what program prints; one group
	figure    func(algorithms.Values) float64
	tolerance float64 // relative; GAPBS has scores in single precision
}

// The source of bfs is vertex 0. GAPBS's -i is the number of iterations.
var kernels = []kernel{
	{"pagerank", map[string]string{"iterations": "20"}, "pr_spmv", []string{"-i", "20", "-t", "0"}, `(?m)^\d+:([0-9.e-]+)$`, largest, 1e-3},
	{"bfs", map[string]string{"source": "0"}, "bfs", []string{"-r", "0"}, `BFS Tree has (\d+) nodes`, reached, 0},
	{"wcc", nil, "cc", nil, `There are (\d+) components`, distinct, 0},
	{"triangles", nil, "tc", nil, `(\d+) triangles`, thirdOfSum, 0},
}

// times are seconds of each round.
type times []float64

func (t times) median() float64 {
	slices.Sort(t)
	return t[len(t)/2]
}

// String is the median and, in parentheses, the least, in milliseconds.
func (t times) String() string {
	if len(t) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f (%.1f)", t.median()*1e3, slices.Min(t)*1e3)
}

// over is the ratio of the medians and, in parentheses, of the least times.
func (t times) over(other times) string {
	if len(t) == 0 || len(other) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f (%.2f)", t.median()/other.median(), slices.Min(t)/slices.Min(other))
}

// measure runs k in every way, round by round, and compares the figures.
func (g *graph) measure(ctx context.Context, k kernel, o options) (string, error) {
	var inside, outside, peer times
	for range o.runs {
		seconds, values, err := g.inProcess(ctx, k, o.threads)
		if err != nil {
			return "", err
		}
		inside = append(inside, seconds)
		result, err := host.Run(ctx, g.snapshot, host.Request{Algorithm: k.algorithm, Params: k.params, Threads: o.threads}, host.Events{})
		if err != nil {
			return "", err
		}
		outside = append(outside, result.Report.Seconds.Compute)
		if err := k.agree(k.figure(values), k.figure(result.Columns[0])); err != nil {
			return "", err
		}
		if o.gapbs == "" {
			continue
		}
		seconds, figure, err := g.runGAPBS(ctx, k, o)
		if err != nil {
			return "", err
		}
		peer = append(peer, seconds)
		if err := k.agree(k.figure(values), figure); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("| %s | %v | %v | %v | %s | %s |", k.algorithm, inside, outside, peer, inside.over(peer), outside.over(inside)), nil
}

func (k kernel) agree(ours, other float64) error {
	if math.Abs(ours-other) > k.tolerance*math.Abs(ours) {
		return fmt.Errorf("results disagree: %v and %v", ours, other)
	}
	return nil
}

func largest(c algorithms.Values) float64 { return slices.Max(c.Floats) }

func reached(c algorithms.Values) (count float64) {
	for _, depth := range c.Ints {
		if depth != algorithms.Unreached {
			count++
		}
	}
	return count
}

func distinct(c algorithms.Values) float64 {
	seen := map[int64]bool{}
	for _, x := range c.Ints {
		seen[x] = true
	}
	return float64(len(seen))
}

func thirdOfSum(c algorithms.Values) (sum float64) {
	for _, x := range c.Ints {
		sum += float64(x)
	}
	return sum / 3
}
