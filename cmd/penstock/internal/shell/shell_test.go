package shell

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/cmd/penstock/internal/database"
	"github.com/penstock-db/penstock/internal/instance"
)

// fakeLines are typed one after the other; "^C" drops what was begun, and at the end is Ctrl-D.
type fakeLines struct {
	lines []string
	more  []bool // whether each was asked for within a statement
}

func (f *fakeLines) line(more bool) (string, error) {
	f.more = append(f.more, more)
	if len(f.lines) == 0 {
		return "", io.EOF
	}
	line := f.lines[0]
	f.lines = f.lines[1:]
	if line == "^C" {
		return "", errDropped
	}
	return line, nil
}

// TestShell_Interact types what people type: statements of several lines, mistakes, Ctrl-C.
func TestShell_Interact(t *testing.T) {
	db, err := instance.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.CreateGraph(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	var out, notes bytes.Buffer
	s := &session{db: database.New(db), graph: "g", out: &out, notes: &notes}
	typed := &fakeLines{lines: []string{"RETURN 1 AS", "one;", "RETRUN 2;", ":nonsense", "RETURN", "^C", "RETURN", ":no;",
		"RETURN 3 AS three; RETURN 4 AS four;", "CREATE (:Never)"}}
	if err := s.interact(t.Context(), typed); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{" one\n 1\n", " three\n 3\n", " four\n 4\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
	for _, want := range []string{"RETRUN", "does not know :nonsense", `unexpected ":"`} {
		if !strings.Contains(notes.String(), want) {
			t.Errorf("%q is not in\n%s", want, &notes)
		}
	}
	if strings.Contains(notes.String(), "nodes created") {
		t.Error("what was not ended was run")
	}
	want := []bool{false, true, false, false, false, true, false, true, false, false, true}
	if !slices.Equal(typed.more, want) {
		t.Errorf("prompts: %v, not %v", typed.more, want)
	}
}
