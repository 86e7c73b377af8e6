package formats

import (
	"fmt"
	"strings"
)

// Position is a place in an input file. Line and Column count from 1; 0 means that
// the format has no lines, or that the whole file is meant.
type Position struct {
	File   string
	Line   int64
	Column int
}

func (p Position) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	if p.Column > 0 {
		fmt.Fprintf(&b, ":%d", p.Column)
	}
	return b.String()
}

// ParseError says where an input is not what it should be, what was found there and
// what was expected. Err, when set, is the cause (an I/O error, a damaged archive).
type ParseError struct {
	Position
	Found    string // what stands there, as the user would recognize it
	Expected string // what should stand there, or what to do
	Err      error
}

func (e *ParseError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Position, e.Found)
	if e.Expected != "" {
		fmt.Fprintf(&b, "; expected %s", e.Expected)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

func (e *ParseError) Unwrap() error { return e.Err }
