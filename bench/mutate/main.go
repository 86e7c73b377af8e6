// Mutate measures what tests notice. It makes small mistakes in a package, one at a time, and runs its tests: a mistake
// that a test fails on is killed, any other survives (DeMillo, Lipton, Sayward, Hints on Test Data Selection, 1978).
//
//	go run ./bench/mutate [-least 80] [-list] [-only TEXT] [-every N] PACKAGE...
//
// All mistakes are compiled into one test binary, each behind a switch (Untch, Offutt, Harrold, Mutation Analysis Using
// Mutant Schemata, 1993), by `go test -c -overlay`: the source stays as it is, and a mistake costs a run, no build. A
// first run without mistakes finds which of them the tests come by at all; the others survive unseen. A run that takes
// many times as long as the first counts as killed. The tests are those beside the package; of a private room without
// any, X/internal/room, they are those of X.
//
// bench/mutate/equivalent.txt names mistakes that change nothing that can be observed, with the reason. They do not
// count.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/penstock-db/penstock/internal/gosource"
)

func main() {
	least := flag.Float64("least", 0, "fail when fewer percent are killed")
	list := flag.Bool("list", false, "list the mistakes, run nothing")
	only := flag.String("only", "", "make only mistakes whose name contains this")
	every := flag.Int("every", 1, "make only one mistake in so many, for an estimate")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout, flag.Args(), *least, *list, choice{*only, *every}); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, patterns []string, least float64, list bool, choice choice) error {
	module, err := gosource.Load(".", patterns...)
	if err != nil {
		return err
	}
	equivalent, err := readEquivalent(filepath.Join(module.Dir, "bench", "mutate", "equivalent.txt"))
	if err != nil {
		return err
	}
	for _, pkg := range module.Packages {
		mutants := find(module, pkg)
		if list {
			for _, m := range mutants {
				fmt.Fprintln(w, m.name)
			}
			continue
		}
		score, err := test(ctx, w, pkg, mutants, equivalent, choice)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: %s\n", pkg.Path, score)
		if score.percent() < least {
			return fmt.Errorf("%s: %.0f %% are killed, at least %.0f %% must be", pkg.Path, score.percent(), least)
		}
	}
	return nil
}

// readEquivalent reads lines of a mistake's name, two spaces or more, # and the reason. A missing file names none.
func readEquivalent(path string) (map[string]bool, error) {
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, ok := strings.Cut(line, "  #")
		if !ok || strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("%s: no reason in %q", path, line)
		}
		names[strings.TrimSpace(name)] = true
	}
	return names, nil
}
