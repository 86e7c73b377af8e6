package bench

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
)

// buildKuzu is the program of module bench/kuzu, whose sources are in dir.
func buildKuzu(ctx context.Context, dir, temporary string, o Options) (string, error) {
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		return "", &PeerError{"Kuzu", dir + " has no go.mod", "give the directory bench/kuzu of Penstock's sources"}
	}
	if err := (peer{name: "Kuzu"}).needs("go", "gcc"); err != nil {
		return "", err
	}
	o.step("build %s", dir)
	program := filepath.Join(temporary, "kuzu")
	command := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	command.Dir, command.Env = dir, append(os.Environ(), "CGO_ENABLED=1", "GOWORK=off")
	_, _, err := output(ctx, command)
	return program, err
}

// kuzu is the program of module bench/kuzu with a graph loaded; it answers one line for each
// query it is given, so that its rounds may be interleaved with others'.
type kuzu struct {
	command   *exec.Cmd
	questions io.WriteCloser
	answers   *bufio.Scanner
}

// longestAnswer bounds a line: the rows of a statement.
const longestAnswer = 64 << 20

// start starts the program.
func (q *kuzu) start(command *exec.Cmd) (err error) {
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

// kuzuAnswer is what the program prints for a query, and at first for COPY.
type kuzuAnswer struct {
	Query   string  `json:"query"`
	Seconds float64 `json:"seconds"`
	Figure  float64 `json:"figure"`
	Rows    []string `json:"rows"` // of a statement
	Error   string  `json:"error"`
}

// run asks for one kernel.
func (q *kuzu) run(ctx context.Context, name string) ([]sample, error) {
	answer, err := q.compute(ctx, name)
	return []sample{{way: kuzuQuery, seconds: answer.Seconds, command: answer.Query}}, err
}

func (q *kuzu) compute(ctx context.Context, name string) (kuzuAnswer, error) {
	if _, err := fmt.Fprintln(q.questions, name); err != nil {
		return kuzuAnswer{}, err
	}
	return q.answer(ctx)
}

func (q *kuzu) answer(ctx context.Context) (a kuzuAnswer, err error) {
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

// end lets the program close its database.
func (q *kuzu) end() error { return errors.Join(q.questions.Close(), q.command.Wait()) }

func (q *kuzu) close() {
	_ = q.command.Process.Kill()
	_ = q.command.Wait()
}
