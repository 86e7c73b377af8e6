package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
)

// unreached is what Subway says of a vertex without a way to it.
const unreached = math.MaxUint32 - 1

// compare says how far a result of Subway, of lines "vertex value", is ours.
func compare(what, directory, ours, theirs string) (string, error) {
	agreement := map[string]func(ours, theirs []float64) string{
		"bfs": equal, "sssp": equal, "wcc": alike, "pagerank-delta": near,
	}[what]
	if agreement == nil {
		return "", fmt.Errorf("%s: there are bfs, sssp, wcc and pagerank-delta", what)
	}
	a, err := readOurs(directory, ours)
	if err != nil {
		return "", err
	}
	b, err := readTheirs(theirs, len(a))
	if err != nil {
		return "", err
	}
	return agreement(a, b), nil
}

// readOurs reads what 'penstock run --out' has written, by the vertices' numbers.
func readOurs(directory, path string) ([]float64, error) {
	numbers, err := readIDs(directory)
	if err != nil {
		return nil, err
	}
	var values []float64
	err = table(path, func(row []string) error {
		v, err := numbers.number(row[0])
		if err != nil {
			return err
		}
		x, err := ourValue(row[1])
		for len(values) <= int(v) {
			values = append(values, math.NaN())
		}
		values[v] = x
		return err
	})
	return values, err
}

func ourValue(text string) (float64, error) {
	if text == "" { // no way leads there
		return math.Inf(1), nil
	}
	return strconv.ParseFloat(text, 64)
}

// readTheirs reads the values of n vertices; those of the spare ones come behind.
func readTheirs(path string, n int) ([]float64, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	values := make([]float64, n)
	in := bufio.NewReaderSize(file, 1<<20)
	for v := range values {
		var number int
		if _, err := fmt.Fscanln(in, &number, &values[v]); err != nil || number != v {
			return nil, fmt.Errorf("%s:%d: is not the value of vertex %d", path, v+1, v)
		}
		if values[v] == unreached {
			values[v] = math.Inf(1)
		}
	}
	return values, nil
}

// equal tells of distances.
func equal(ours, theirs []float64) string {
	same := 0
	for v := range ours {
		if ours[v] == theirs[v] {
			same++
		}
	}
	return share(same, len(ours))
}

// alike tells of components, whatever each side calls them: a vertex counts if the component that each
// puts it in is the other's of the vertex that came first in it.
func alike(ours, theirs []float64) string {
	there, here, same := map[float64]float64{}, map[float64]float64{}, 0
	for v := range ours {
		if _, ok := there[ours[v]]; !ok {
			there[ours[v]] = theirs[v]
		}
		if _, ok := here[theirs[v]]; !ok {
			here[theirs[v]] = ours[v]
		}
		if there[ours[v]] == theirs[v] && here[theirs[v]] == ours[v] {
			same++
		}
	}
	return share(same, len(ours))
}

func share(same, of int) string {
	if same == of {
		return "all the same"
	}
	return fmt.Sprintf("%d of %d differ", of-same, of)
}

// near tells of ranks, which we scale to sum up to 1, and Subway does not.
func near(ours, theirs []float64) string {
	sum, distance := 0.0, 0.0
	for _, x := range theirs {
		sum += x
	}
	for v := range ours {
		distance += math.Abs(ours[v] - theirs[v]/sum)
	}
	return fmt.Sprintf("%.2g apart in sum", distance)
}
