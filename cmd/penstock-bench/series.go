package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/internal/bench"
	"github.com/penstock-db/penstock/internal/cli"
)

// series is what all commands have: what to measure, and where the report goes.
type series struct {
	options bench.Options
	out     string // directory; empty: none
}

// report is what a series of measurements gives.
type report interface{ WriteMarkdown(io.Writer) error }

// drawnReport is one that is also drawn.
type drawnReport interface{ WriteSVG(io.Writer) error }

// addRounds adds the flags that say how kernels take turns.
func (s *series) addRounds(flags *pflag.FlagSet) {
	flags.StringSliceVar(&s.options.Kernels, "kernels", nil, "`names` of kernels (default: all that a peer has)")
	flags.IntVar(&s.options.Runs, "runs", bench.DefaultRuns, "rounds; in each, every contender runs once")
	flags.DurationVar(&s.options.Limit, "limit", bench.DefaultLimit, "after it, a kernel begins no further round")
	s.addThreads(flags)
	s.addOut(flags)
}

func (s *series) addThreads(flags *pflag.FlagSet) {
	flags.IntVar(&s.options.Threads, "threads", runtime.NumCPU(), "threads of every kernel")
}

func (s *series) addOut(flags *pflag.FlagSet) {
	flags.StringVar(&s.out, "out", "", "`directory` for bench.md and bench.svg")
}

// addProgram adds the flag of series that measure whole processes.
func (s *series) addProgram(flags *pflag.FlagSet) {
	flags.StringVar(&s.options.Penstock, "penstock", "",
		"the program penstock, a `file` (default: the one beside this program, else Go builds it of the sources in this directory)")
}

// addStreamedGraphs adds the flags that choose graphs, which may be directed, and kernels.
func (s *series) addStreamedGraphs(flags *pflag.FlagSet) {
	flags.StringSliceVar(&s.options.Graphs, "graphs", []string{"rmat-16"}, "`names` of graphs to generate or read")
	flags.StringSliceVar(&s.options.Kernels, "kernels", nil,
		"`names` of kernels (default: bfs, sssp, wcc, pagerank-delta, widest-path)")
	flags.StringVar(&s.options.Data, "data", "", "`directory` with the real graphs cnr-2000, road-ny and p2p-31")
}

// on is the options of a series whose steps p shows.
func (s *series) on(p *cli.Program) bench.Options {
	o := s.options
	o.Command = "penstock-bench " + strings.Join(os.Args[1:], " ")
	o.Progress = func(step string) { fmt.Fprintln(p.Err, step) }
	return o
}

// tell prints and writes what was measured, or says why it was not.
func (s *series) tell(p *cli.Program, measured report, err error) error {
	var wrong *bench.OptionError
	if errors.As(err, &wrong) {
		return cli.UsageError{Err: err}
	}
	if err != nil {
		return err
	}
	if s.out != "" {
		if err := writeFiles(measured, s.out); err != nil {
			return err
		}
	}
	if p.JSON {
		return p.PrintJSON(measured)
	}
	return measured.WriteMarkdown(p.Out)
}

func writeFiles(measured report, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	err := cli.WriteFile(filepath.Join(dir, "bench.md"), measured.WriteMarkdown)
	if drawn, is := measured.(drawnReport); is {
		err = errors.Join(err, cli.WriteFile(filepath.Join(dir, "bench.svg"), drawn.WriteSVG))
	}
	return err
}
