// Package feature reads the scenarios of openCypher's TCK, for tests that need not run them.
package feature

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Scenario is one, or one example of an outline.
type Scenario struct {
	Name  string // file and title
	Steps []Step
}

// Step is a line, and what belongs to it.
type Step struct {
	Text string
	Doc  string     // between """
	Rows [][]string // of its table, with the heading
}

// beside is where the features are in the data beside the repository, for packages right below query.
var beside = filepath.Join("..", "..", "..", "..", "shared", "data", "opencypher-tck", "tck", "features")

// Folder is where the features are: the folder that PENSTOCK_TCK_FEATURES names, or that of the data
// beside the repository; empty: not here.
func Folder() string {
	if folder := os.Getenv("PENSTOCK_TCK_FEATURES"); folder != "" {
		return folder
	}
	if _, err := os.Stat(beside); err != nil {
		return ""
	}
	return beside
}

// Needed is Folder for a test that makes no sense without: it is skipped then.
func Needed(t testing.TB) string {
	t.Helper()
	folder := Folder()
	if folder == "" {
		t.Skip("no features: set PENSTOCK_TCK_FEATURES to the folder tck/features of openCypher")
	}
	return folder
}

// All are the scenarios, for a test that makes no sense without.
func All(t testing.TB) []Scenario {
	t.Helper()
	folder := Needed(t)
	scenarios, err := Read(folder)
	if err != nil || len(scenarios) == 0 {
		t.Fatalf("no scenarios in %s: %v", folder, err)
	}
	return scenarios
}

// Read reads all scenarios below a folder.
func Read(folder string) ([]Scenario, error) {
	var all []Scenario
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".feature" {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil {
			all = append(all, parse(filepath.Base(path), string(text))...)
		}
		return err
	})
	return all, err
}

// reader goes through a file line by line.
type reader struct {
	file       string
	background []Step
	title      string
	steps      []Step
	examples   [][]string
	inExamples bool
	doc        []string
	inDoc      bool
	all        []Scenario
}

// background is the title of the steps that come before those of each scenario.
const background = "Background"

func parse(file, text string) []Scenario {
	r := &reader{file: file}
	for line := range strings.Lines(text) {
		r.line(strings.TrimRight(line, "\r\n"))
	}
	r.finish()
	return r.all
}

func (r *reader) line(line string) {
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == `"""`:
		r.toggleDoc()
	case r.inDoc:
		r.doc = append(r.doc, line)
	case trimmed == "" || trimmed[0] == '#' || trimmed[0] == '@':
	case strings.HasPrefix(trimmed, "Background:"):
		r.finish()
		r.title = background
	case strings.HasPrefix(trimmed, "Scenario"):
		r.finish()
		_, r.title, _ = strings.Cut(trimmed, ": ")
	case strings.HasPrefix(trimmed, "Examples:"):
		r.inExamples = true
	case trimmed[0] == '|':
		r.row(cells(trimmed))
	default:
		r.steps = append(r.steps, Step{Text: step(trimmed)})
	}
}

func (r *reader) toggleDoc() {
	if r.inDoc {
		r.steps[len(r.steps)-1].Doc = strings.Join(r.doc, "\n")
		r.doc = nil
	}
	r.inDoc = !r.inDoc
}

func (r *reader) row(cells []string) {
	if r.inExamples {
		r.examples = append(r.examples, cells)
	} else if len(r.steps) > 0 {
		last := &r.steps[len(r.steps)-1]
		last.Rows = append(last.Rows, cells)
	}
}

// step is a line without its first word.
func step(line string) string {
	_, rest, _ := strings.Cut(line, " ")
	return rest
}

// cells splits a row of a table, in which \| is a bar.
func cells(line string) []string {
	const bar = "\x00"
	line = strings.ReplaceAll(strings.Trim(line, " \t"), `\|`, bar)
	var all []string
	for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
		all = append(all, strings.ReplaceAll(strings.TrimSpace(cell), bar, "|"))
	}
	return all
}

// finish ends a scenario, the background or the text before the first.
func (r *reader) finish() {
	switch {
	case r.title == "": // what describes the feature is no step
	case r.title == background:
		r.background = r.steps
	case len(r.examples) == 0:
		r.add("", r.steps)
	default:
		r.outline()
	}
	r.title, r.steps, r.examples, r.inExamples = "", nil, nil, false
}

func (r *reader) add(example string, steps []Step) {
	r.all = append(r.all, Scenario{Name: r.file + " " + r.title + example, Steps: append(r.background, steps...)})
}

// outline makes a scenario of each example.
func (r *reader) outline() {
	for i, row := range r.examples[1:] {
		var pairs []string
		for j, name := range r.examples[0] {
			pairs = append(pairs, "<"+name+">", row[j])
		}
		r.add(fmt.Sprintf(" #%d", i+1), replaced(r.steps, strings.NewReplacer(pairs...)))
	}
}

func replaced(steps []Step, by *strings.Replacer) []Step {
	var all []Step
	for _, s := range steps {
		s.Text, s.Doc = by.Replace(s.Text), by.Replace(s.Doc)
		var rows [][]string
		for _, row := range s.Rows {
			var cells []string
			for _, cell := range row {
				cells = append(cells, by.Replace(cell))
			}
			rows = append(rows, cells)
		}
		s.Rows = rows
		all = append(all, s)
	}
	return all
}

// Fault is what a scenario ends with, if that is an error.
func (s Scenario) Fault() (kind, when, detail string, ok bool) {
	for _, step := range s.Steps {
		if what, rest, found := strings.Cut(step.Text, " should be raised at "); found {
			when, detail, _ = strings.Cut(rest, ": ")
			return strings.TrimPrefix(what, "a "), when, detail, true
		}
	}
	return "", "", "", false
}

// Queries are the statements of a scenario; the last that is executed is the one it is about.
func (s Scenario) Queries() []string {
	var all []string
	for _, step := range s.Steps {
		if step.Doc != "" {
			all = append(all, step.Doc)
		}
	}
	return all
}
