// Command gas factorizes ratings that are made up, by one thread, in MEGA, as penstock train mf does, and as a vertex
// program in two phases of gather, apply and scatter, which adds up gradients, as GAS has it, or takes them in order.
// It says what processors took for an epoch, and how far each is off ratings that it has not seen.
//
//	GODEBUG=cpu.avx2=off go run ./bench/gas -users 20000 -items 4000 -ratings 1000000 -rank 32 -epochs 10,20,40
//
// All are the same arithmetic in Go, but that MEGA has kernels in assembler for AVX, which GODEBUG switches off.
package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/penstock-db/penstock/formats/planted"
	"github.com/penstock-db/penstock/plugins/mega/mf"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gas:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("gas", flag.ContinueOnError)
	o := planted.Options{}
	flags.IntVar(&o.Users, "users", 20000, "how many users there are")
	flags.IntVar(&o.Items, "items", 4000, "how many items there are")
	flags.Int64Var(&o.Ratings, "ratings", 1000000, "how many ratings there are; a tenth is held out")
	flags.Uint64Var(&o.Seed, "seed", 1, "of all that is random")
	rank := flags.Int("rank", 32, "how many factors a vertex has")
	l2 := flags.Float64("l2", 5, "penalty on a vertex's factors")
	rate := flags.Float64("rate", 0.1, "of the first epoch; it falls to 0")
	epochs := flags.String("epochs", "10,20,40", "how many epochs there are, of runs one after the other")
	rounds := flags.Int("rounds", 3, "how often each runs, by turns; the least time counts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	d, err := plant(o)
	if err != nil {
		return err
	}
	p := mf.Params{Rank: *rank, Rate: *rate, L2: *l2, BiasL2: 5, Mean: d.mean, Variance: d.variance, Seed: o.Seed,
		Users: d.users.degrees(), Items: d.items.degrees()}
	fmt.Fprintln(out, "| epochs | program | s | ms an epoch | RMSE | MEGA's s to this |")
	fmt.Fprintln(out, "| --- | --- | --- | --- | --- | --- |")
	for text := range strings.SplitSeq(*epochs, ",") {
		if p.Epochs, err = strconv.Atoi(text); err != nil || p.Epochs < 1 {
			return fmt.Errorf("%q epochs: give numbers of at least 1", text)
		}
		if err := compare(out, d, p, *rounds); err != nil {
			return err
		}
	}
	return nil
}

// compare runs all by turns, and prints their rows.
func compare(out io.Writer, d *data, p mf.Params, rounds int) error {
	programs := []struct {
		name      string
		run       func() (model, error)
		took, off float64
	}{
		{name: "MEGA", run: func() (model, error) { return inMEGA(d, p) }},
		{name: "GAS, rows in order", run: func() (model, error) { return inGAS(d, p, false), nil }},
		{name: "GAS, sums", run: func() (model, error) { return inGAS(d, p, true), nil }},
	}
	for round := range rounds {
		for i := range programs {
			each, began := &programs[i], used()
			m, err := each.run()
			if err != nil {
				return err
			}
			if took := used() - began; round == 0 || took < each.took {
				each.took = took
			}
			each.off = d.rmse(m)
		}
	}
	for _, each := range programs {
		fmt.Fprintf(out, "| %d | %s | %.2f | %.1f | %.4f | %.2f |\n", p.Epochs, each.name, each.took,
			1000*each.took/float64(p.Epochs), each.off, programs[0].took/each.took)
	}
	return nil
}

// used is the seconds of processors that the process has taken, of the user and the system.
func used() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return math.NaN()
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return seconds(u.Utime) + seconds(u.Stime)
}
