package shell

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/peterh/liner"

	"github.com/penstock-db/penstock/internal/server/admin"
)

// lines is where a shell gets its lines from.
type lines interface {
	// line is the next one. more: it goes on with a statement.
	line(more bool) (string, error)
}

// errDropped is that the statement that was being typed is dropped.
var errDropped = errors.New("dropped")

// scriptLines are those of a file.
type scriptLines struct{ r *bufio.Reader }

func newScriptLines(r *bufio.Reader) scriptLines { return scriptLines{r} }

func (l scriptLines) line(bool) (string, error) {
	line, err := l.r.ReadString('\n')
	if errors.Is(err, io.EOF) && line != "" {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}

// typedLines are those of a person, with a history that outlasts the shell.
type typedLines struct {
	ctx   context.Context
	state *liner.State
	file  string // of the history; empty: there is no home to keep it in
}

func newTypedLines(ctx context.Context) *typedLines {
	l := &typedLines{ctx: ctx, state: liner.NewLiner()}
	l.state.SetCtrlCAborts(true)
	l.state.SetMultiLineMode(true)
	if home, err := os.UserHomeDir(); err == nil {
		l.file = filepath.Join(home, ".penstock_history")
	}
	if f, err := os.Open(l.file); err == nil {
		_, _ = l.state.ReadHistory(f)
		f.Close()
	}
	return l
}

// line asks for a line, until the context ends.
func (l *typedLines) line(more bool) (string, error) {
	prompt := "penstock> "
	if more {
		prompt = "       -> "
	}
	type answer struct {
		line string
		err  error
	}
	typed := make(chan answer, 1)
	go func() {
		line, err := l.state.Prompt(prompt)
		typed <- answer{line, err}
	}()
	select {
	case <-l.ctx.Done():
		return "", l.ctx.Err()
	case a := <-typed:
		return l.remember(a.line, a.err)
	}
}

func (l *typedLines) remember(line string, err error) (string, error) {
	if errors.Is(err, liner.ErrPromptAborted) {
		return "", errDropped
	}
	if err == nil && strings.TrimSpace(line) != "" && !admin.Secretive(line) { // a password is not for the history
		l.state.AppendHistory(line)
	}
	return line, err
}

// Close keeps the history, and gives the terminal back as it was.
func (l *typedLines) Close() {
	if f, err := os.OpenFile(l.file, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600); err == nil {
		_, _ = l.state.WriteHistory(f)
		f.Close()
	}
	l.state.Close()
}
