package algorithms

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// Check type-checks every expression of p, where the graph's edges have the numeric
// properties edgeColumns, and fills in their Checked forms and p.EdgeColumns. It fails
// with an *ExprError that marks the column, or with a *ProgramError.
func Check(p *Program, edgeColumns []string) error {
	if err := checkShape(p); err != nil {
		return err
	}
	acc, err := checkProcess(p, edgeColumns)
	if err != nil {
		return err
	}
	for i := range p.Aggregates {
		a := &p.Aggregates[i]
		if err := checkTyped(p, "aggregate "+a.Name, &a.Expr, aggregateScope(p), Float); err != nil {
			return err
		}
	}
	for i := range p.State {
		if err := checkState(p, &p.State[i], i == 0, acc); err != nil {
			return err
		}
	}
	return nil
}

// checkProcess checks Process and returns its type, which is that of acc.
func checkProcess(p *Program, edgeColumns []string) (Type, error) {
	acc, err := check(p, "process", &p.Process, processScope(p, edgeColumns))
	if err != nil {
		return 0, err
	}
	if !p.Reduce.Suits(acc) {
		want := "a double or an int"
		if p.Reduce == And || p.Reduce == Or {
			want = "a bool"
		}
		return 0, wholeExpr(p, "process", p.Process, fmt.Sprintf("this is %s, but reduce %v needs %s", acc.article(),
			p.Reduce, want))
	}
	p.EdgeColumns = p.EdgeColumns[:0:0]
	for _, name := range references(p.Process) {
		if column, ok := strings.CutPrefix(name, "edge."); ok {
			p.EdgeColumns = append(p.EdgeColumns, column)
		}
	}
	return acc, nil
}

func checkState(p *Program, s *State, first bool, acc Type) error {
	if err := checkTyped(p, "init of "+s.Name, &s.Init, initScope(p), s.Type); err != nil {
		return err
	}
	if s.Apply.Source != "" {
		return checkTyped(p, "apply of "+s.Name, &s.Apply, applyScope(p, acc), s.Type)
	}
	if first && acc.cel() != s.Type.cel() {
		return wholeExpr(p, "process", p.Process, fmt.Sprintf(
			"this is %s, but column %s, which it is combined with, is %s%s", acc.article(), s.Name, s.Type.article(),
			conversion(acc, s.Type)))
	}
	return nil
}

// checkTyped checks e and that it gives a value of type want.
func checkTyped(p *Program, where string, e *Expr, s *scope, want Type) error {
	got, err := check(p, where, e, s)
	if err != nil {
		return err
	}
	if got.cel() != want.cel() {
		return wholeExpr(p, where, *e, fmt.Sprintf("this is %s, but it must be %s%s", got.article(), want.article(),
			conversion(got, want)))
	}
	return nil
}

func conversion(got, want Type) string {
	switch {
	case got == Int && want == Float:
		return "; write double(…), or 1.0 instead of 1"
	case got == Float && want.cel() == cel.IntType:
		return "; write int(…)"
	}
	return ""
}

func wholeExpr(p *Program, where string, e Expr, message string) error {
	return &ExprError{Program: p.Name, Where: where, Source: e.Source, Line: 1, Column: 1, Message: message}
}

// check parses and checks e, fills in its Checked form and returns its type.
func check(p *Program, where string, e *Expr, s *scope) (Type, error) {
	fail := func(at common.Location, message string) error {
		return &ExprError{Program: p.Name, Where: where, Source: e.Source,
			Line: at.Line(), Column: at.Column() + 1, Message: message}
	}
	if strings.TrimSpace(e.Source) == "" {
		return 0, fail(common.NoLocation, "an expression is missing")
	}
	env, err := s.env()
	if err != nil {
		return 0, &ProgramError{p.Name, err.Error()}
	}
	parsed, issues := env.Parse(e.Source)
	if issues.Err() != nil {
		return 0, fail(issues.Errors()[0].Location, issues.Errors()[0].Message)
	}
	tree := parsed.NativeRep()
	if c := s.resolve(tree.Expr()); c != nil {
		return 0, fail(tree.SourceInfo().GetStartLocation(c.node), c.message)
	}
	checked, issues := env.Check(parsed)
	if issues.Err() != nil {
		return 0, fail(issues.Errors()[0].Location, explain(issues.Errors()[0].Message))
	}
	if e.Checked, err = cel.AstToCheckedExpr(checked); err != nil {
		return 0, fail(common.NoLocation, err.Error())
	}
	return typeOf(checked.OutputType()), nil
}

func typeOf(t *cel.Type) Type {
	for _, own := range []Type{Float, Bool} {
		if own.cel().IsExactType(t) {
			return own
		}
	}
	return Int
}

var noOverload = regexp.MustCompile(`^found no matching overload for '(.*)' applied to '(\(.*\))'$`)

// explain says a type error of CEL in the words of a user who does not know CEL.
func explain(message string) string {
	match := noOverload.FindStringSubmatch(message)
	if match == nil {
		return message
	}
	text := fmt.Sprintf("%s is not defined for %s", strings.ReplaceAll(match[1], "_", ""), match[2])
	if strings.Contains(match[2], "int") && strings.Contains(match[2], "double") {
		text += ": int and double do not mix; write 1.0 instead of 1, or double(x)"
	}
	return text
}

// references lists the variables that e reads, sorted, each once. e is checked.
func references(e Expr) []string {
	var names []string
	for _, r := range e.Checked.GetReferenceMap() {
		if isVariable(r) {
			names = append(names, r.GetName())
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func isVariable(r *exprpb.Reference) bool {
	return r.GetName() != "" && r.GetValue() == nil && len(r.GetOverloadId()) == 0
}
