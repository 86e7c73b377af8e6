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

	"github.com/penstock-db/penstock/internal/query/internal/feature"
	"github.com/penstock-db/penstock/internal/scratch"
	"github.com/penstock-db/penstock/store"
)

//go:embed testdata/known_failures.txt
var knownFailures string

func TestTCK(t *testing.T) {
	dir := feature.Needed(t)
	db, err := store.Open(scratch.Dir(t), store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r := &record{root: dir, seen: map[string]int{}, outcomes: map[string]error{}}
	suite := godog.TestSuite{
		Name:                "openCypher TCK",
		ScenarioInitializer: func(s *godog.ScenarioContext) { initialize(s, db, r) },
		Options: &godog.Options{Format: "progress", Paths: []string{dir}, Output: io.Discard, Strict: true,
			NoColors: true},
	}
	suite.Run() // its exit status counts known failures as well
	r.report(t)
}

// record is what came of every scenario.
type record struct {
	root     string
	seen     map[string]int // how often a name was there: the examples of an outline share it
	outcomes map[string]error
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
	if os.Getenv("PENSTOCK_TCK_SHRINK") != "" {
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
	s.Before(func(ctx context.Context, sc *godog.Scenario) (context.Context, error) {
		name = r.name(sc)
		return ctx, w.begin(ctx, fmt.Sprintf("g%d", len(r.outcomes)))
	})
	s.After(func(ctx context.Context, _ *godog.Scenario, err error) (context.Context, error) {
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
