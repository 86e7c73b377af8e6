package tck

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/cucumber/godog"

	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/query/internal/feature"
	"github.com/penstock-db/penstock/internal/scratch"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

//go:embed testdata/known_failures.txt
var knownFailures string

// drawnOf is how many scenarios there are for each that a short test draws.
const drawnOf = 16

// A short test runs every 16th scenario, beginning at a random one; a long one, all. PENSTOCK_TCK_SHRINK=1 runs all
// and takes what passes from the file of known failures.
func TestTCK(t *testing.T) {
	dir := feature.Needed(t)
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // collecting took a quarter of the time
	db, err := store.Open(scratch.Dir(t), store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r := &record{root: dir, seen: map[string]int{}, outcomes: map[string]error{}, step: 1}
	if !long.Tests() && os.Getenv(shrinkVariable) == "" {
		r.step, r.next = drawnOf, 1+testseed.Rand(t).IntN(drawnOf)
		t.Logf("every %dth scenario from the %dth on; PENSTOCK_LONG=1 runs all", drawnOf, r.next)
	}
	suite := godog.TestSuite{
		Name:                "openCypher TCK",
		ScenarioInitializer: func(s *godog.ScenarioContext) { initialize(s, db, r) },
		Options: &godog.Options{Format: "progress", Paths: []string{dir}, Output: io.Discard, Strict: true,
			NoColors: true},
	}
	suite.Run() // its exit status counts known failures as well
	if len(r.outcomes) == 0 {
		t.Errorf("no scenario of %d in %s was run", r.count, dir)
	}
	r.report(t)
}

const shrinkVariable = "PENSTOCK_TCK_SHRINK"

// record is what came of every scenario.
type record struct {
	root     string
	seen     map[string]int // how often a name was there: the examples of an outline share it
	outcomes map[string]error

	count      int // of the scenarios so far
	next, step int // which of them is run next, and how many after it the one after
}

// draws counts a scenario and tells whether it is run.
func (r *record) draws() bool {
	r.count++
	if r.count < r.next {
		return false
	}
	r.next = r.count + r.step
	return true
}

// name of a scenario: file, title and, from the second example on, which.
func (r *record) name(s *godog.Scenario) string {
	file, err := filepath.Rel(r.root, s.Uri)
	if err != nil {
		file = s.Uri
	}
	name := filepath.ToSlash(file) + ": " + s.Name
	r.seen[name]++
	if n := r.seen[name]; n > 1 {
		name += fmt.Sprintf(" #%d", n)
	}
	return name
}

// report prints the counts by folder and compares the failures with those that are known.
func (r *record) report(t *testing.T) {
	known := map[string]bool{}
	for line := range strings.Lines(knownFailures) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			known[line] = true
		}
	}
	passed, failed := map[string]int{}, map[string]int{}
	var passes, failures int
	for _, name := range slices.Sorted(maps.Keys(r.outcomes)) {
		err := r.outcomes[name]
		folder, _, _ := strings.Cut(name, ".feature")
		folder = filepath.ToSlash(filepath.Dir(folder))
		if err == nil {
			passed[folder]++
			passes++
		} else {
			failed[folder]++
			failures++
		}
		r.compare(t, name, err, known[name])
	}
	for _, folder := range slices.Sorted(maps.Keys(union(passed, failed))) {
		t.Logf("%-40s %4d passed %4d failed %4d skipped", folder, passed[folder], failed[folder], 0)
	}
	fmt.Fprintf(os.Stdout, "%d passed, %d failed\n", passes, failures)
	if os.Getenv(shrinkVariable) != "" {
		r.shrink(t)
	}
}

// shrink takes what passes from the file of known failures.
func (r *record) shrink(t *testing.T) {
	var left strings.Builder
	for line := range strings.Lines(knownFailures) {
		if err, ran := r.outcomes[strings.TrimSpace(line)]; !ran || err != nil {
			left.WriteString(line)
		}
	}
	if err := os.WriteFile(filepath.Join("testdata", "known_failures.txt"), []byte(left.String()), 0o666); err != nil {
		t.Error(err)
	}
}

func (r *record) compare(t *testing.T, name string, err error, known bool) {
	switch {
	case err != nil && !known:
		t.Errorf("fails, and is not a known failure: %s\n    %s", name, strings.ReplaceAll(err.Error(), "\n", "\n    "))
	case err == nil && known:
		t.Errorf("passes: take it from the known failures: %s", name)
	}
}

func union(a, b map[string]int) map[string]int {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// initialize readies a scenario.
func initialize(s *godog.ScenarioContext, db *store.DB, r *record) {
	w := &world{db: db, features: r.root}
	var name string
	var drawn bool
	s.Before(func(ctx context.Context, sc *godog.Scenario) (context.Context, error) {
		name, drawn = r.name(sc), r.draws()
		if !drawn {
			return ctx, godog.ErrSkip
		}
		return ctx, w.begin(ctx, fmt.Sprintf("g%d", len(r.outcomes)))
	})
	s.After(func(ctx context.Context, _ *godog.Scenario, err error) (context.Context, error) {
		if !drawn {
			return ctx, nil
		}
		r.outcomes[name] = err
		return ctx, w.end(ctx)
	})
	w.steps(s)
}

// guarded turns a panic into an error: none may end the run.
func guarded(do func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return do()
}
