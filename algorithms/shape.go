package algorithms

import (
	"fmt"
	"slices"
)

// taken are names that a program's own columns and constants must leave alone.
var taken = []string{"acc", "n", "inf", "unreached", "src", "dst", "edge", "self", "agg",
	"true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function",
	"if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while"}

// checkShape checks the parts of p that are no expressions.
func checkShape(p *Program) error {
	if len(p.State) == 0 {
		return &ProgramError{p.Name, "a program needs a state column"}
	}
	if p.MaxIterations < 0 || p.Tolerance < 0 || p.Tolerance != p.Tolerance {
		return &ProgramError{p.Name, "iterations and tolerance must not be negative"}
	}
	var states, properties, aggregates, constants []string
	for _, s := range p.State {
		states = append(states, s.Name)
	}
	for _, c := range p.Properties {
		properties = append(properties, c.Name)
	}
	for _, a := range p.Aggregates {
		aggregates = append(aggregates, a.Name)
	}
	for _, c := range p.Constants {
		constants = append(constants, c.Name)
	}
	for kind, names := range map[string][]string{"state column": states, "property": properties, "aggregate": aggregates,
		"constant": constants} {
		if err := checkNames(p, kind, names); err != nil {
			return err
		}
	}
	return checkProperties(p)
}

// checkProperties checks that each property is a number, and is called as nothing else that expressions see beside it:
// Init knows constants, too, by their bare names.
func checkProperties(p *Program) error {
	for _, own := range p.Properties {
		switch name := own.Name; {
		case own.Sums != "" && own.Type != Float:
			return &ProgramError{p.Name, fmt.Sprintf("property %s is %s; expected a double, as sums are", name, own.Type.article())}
		case own.Type != Int && own.Type != Float:
			return &ProgramError{p.Name, fmt.Sprintf("property %s is %s; expected an int or a double", name, own.Type.article())}
		case slices.ContainsFunc(p.State, func(s State) bool { return s.Name == name }):
			return &ProgramError{p.Name, fmt.Sprintf("a property and a state column are called %s; rename the column", name)}
		case slices.ContainsFunc(p.Constants, func(c Constant) bool { return c.Name == name }):
			return &ProgramError{p.Name, fmt.Sprintf("a property and a constant are called %s; rename the constant", name)}
		}
	}
	return nil
}

func checkNames(p *Program, kind string, names []string) error {
	for i, name := range names {
		switch {
		case !isName(name):
			return &ProgramError{p.Name, fmt.Sprintf("the name of %s %q must be letters, digits and _", kind, name)}
		case slices.Contains(taken, name) || slices.Contains(vertexInputs, name):
			return &ProgramError{p.Name, fmt.Sprintf("the name of %s %s is taken; choose another", kind, name)}
		case slices.Contains(names[:i], name):
			return &ProgramError{p.Name, fmt.Sprintf("two %ss are called %s", kind, name)}
		}
	}
	return nil
}
