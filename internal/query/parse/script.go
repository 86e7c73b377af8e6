package parse

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"strings"
)

// Part is a statement of a script, without its semicolon.
type Part struct {
	Text   string // from the first that is not blank
	Line   int    // of the script, at which Text begins; from 1
	Number int    // among the statements of the script; from 1
}

// Script cuts a script into its statements, which semicolons end. Those in strings, names and
// comments do not. It holds one statement at a time; parts of nothing but blanks and comments are
// left out. An error of r ends it.
func Script(r io.Reader) iter.Seq2[Part, error] {
	return func(yield func(Part, error) bool) {
		c := &cutter{r: bufio.NewReaderSize(r, 64<<10), line: 1}
		for number := 1; ; {
			part, some, err := c.next()
			if part.Number = number; some {
				number++
			}
			switch {
			case some && !yield(part, nil):
				return
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				yield(Part{}, err)
				return
			}
		}
	}
}

// cutter reads a script.
type cutter struct {
	r    *bufio.Reader
	line int
	text strings.Builder
	some bool // text has more than blanks and comments
}

// next reads up to a semicolon or the end of the script. some: it is a statement.
func (c *cutter) next() (part Part, some bool, err error) {
	c.text.Reset()
	c.some = false
	part.Line = c.line
	for {
		b, err := c.take()
		if err != nil || b == ';' {
			part.Text = strings.TrimSuffix(c.text.String(), ";")
			return part, c.some && (err == nil || errors.Is(err, io.EOF)), err
		}
		if c.text.Len() == 1 && isSpace(rune(b)) { // before the statement
			c.text.Reset()
			part.Line = c.line
			continue
		}
		if err := c.rest(b); err != nil && !errors.Is(err, io.EOF) {
			return part, false, err
		}
	}
}

// take reads a byte into the text.
func (c *cutter) take() (byte, error) {
	b, err := c.r.ReadByte()
	if err != nil {
		return 0, err
	}
	if b == '\n' {
		c.line++
	}
	c.text.WriteByte(b)
	return b, nil
}

// rest reads what b begins, if it is a string, a name in back-quotes or a comment.
func (c *cutter) rest(b byte) error {
	switch {
	case b == '\'' || b == '"' || b == '`':
		c.some = true
		return c.quoted(b)
	case b == '/' && c.follows('/'):
		return c.until("\n")
	case b == '/' && c.follows('*'):
		c.text.WriteByte('*')
		_, _ = c.r.Discard(1)
		return c.until("*/")
	}
	c.some = c.some || !isSpace(rune(b))
	return nil
}

func (c *cutter) follows(want byte) bool {
	next, err := c.r.Peek(1)
	return err == nil && next[0] == want
}

// quoted reads up to the closing quote. Two back-quotes in a name close it and open it again.
func (c *cutter) quoted(quote byte) error {
	for {
		b, err := c.take()
		if err != nil || b == quote {
			return err
		}
		if b == '\\' && quote != '`' {
			if _, err := c.take(); err != nil {
				return err
			}
		}
	}
}

// until reads up to and with the end of a comment, of one or two bytes.
func (c *cutter) until(end string) error {
	var before byte
	for {
		b, err := c.take()
		if err != nil {
			return err
		}
		if b == end[len(end)-1] && (len(end) == 1 || before == end[0]) {
			return nil
		}
		before = b
	}
}
