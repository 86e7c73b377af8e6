package plan

import (
	"fmt"
	"strings"
)

// String is the plan as EXPLAIN shows it: what gives the result is on top, its input below. What
// an operator runs besides is indented.
func (p *Plan) String() string {
	return p.Describe(func(op Operator) string { return fmt.Sprintf("about %.0f rows", op.Rows()) })
}

// Describe is the plan with a note on each operator.
func (p *Plan) Describe(note func(op Operator) string) string {
	var lines []drawn
	draw(p.Root, "", &lines)
	wide := 0
	for _, l := range lines {
		wide = max(wide, len([]rune(l.text)))
	}
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%-*s  %s\n", wide, l.text, note(l.op))
	}
	return b.String()
}

// drawn is a line of a drawing, and the operator that it is about.
type drawn struct {
	text string
	op   Operator
}

func draw(op Operator, indent string, lines *[]drawn) {
	for ; op != nil; op = op.Source() {
		text := indent + op.Title()
		if detail := op.Detail(); detail != "" {
			text += "  " + detail
		}
		*lines = append(*lines, drawn{text, op})
		for _, inner := range op.Inner() {
			draw(inner, indent+"│ ", lines)
		}
	}
}
