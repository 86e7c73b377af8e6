package kernel

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/penstock-db/penstock/algorithms"
)

// A figure is one number of a result that the peers tell too.

func largest(c algorithms.Values) float64 {
	if len(c.Ints) > 0 {
		return float64(slices.Max(c.Ints))
	}
	return slices.Max(c.Floats)
}

// secondOverLargest is how much less the second largest value is than the largest.
func secondOverLargest(c algorithms.Values) float64 {
	sorted := slices.Sorted(slices.Values(c.Floats))
	n := len(sorted)
	if n < 2 || sorted[n-1] == 0 {
		return 0
	}
	return sorted[n-2] / sorted[n-1]
}

func reached(c algorithms.Values) (count float64) {
	for _, depth := range c.Ints {
		if depth != algorithms.Unreached {
			count++
		}
	}
	return count
}

func finite(c algorithms.Values) (count float64) {
	for _, distance := range c.Floats {
		if !math.IsInf(distance, 0) {
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

// ReadFigure is the figure in what a peer printed: the pattern's group, or the second over the first.
func ReadFigure(pattern *regexp.Regexp, text []byte) (float64, error) {
	groups := pattern.FindSubmatch(text)
	if groups == nil {
		return 0, fmt.Errorf("bench: a peer printed no %s:\n%s", pattern, text)
	}
	figure, err := strconv.ParseFloat(string(groups[1]), 64)
	if err != nil || len(groups) < 3 {
		return figure, err
	}
	over, err := strconv.ParseFloat(string(groups[2]), 64)
	return over / figure, err
}
