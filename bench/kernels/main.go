// Command kernels measures the CPU device's kernels side by side: in this process, in the
// plugin's, and those of the GAP Benchmark Suite (Beamer, Asanović, Patterson, "The GAP
// Benchmark Suite", 2015) on the same graph, by turns.
//
//	go run ./bench/kernels --scale 18 --gapbs ~/gapbs
//
//	RMAT ──simple, no isolated vertices──▶ g.el ──Load──▶ store ──▶ in process, plugin
//	                                         └──converter──▶ g.sg ──▶ gapbs/bfs, pr_spmv, cc, tc
//
// It prints medians, the least times in parentheses, and the ratios of both as a Markdown
// table, and fails when results disagree.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"

	_ "github.com/penstock-db/penstock/plugins/cpu/reexec" // serves as the plugin when the host starts it again
)

type options struct {
	scale, runs, threads int
	gapbs, only          string
}

func main() {
	var o options
	flag.IntVar(&o.scale, "scale", 18, "RMAT scale")
	flag.IntVar(&o.runs, "runs", 5, "rounds; each measures everything once")
	flag.IntVar(&o.threads, "threads", runtime.NumCPU(), "threads of every kernel")
	flag.StringVar(&o.gapbs, "gapbs", "", "directory with GAPBS's bfs, pr_spmv, cc, tc and converter")
	flag.StringVar(&o.only, "only", "", "one algorithm")
	flag.Parse()
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run measures every kernel in every way, by turns, and prints the table.
func run(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "kernels-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	g, err := prepare(ctx, dir, o)
	if err != nil {
		return err
	}
	defer g.close()
	fmt.Printf("RMAT scale %d, simple: %d vertices, %d edges; %d threads; load average before: %s\n\n",
		o.scale, g.vertices, g.edges, o.threads, loadAverage())
	fmt.Println("| kernel | in process ms | plugin ms | GAPBS ms | in process / GAPBS | plugin / in process |\n| --- | --- | --- | --- | --- | --- |")
	for _, k := range kernels {
		if o.only != "" && o.only != k.algorithm {
			continue
		}
		row, err := g.measure(ctx, k, o)
		if err != nil {
			return fmt.Errorf("%s: %w", k.algorithm, err)
		}
		fmt.Println(row)
	}
	fmt.Printf("\nload average after: %s\n", loadAverage())
	return nil
}

// loadAverage tells of other work on the machine; Linux only.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	minute, _, _ := strings.Cut(string(text), " ")
	return minute
}
