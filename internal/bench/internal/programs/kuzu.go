package programs

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// buildKuzu is the program of module bench/kuzu, whose sources are in dir.
func buildKuzu(ctx context.Context, dir, temporary string, o measure.Options) (string, error) {
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		return "", &PeerError{"Kuzu", dir + " has no go.mod", "give the directory bench/kuzu of Penstock's sources"}
	}
	if err := (peer{name: "Kuzu"}).needs("go", "gcc"); err != nil {
		return "", err
	}
	o.Step("build %s", dir)
	program := filepath.Join(temporary, "kuzu")
	command := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	command.Dir, command.Env = dir, append(os.Environ(), "CGO_ENABLED=1", "GOWORK=off")
	_, _, err := Output(ctx, command)
	return program, err
}

// Kuzu is the program of module bench/kuzu with a graph loaded; it answers one line for each
// query it is given, so that its rounds may be interleaved with others'.
type Kuzu struct {
	command   *exec.Cmd
	questions io.WriteCloser
	answers   *bufio.Scanner
}

// longestAnswer bounds a line: the rows of a statement.
const longestAnswer = 64 << 20

// Start starts the program.
func (q *Kuzu) Start(command *exec.Cmd) (err error) {
	if q.questions, err = command.StdinPipe(); err != nil {
		return err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	q.command, q.answers = command, bufio.NewScanner(out)
	q.answers.Buffer(nil, longestAnswer)
	return command.Start()
}

// KuzuAnswer is what the program prints for a query, and at first for COPY.
type KuzuAnswer struct {
	Query   string   `json:"query"`
	Seconds float64  `json:"seconds"`
	Figure  float64  `json:"figure"`
	Rows    []string `json:"rows"` // of a statement
	Error   string   `json:"error"`
}

// Run asks for one kernel.
func (q *Kuzu) Run(ctx context.Context, name string) ([]measure.Sample, error) {
	answer, err := q.Compute(ctx, name)
	return []measure.Sample{{Way: measure.KuzuQuery, Seconds: answer.Seconds, Command: answer.Query}}, err
}

func (q *Kuzu) Compute(ctx context.Context, name string) (KuzuAnswer, error) {
	if _, err := fmt.Fprintln(q.questions, name); err != nil {
		return KuzuAnswer{}, err
	}
	return q.Answer(ctx)
}

func (q *Kuzu) Answer(ctx context.Context) (a KuzuAnswer, err error) {
	if !q.answers.Scan() {
		if ctx.Err() != nil {
			return a, ctx.Err()
		}
		return a, fmt.Errorf("bench: Kuzu's program ended: %w", q.command.Wait())
	}
	if err := json.Unmarshal(q.answers.Bytes(), &a); err != nil {
		return a, err
	}
	if a.Error != "" {
		return a, fmt.Errorf("bench: Kuzu: %s: %s", a.Query, a.Error)
	}
	return a, nil
}

// End lets the program close its database.
func (q *Kuzu) End() error { return errors.Join(q.questions.Close(), q.command.Wait()) }

func (q *Kuzu) Close() {
	_ = q.command.Process.Kill()
	_ = q.command.Wait()
}
