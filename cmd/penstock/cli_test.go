package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/long"
)

// outputOf runs one command line in this process and returns what it printed. Plugins are
// still processes of their own: the test binary, started again.
func outputOf(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := execute(t.Context(), args, strings.NewReader(""), &stdout, &stderr); status != cli.ExitDone {
		t.Fatalf("penstock %s: exit %d\n%s", strings.Join(args, " "), status, stderr.String())
	}
	return stdout.String()
}

// objectOf is outputOf with --json, decoded.
func objectOf(t *testing.T, args ...string) map[string]any {
	t.Helper()
	var object map[string]any
	out := outputOf(t, append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), &object); err != nil {
		t.Fatalf("penstock %s: %v in %s", strings.Join(args, " "), err, out)
	}
	return object
}

// sharedData is the folder of published graphs beside the checkout, if it is there. They are large, and right answers
// are the same under the race detector.
func sharedData(t *testing.T, elements ...string) string {
	t.Helper()
	long.Unraced(t)
	root := filepath.Join("..", "..", "..", "shared", "data")
	if _, err := os.Stat(root); err != nil {
		t.Skip("needs published graphs in ../shared/data beside the checkout: see CONTRIBUTING.md")
	}
	return filepath.Join(append([]string{root}, elements...)...)
}

// runCSV runs an algorithm and returns its result as text by user id: the second column.
func runCSV(t *testing.T, db, graph string, args ...string) map[string]string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "result.csv")
	outputOf(t, append([]string{"run", "--db", db, "--graph", graph, "--out", out}, args...)...)
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	values := make(map[string]string, len(rows))
	for _, row := range rows[1:] {
		values[row[0]] = row[1]
	}
	return values
}
