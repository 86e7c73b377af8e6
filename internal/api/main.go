// API lists what other modules can use of this one: the exported names of the public packages, with their types.
//
//	go run ./internal/api              writes docs/api.txt
//	go run ./internal/api -check       fails when docs/api.txt is not what the packages export, or when a package hands out
//	                                   a type that other modules cannot name
//	go run ./internal/api -since REV   says what changed since a revision, and fails when a program could break (apidiff)
//
// It runs in the module's folder, and docs/api.md says which packages are public.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/penstock-db/penstock/internal/gosource"
)

// public are the packages that other modules may import.
var public = []string{".", "./algorithms", "./algorithms/catalog", "./algorithms/centrality",
	"./algorithms/community", "./algorithms/components", "./algorithms/embedding", "./algorithms/neural/adjacency",
	"./algorithms/neural/dataflow", "./algorithms/neural/grid", "./algorithms/paths", "./algorithms/random",
	"./algorithms/similarity", "./algorithms/structure", "./formats", "./formats/chunk", "./plugins", "./plugins/arena", "./plugins/kit",
	"./plugins/mega", "./plugins/plugintest"}

const listing = "docs/api.txt"

func main() {
	check := flag.Bool("check", false, "fail when "+listing+" is out of date")
	since := flag.String("since", "", "revision to compare with")
	flag.Parse()
	if err := run(os.Stdout, *check, *since); err != nil {
		fmt.Fprintln(os.Stderr, "api:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, check bool, since string) error {
	module, err := gosource.Load(".", public...)
	if err != nil {
		return err
	}
	if since != "" {
		return compare(w, module, since)
	}
	now, handedOut := list(module)
	if !check {
		return os.WriteFile(listing, []byte(now), 0o644)
	}
	then, err := os.ReadFile(listing)
	if err != nil {
		return err
	}
	if changes := changed(string(then), now); len(changes) > 0 {
		fmt.Fprintln(w, strings.Join(changes, "\n"))
		return fmt.Errorf("the public API has changed: go run ./internal/api writes %s", listing)
	}
	if len(handedOut) > 0 {
		return fmt.Errorf("public packages hand out types of packages that are not: %s", strings.Join(handedOut, ", "))
	}
	return nil
}

// changed are the lines that two listings do not share: those of the first behind -, those of the second behind +.
func changed(then, now string) []string {
	before, after := lines(then), lines(now)
	var changes []string
	for line := range strings.Lines(then) {
		if !after[line] {
			changes = append(changes, "-"+strings.TrimSuffix(line, "\n"))
		}
	}
	for line := range strings.Lines(now) {
		if !before[line] {
			changes = append(changes, "+"+strings.TrimSuffix(line, "\n"))
		}
	}
	return changes
}

func lines(text string) map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(text) {
		set[line] = true
	}
	return set
}
