package algorithms

import (
	"fmt"
	"strings"
)

// ExprError is an expression that is not a valid part of its program. Line and Column
// count characters from 1; 0 means that no place in Source is to blame.
type ExprError struct {
	Program string
	Where   string // "process", "init of dist", "apply of rank", "aggregate dangling"
	Source  string
	Line    int
	Column  int
	Message string
}

// Error shows the line of the expression with a caret under the column:
//
//	sssp, process: unknown name src.dost; did you mean src.dist?
//	  src.dost + 1.0
//	  ^
func (e *ExprError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s: %s", e.Program, e.Where, e.Message)
	lines := strings.Split(e.Source, "\n")
	if e.Line < 1 || e.Line > len(lines) {
		return b.String()
	}
	line := strings.ReplaceAll(lines[e.Line-1], "\t", " ")
	fmt.Fprintf(&b, "\n  %s", line)
	if e.Column > 0 {
		fmt.Fprintf(&b, "\n  %s^", strings.Repeat(" ", e.Column-1))
	}
	return b.String()
}

// ProgramError is a program whose parts do not fit together, apart from its expressions.
type ProgramError struct {
	Program string
	Message string
}

func (e *ProgramError) Error() string { return e.Program + ": " + e.Message }
