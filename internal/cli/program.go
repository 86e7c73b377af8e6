// Package cli is what Penstock's programs have in common as command lines.
//
//	main ──▶ Program.Execute ──▶ flags and arguments, by cobra ──▶ Command.Run ──▶ error ──▶ text, exit status
//
// A command is a value: its flags are its fields, Describe gives its help, and Run does it. What
// all commands share is an argument of Run: a Program, or what a program puts around it.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// Program is what every command of a program shares: its streams, and the flags that all have.
type Program struct {
	In       io.Reader
	Out, Err io.Writer
	JSON     bool
	Profiles Profiles
	// Interrupted says what an interrupted command leaves behind.
	Interrupted string

	written *checkedWriter
	started bool // a command has begun: what goes wrong now is no wrong usage
}

// New is a program on these streams. A failed write to out is a failure of the command.
func New(in io.Reader, out, err io.Writer) *Program {
	written := &checkedWriter{Writer: out}
	return &Program{In: in, Out: written, Err: err, Interrupted: "interrupted", written: written}
}

// Prepare has the root command use the streams, and gives it the flags that all commands have.
func (p *Program) Prepare(root *cobra.Command) {
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	root.SetVersionTemplate(root.Name() + " {{.Version}}\n")
	root.PersistentFlags().BoolVar(&p.JSON, "json", false, "print one JSON object on standard output")
	p.Profiles.Add(root.PersistentFlags())
}

// Execute runs one command line and returns the exit status. The error has been printed.
func (p *Program) Execute(ctx context.Context, root *cobra.Command, args []string) int {
	p.noteStart(root)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil && !p.started {
		err = UsageError{err}
	}
	if err == nil {
		err = p.written.err
	}
	if err != nil {
		p.explain(root.Name(), err)
	}
	return ExitStatus(err)
}

// noteStart makes every command say that it has begun: what cobra refuses before that,
// arguments and flags, is wrong usage. Profiles begin then.
func (p *Program) noteStart(cmd *cobra.Command) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if p.Profiles.Timeline() != "" && cmd.Name() != "run" {
				return UsageError{errors.New(
					"--trace FILE.json is a timeline, which only run has: name another file for an execution trace")}
			}
			p.started = true
			return p.Profiles.during(func() error { return run(cmd, args) })
		}
	}
	for _, sub := range cmd.Commands() {
		p.noteStart(sub)
	}
}

// Interruption is an error that says itself what an interrupted command leaves behind.
type Interruption interface{ Interrupted() string }

func (p *Program) explain(name string, err error) {
	if errors.Is(err, context.Canceled) {
		said := p.Interrupted
		if itself := Interruption(nil); errors.As(err, &itself) {
			said = itself.Interrupted()
		}
		fmt.Fprintf(p.Err, "%s: %s\n", name, said)
		return
	}
	fmt.Fprintf(p.Err, "%s: %v\n", name, err)
	var usage UsageError
	if errors.As(err, &usage) {
		fmt.Fprintf(p.Err, "Run '%[1]s --help' or '%[1]s COMMAND --help'.\n", name)
	}
}

// PrintJSON prints the one object that --json asks for.
func (p *Program) PrintJSON(v any) error {
	encoder := json.NewEncoder(p.Out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
