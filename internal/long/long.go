// Package long tells tests whether to take their time. A test that draws cases draws few by default, so that
// `go test ./...` is short, and many where PENSTOCK_LONG=1 is set, as .ci/run sets it.
package long

import (
	"os"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// Tests reports whether tests run in their long form: PENSTOCK_LONG is 1.
func Tests() bool { return os.Getenv("PENSTOCK_LONG") == "1" }

// Unraced leaves a test of much out where PENSTOCK_LONG is 0, as .ci/run sets it for the race detector: what goes on at
// once in it does so in smaller tests as well, and .ci/run has it without the detector.
func Unraced(t testing.TB) {
	t.Helper()
	if os.Getenv("PENSTOCK_LONG") == "0" {
		t.Skip("of much: not where PENSTOCK_LONG is 0")
	}
}

// Raced gives all cases, but few, drawn, where PENSTOCK_LONG is 0: the race detector sees in them what it would see in
// all, and .ci/run has all without it.
func Raced[T any](t testing.TB, cases []T, few int) []T {
	t.Helper()
	if os.Getenv("PENSTOCK_LONG") != "0" {
		return cases
	}
	return Draw(t, cases, few)
}

// Draw gives all cases where tests are long, and else some of them, as many as few says, in their order. Another seed
// (internal/testseed) draws others: what has been drawn is seen by the names of subtests, each of which PENSTOCK_LONG=1
// has.
func Draw[T any](t testing.TB, cases []T, few int) []T {
	t.Helper()
	if Tests() || few >= len(cases) {
		return cases
	}
	places := testseed.Rand(t).Perm(len(cases))[:few]
	slices.Sort(places)
	drawn := make([]T, few)
	for i, place := range places {
		drawn[i] = cases[place]
	}
	t.Logf("%d of %d cases are drawn; PENSTOCK_LONG=1 takes all", few, len(cases))
	return drawn
}
