package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// fails is a command that fails with an error.
type fails struct{ err error }

func (fails) Describe() *cobra.Command { return &cobra.Command{Use: "do", Args: cobra.NoArgs} }

func (c fails) Run(context.Context, *Program, []string) error { return c.err }

// left is an interruption that says what it leaves.
type left struct{}

func (left) Error() string        { return "two are left" }
func (left) Interrupted() string  { return "interrupted; two are left" }
func (left) Is(target error) bool { return target == context.Canceled }

func TestProgram_Execute(t *testing.T) {
	const hint = "Run 'p --help' or 'p COMMAND --help'.\n"
	for name, c := range map[string]struct {
		err    error
		args   []string
		status int
		said   string
	}{
		"done":        {nil, []string{"do"}, ExitDone, ""},
		"failed":      {errors.New("no"), []string{"do"}, ExitFailed, "p: no\n"},
		"wrong usage": {UsageError{errors.New("no")}, []string{"do"}, ExitUsage, "p: no\n" + hint},
		"wrong usage, wrapped": {fmt.Errorf("in all: %w", UsageError{errors.New("no")}), []string{"do"}, ExitUsage,
			"p: in all: no\n" + hint},
		"what cobra refuses": {nil, []string{"do", "--what"}, ExitUsage, "p: unknown flag: --what\n" + hint},
		"interrupted": {context.Canceled, []string{"do"}, ExitInterrupted,
			"p: interrupted; all is as it was\n"},
		"interrupted, with a rest": {fmt.Errorf("run: %w", left{}), []string{"do"}, ExitInterrupted,
			"p: interrupted; two are left\n"},
		"timelines are of run only": {nil, []string{"do", "--trace", "x.json"}, ExitUsage,
			"p: --trace FILE.json is a timeline, which only run has: name another file for an execution trace\n" + hint},
	} {
		t.Run(name, func(t *testing.T) {
			var out, said bytes.Buffer
			p := New(strings.NewReader(""), &out, &said)
			p.Interrupted = "interrupted; all is as it was"
			root := &cobra.Command{Use: "p"}
			p.Prepare(root)
			root.AddCommand(Build[*Program](p, fails{c.err}))
			if status := p.Execute(t.Context(), root, c.args); status != c.status {
				t.Errorf("status %d, not %d", status, c.status)
			}
			if said.String() != c.said {
				t.Errorf("it said %q, not %q", &said, c.said)
			}
		})
	}
}

// prints is a command that prints.
type prints struct{ fails }

func (prints) Run(_ context.Context, p *Program, _ []string) error { return p.PrintJSON("text") }

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("it is full") }

// Output that went nowhere is a failure, also of a command that does not look.
func TestProgram_OutputLost(t *testing.T) {
	var said bytes.Buffer
	p := New(strings.NewReader(""), full{}, &said)
	root := &cobra.Command{Use: "p"}
	p.Prepare(root)
	root.AddCommand(Build[*Program](p, prints{}))
	if status := p.Execute(t.Context(), root, []string{"do"}); status != ExitFailed {
		t.Errorf("status %d: %s", status, &said)
	}
}

// A profile is complete when its command fails, too.
func TestProfiles_OfFailure(t *testing.T) {
	file := filepath.Join(t.TempDir(), "allocated")
	var out, said bytes.Buffer
	p := New(strings.NewReader(""), &out, &said)
	root := &cobra.Command{Use: "p"}
	p.Prepare(root)
	root.AddCommand(Build[*Program](p, fails{errors.New("no")}))
	if status := p.Execute(t.Context(), root, []string{"do", "--memprofile", file}); status != ExitFailed {
		t.Errorf("status %d: %s", status, &said)
	}
	if info, err := os.Stat(file); err != nil || info.Size() == 0 {
		t.Errorf("%v, %v", info, err)
	}
}
