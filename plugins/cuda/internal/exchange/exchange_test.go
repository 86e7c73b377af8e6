package exchange

import (
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/internal/ordering"
)

const vertices = 130

// open makes a column, of some of the vertices or of all.
func open(t *testing.T, of Values, among []int) Column {
	t.Helper()
	a, err := arena.Create(8 << 10)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	c := plugins.Command{At: arena.Range{Offset: 1024, Length: 8 * vertices}}
	if among != nil {
		c.Among = arena.Range{Length: 8 * ((vertices + 63) / 64)}
		words, err := a.Uint64s(c.Among)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range among {
			words[v/64] |= 1 << (v % 64)
		}
	}
	x, err := Open(a, c, of, vertices)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// What one session gathers another delivers: its accumulators are then those of both, for the vertices that the command
// is about, and as they were for the others.
func TestDeliver_WhatWasGathered(t *testing.T) {
	random := testseed.Rand(t)
	for _, of := range []Values{{algorithms.Sum, algorithms.Int}, {algorithms.Sum, algorithms.Float},
		{algorithms.Min, algorithms.Int}, {algorithms.Max, algorithms.Float}, {algorithms.Or, algorithms.Bool}} {
		for _, among := range [][]int{nil, {0, 63, 64, 129}} {
			x := open(t, of, among)
			gathered, had, numbers := make([]uint64, vertices), make([]uint64, vertices), make([][2]float64, vertices)
			for v := range vertices {
				numbers[v] = [2]float64{float64(random.IntN(2)), float64(random.IntN(2))}
				if of.Type != algorithms.Bool {
					numbers[v] = [2]float64{float64(random.IntN(100)), float64(random.IntN(100))}
				}
				gathered[v], had[v] = accumulator(of, numbers[v][0]), accumulator(of, numbers[v][1])
			}
			x.Gather(gathered)
			x.Deliver(had)
			for v, n := range numbers {
				want := n[1]
				if among == nil || slices.Contains(among, v) {
					want = reduced(of.Reduce, n[0], n[1])
				}
				if had[v] != accumulator(of, want) {
					t.Fatalf("%+v, among %v, vertex %d of %v: %x; want %v", of, among, v, n, had[v], want)
				}
			}
		}
	}
}

// accumulator is a number as the card accumulates it.
func accumulator(of Values, x float64) uint64 {
	bits := uint64(int64(x))
	if of.Type == algorithms.Float {
		bits = math.Float64bits(x)
	}
	if of.Reduce == algorithms.Sum {
		return bits
	}
	return uint64(ordering.Of(of.Reduce).Key(of.Type, bits))
}

func reduced(r algorithms.Reduce, a, b float64) float64 {
	switch r {
	case algorithms.Sum:
		return a + b
	case algorithms.Min:
		return min(a, b)
	}
	return max(a, b)
}

// A state is improved where the other session knows something better, and there alone a vertex becomes active.
func TestLearn(t *testing.T) {
	of := Values{algorithms.Min, algorithms.Int}
	x := open(t, of, []int{1, 2, 3})
	offered, own := make([]uint64, vertices), Column{bytes: make([]byte, 8*vertices), width: 8}
	for v := range vertices {
		offered[v] = accumulator(of, 5)
		own.store(v, uint64(4+v%3)) // of 1, 2 and 3: 5, 6 and 4
	}
	x.Gather(offered)
	active := make([]uint64, (vertices+63)/64)
	x.Learn(own.bytes, active)
	for v := range vertices {
		want := uint64(4 + v%3)
		if v == 2 {
			want = 5
		}
		if got := own.load(v); got != want {
			t.Errorf("vertex %d: %d; want %d", v, got, want)
		}
	}
	if !slices.Equal(active, []uint64{1 << 2, 0, 0}) {
		t.Errorf("active are %x", active)
	}
}

// A column that is too short is refused.
func TestOpen_Short(t *testing.T) {
	a, err := arena.Create(4096)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	c := plugins.Command{At: arena.Range{Length: 8*vertices - 8}}
	_, err = Open(a, c, Values{algorithms.Sum, algorithms.Int}, vertices)
	if plugins.KindOf(err) != plugins.KindInvalid {
		t.Errorf("%v; want that it is too short", err)
	}
}
