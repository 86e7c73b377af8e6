package knn

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/similarity"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// cloud has points of a normal distribution.
func cloud(t *testing.T, seed uint64, n, width int) *space {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	given := make([]float32, n*width)
	for i := range given {
		given[i] = float32(random.NormFloat64())
	}
	pool := parallel.New(2)
	s, err := newSpace(context.Background(), pool, similarity.Euclidean, given, n)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.enter(context.Background(), pool); err != nil {
		t.Fatal(err)
	}
	return s
}

// nearestOf are the k nearest of some points.
func nearestOf(s *space, points, k int) [][]uint32 {
	all := make([][]uint32, points)
	for p := range all {
		others := slices.Concat(s.points[:p], s.points[p+1:])
		distance := func(q uint32) float64 { return -s.metric.Similarity(s.givenOf(uint32(p)), s.givenOf(q)) }
		slices.SortFunc(others, func(a, b uint32) int { return cmp.Compare(distance(a), distance(b)) })
		all[p] = others[:k]
	}
	return all
}

// share is which part of the nearest lists have.
func share(l *lists, want [][]uint32) float64 {
	met, all := 0, 0
	for p, nearest := range want {
		for _, q := range nearest {
			all++
			if slices.ContainsFunc(l.of(p), func(e entry) bool { return e.point() == q }) {
				met++
			}
		}
	}
	return float64(met) / float64(all)
}

var quiet = procedures.Progress{Tell: func(float64) {}}

// Of the ten nearest of 4,096 points, three or four are in the same leaf of 32. Of those that are together by chance,
// one in 128 would be.
func TestForest_KeepsNearOnesTogether(t *testing.T) {
	seed := testseed.New(t)
	s, l := cloud(t, seed, 4096, 4), newLists(4096, 10)
	f := forest{pool: parallel.New(2), trees: 1, leaf: 32, seed: int64(seed)}
	if err := f.grow(context.Background(), s, l, quiet); err != nil {
		t.Fatal(err)
	}
	if part := share(l, nearestOf(s, 100, 10)); part < 0.25 {
		t.Errorf("%.3f of the nearest; expected 0.25", part)
	}
}

// Neighbors beyond the ten that are wanted lead to half of those that would be missed.
func TestSearch_KeepsMoreThanAreWanted(t *testing.T) {
	seed := testseed.New(t)
	s := cloud(t, seed, 4096, 16)
	want := nearestOf(s, 100, 10)
	found := func(kept int) float64 {
		l := newLists(4096, kept)
		f := forest{pool: parallel.New(2), trees: 3, leaf: 32, seed: int64(seed)}
		if err := f.grow(context.Background(), s, l, quiet); err != nil {
			t.Fatal(err)
		}
		d := descent{pool: parallel.New(2), sample: 5, least: 0.001, iterations: 100, seed: int64(seed)}
		if err := d.run(context.Background(), s, l, quiet); err != nil {
			t.Fatal(err)
		}
		return share(l, want)
	}
	ten, more := found(10), found((&search{most: 10}).kept(4096))
	if 1-more > 0.7*(1-ten) {
		t.Errorf("%.3f of the nearest, and %.3f by lists of ten", more, ten)
	}
}
