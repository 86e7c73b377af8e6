package programs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// ProcessError is a program that failed; Stderr is the end of what it said.
type ProcessError struct {
	Command []string
	Stderr  string
	Err     error
}

func (e *ProcessError) Error() string {
	return fmt.Sprintf("bench: %s: %v: %s", strings.Join(e.Command, " "), e.Err, e.Stderr)
}

func (e *ProcessError) Unwrap() error { return e.Err }

// Output runs command to its end: what it printed, and the seconds it took as a whole.
func Output(ctx context.Context, command *exec.Cmd) (text []byte, wall float64, err error) {
	var stderr bytes.Buffer
	command.Stderr = &stderr
	started := time.Now()
	text, err = command.Output()
	wall = time.Since(started).Seconds()
	switch {
	case ctx.Err() != nil:
		return nil, 0, ctx.Err()
	case err != nil:
		said := stderr.Bytes()
		return nil, 0, &ProcessError{command.Args, string(said[max(0, len(said)-1000):]), err}
	}
	return text, wall, nil
}

// Penstock runs the command line in a process of its own and decodes what it prints.
func Penstock(ctx context.Context, o measure.Options, into any, args ...string) (wall float64, err error) {
	text, wall, err := PenstockText(ctx, o, append(args, "--json")...)
	if err != nil {
		return 0, err
	}
	return wall, json.Unmarshal(text, into)
}

// PenstockText runs the command line in a process of its own.
func PenstockText(ctx context.Context, o measure.Options, args ...string) (text []byte, wall float64, err error) {
	return Output(ctx, exec.CommandContext(ctx, o.Penstock, args...))
}
