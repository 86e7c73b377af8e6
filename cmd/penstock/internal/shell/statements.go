package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/penstock-db/penstock/cmd/penstock/internal/statement"
	"github.com/penstock-db/penstock/internal/query/parse"
)

// statements is the text of a shell's statements: lines, without those that are for the shell,
// which are carried out as they are read.
type statements struct {
	ctx     context.Context
	session *session
	lines   lines
	begun   bool   // a statement has begun, and not ended
	text    []byte // of a line that is not read yet
}

// Read makes a script of lines.
func (s *statements) Read(p []byte) (int, error) {
	for len(s.text) == 0 {
		if err := s.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, s.text)
	s.text = s.text[n:]
	return n, nil
}

func (s *statements) next() error {
	line, err := s.lines.line(s.begun)
	if err != nil {
		return err
	}
	trimmed := strings.TrimSpace(line)
	if !s.begun && strings.HasPrefix(trimmed, ":") {
		return s.session.command(s.ctx, trimmed)
	}
	s.begun = s.begun || trimmed != ""
	s.text = append([]byte(line), '\n')
	return nil
}

// errLeave ends a shell as its user wishes.
var errLeave = errors.New("leave")

// script runs statements up to the first that fails.
func (s *session) script(ctx context.Context, from lines) error {
	text := &statements{ctx: ctx, session: s, lines: from}
	for part, err := range parse.Script(text) {
		text.begun = false
		if err == nil {
			err = statement.InScript(part, s.execute(ctx, part.Text))
		}
		if errors.Is(err, errLeave) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// interact runs statements until the user leaves. What fails is told.
func (s *session) interact(ctx context.Context, from lines) error {
	fmt.Fprintln(s.notes, `Statements end with a semicolon. ":help" names what the shell knows, Ctrl-D leaves.`)
	for {
		err := s.converse(ctx, from)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errLeave), errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, errDropped):
			fmt.Fprintln(s.notes, err)
		}
	}
}

// converse runs statements up to the end of the lines, or the first that fails.
func (s *session) converse(ctx context.Context, from lines) error {
	text := &statements{ctx: ctx, session: s, lines: untilEnd{from}}
	for part, err := range parse.Script(text) {
		text.begun = false
		if err == nil {
			err = s.interruptible(ctx, part.Text)
		}
		if err != nil {
			return err
		}
	}
	return io.EOF
}

// untilEnd has a script end by a failure, so that what was typed last and not ended is not run.
type untilEnd struct{ lines }

func (l untilEnd) line(more bool) (string, error) {
	line, err := l.lines.line(more)
	if errors.Is(err, io.EOF) {
		err = errLeave
	}
	return line, err
}

// interruptible runs a statement, which Ctrl-C ends.
func (s *session) interruptible(ctx context.Context, text string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	err := s.execute(ctx, text)
	if err != nil && errors.Is(err, context.Canceled) {
		return errors.New("interrupted")
	}
	return err
}
