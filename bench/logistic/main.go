// Command logistic makes up samples of two classes as libsvm has them, from weights of which most are 0: what a
// regression is to find, at any size.
//
//	go run ./bench/logistic -samples 150000 -features 100000 -entries 80 > made.svm
//
// A sample has about so many features, some of them far more often than others (Zipf's law), as documents have words;
// its values are of length 1 together. One feature of ten has a weight, normally distributed, so that margins w·x have
// a deviation of signal. The class is 1 with the probability 1 / (1 + exp(−w·x)).
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "logistic:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("logistic", flag.ContinueOnError)
	samples := flags.Int("samples", 150000, "how many there are")
	features := flags.Uint64("features", 100000, "how many there are at most")
	entries := flags.Int("entries", 80, "features of a sample, on average")
	signal := flags.Float64("signal", 3, "deviation of margins")
	seed := flags.Uint64("seed", 1, "of all that is random")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *samples < 1 || *features < 1 || *entries < 1 {
		return fmt.Errorf("there is at least one sample, feature and entry")
	}
	const weighty = 0.1 // the share of features that have a weight
	r := rand.New(rand.NewPCG(*seed, 0))
	weights := make([]float64, *features)
	for j := range weights {
		if x := r.NormFloat64(); r.Float64() < weighty {
			weights[j] = *signal / math.Sqrt(weighty) * x
		}
	}
	zipf := rand.NewZipf(r, 1.1, 10, *features-1)
	w := bufio.NewWriterSize(out, 1<<20)
	var row []uint64
	var line []byte
	for range *samples {
		row = row[:0]
		for range 1 + r.IntN(2**entries) {
			row = append(row, zipf.Uint64())
		}
		slices.Sort(row)
		line = sample(line[:0], slices.Compact(row), weights, r)
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return w.Flush()
}

// sample appends the line of a sample with these features.
func sample(line []byte, features []uint64, weights []float64, r *rand.Rand) []byte {
	values, length, margin := make([]float64, len(features)), 0.0, 0.0
	for i := range values {
		values[i] = 0.2 + r.ExpFloat64()
		length += values[i] * values[i]
	}
	for i, j := range features {
		values[i] = math.Round(values[i]/math.Sqrt(length)*1e6) / 1e6
		margin += values[i] * weights[j]
	}
	class := "-1"
	if r.Float64() < 1/(1+math.Exp(-margin)) {
		class = "1"
	}
	line = append(line, class...)
	for i, j := range features {
		line = append(line, ' ')
		line = strconv.AppendUint(line, j+1, 10)
		line = append(line, ':')
		line = strconv.AppendFloat(line, values[i], 'f', -1, 64)
	}
	return append(line, '\n')
}
