package cli

import (
	"context"

	"github.com/spf13/cobra"
)

// Command is one command of a program whose commands share an A.
type Command[A any] interface {
	// Describe is the name, the help, the arguments and the flags; flags are fields of the command.
	Describe() *cobra.Command
	// Run does what the command line asks for.
	Run(ctx context.Context, a A, args []string) error
}

// Parent is a command with others below it.
type Parent[A any] interface {
	Command[A]
	Commands() []Command[A]
}

// Group is a command that does nothing but have others below it.
type Group[A any] struct {
	Help  *cobra.Command
	Below []Command[A]
}

func (g Group[A]) Describe() *cobra.Command { return g.Help }

// Run is not called: cobra prints the help.
func (g Group[A]) Run(context.Context, A, []string) error { return nil }

func (g Group[A]) Commands() []Command[A] { return g.Below }

// Build makes cobra's command of a command, with those below it.
func Build[A any](a A, c Command[A]) *cobra.Command {
	cmd := c.Describe()
	if _, only := c.(Group[A]); !only {
		cmd.RunE = func(cmd *cobra.Command, args []string) error { return c.Run(cmd.Context(), a, args) }
	}
	if parent, is := c.(Parent[A]); is {
		for _, below := range parent.Commands() {
			cmd.AddCommand(Build(a, below))
		}
	}
	return cmd
}
