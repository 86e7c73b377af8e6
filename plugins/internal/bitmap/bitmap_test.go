package bitmap_test

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// A bitmap has the members that were put in it, ascending, and as many as there are.
func TestMembers(t *testing.T) {
	random := testseed.Rand(t)
	for range 100 {
		n := random.IntN(1000)
		words := make([]uint64, bitmap.Words(n))
		var want []int
		for v := range n {
			if random.IntN(3) == 0 {
				words[v/64] |= 1 << (v % 64)
				want = append(want, v)
			}
		}
		if got := slices.Collect(bitmap.Members(words)); !slices.Equal(got, want) {
			t.Fatalf("members of %d bits: got %v, want %v", n, got, want)
		}
		if got := bitmap.Count(words); got != uint64(len(want)) {
			t.Fatalf("count of %d bits: got %d, want %d", n, got, len(want))
		}
	}
}

// Common gives the bits that two bitmaps have both.
func TestCommon(t *testing.T) {
	random := testseed.Rand(t)
	for range 100 {
		n := 1 + random.IntN(400)
		a, b := make([]uint64, bitmap.Words(n)), make([]uint64, bitmap.Words(n))
		for i := range a {
			a[i], b[i] = random.Uint64()&bitmap.Within(i, 0, n), random.Uint64()&bitmap.Within(i, 0, n)
		}
		var want []int
		for v := range bitmap.Members(a) {
			if bitmap.Has(b, v) {
				want = append(want, v)
			}
		}
		if got := slices.Collect(bitmap.Common(a, b)); !slices.Equal(got, want) {
			t.Fatalf("common to %x and %x: got %v, want %v", a, b, got, want)
		}
	}
}

// Fill and Within agree with a loop over the bits, also where an interval lies outside the word.
func TestWithin(t *testing.T) {
	random := testseed.Rand(t)
	for range 100 {
		n := 1 + random.IntN(400)
		from, to := random.IntN(n), random.IntN(n+1)
		words := make([]uint64, bitmap.Words(n))
		if filled := bitmap.Fill(words, n); filled != uint64(n) || bitmap.Count(words) != uint64(n) {
			t.Fatalf("fill of %d bits: got %d, and %d are set", n, filled, bitmap.Count(words))
		}
		for i := range words {
			words[i] &= bitmap.Within(i, from, to)
		}
		for v := range n {
			if want := from <= v && v < to; bitmap.Has(words, v) != want {
				t.Fatalf("bit %d of [%d, %d): got %v, want %v", v, from, to, !want, want)
			}
		}
	}
}

// Spans finds every run of words that are not 0, and no other.
func TestSpans(t *testing.T) {
	var got [][2]int
	bitmap.Spans([]uint64{0, 1, 2, 0, 0, 3}, func(first, end int) { got = append(got, [2]int{first, end}) })
	if want := [][2]int{{1, 3}, {5, 6}}; !slices.Equal(got, want) {
		t.Fatalf("spans: got %v, want %v", got, want)
	}
}
