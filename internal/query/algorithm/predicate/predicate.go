// Package predicate tells which nodes or relationships gds.graph.filter keeps, by an expression of Cypher of one of
// them, as Neo4j GDS has it:
//
//	n:Person AND n.age >= $least    r:KNOWS AND r.since > 2012    degree('KNOWS') > 2
package predicate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/function"
	"github.com/penstock-db/penstock/internal/query/parse"
)

// Entity is a node or a relationship that is asked about.
type Entity interface {
	Property(name string) value.Value
	// Has tells whether a node has a label, or a relationship is of a type.
	Has(name string) (bool, error)
	// Degree is how many relationships begin at a node, of some types; none: of any.
	Degree(types []string) int64
}

// Predicate is a condition.
type Predicate struct {
	test       ast.Expression // nil: all are kept
	variable   string
	parameters map[string]value.Value
	properties []string
}

// Read reads a condition of what a variable stands for, n or r; "*" keeps all.
func Read(text, variable string, parameters map[string]value.Value) (Predicate, error) {
	p := Predicate{variable: variable, parameters: parameters}
	if strings.TrimSpace(text) == "*" {
		return p, nil
	}
	statement, err := parse.Statement("RETURN " + text)
	if err != nil {
		return p, err
	}
	if p.test = only(statement); p.test == nil {
		return p, fmt.Errorf("expected one condition of %s, or '*'", variable)
	}
	return p, p.check(p.test)
}

// only is the expression that a statement returns, if that is all it does.
func only(s *ast.Statement) ast.Expression {
	if s.Mode != 0 || s.Query == nil || len(s.Query.Parts) != 1 || len(s.Query.Parts[0].Clauses) != 1 {
		return nil
	}
	c, is := s.Query.Parts[0].Clauses[0].(*ast.ProjectClause)
	if !is || c.Distinct || c.Star || len(c.Items) != 1 || c.OrderBy != nil || c.Skip != nil || c.Limit != nil ||
		c.Items[0].Aliased {
		return nil
	}
	return c.Items[0].Expression
}

// Properties are those that it asks for.
func (p Predicate) Properties() []string { return p.properties }

// check refuses what cannot be told of one node or relationship.
func (p *Predicate) check(e ast.Expression) error {
	switch e := e.(type) {
	case *ast.Literal:
		return nil
	case *ast.Parameter:
		if _, given := p.parameters[e.Name]; !given {
			return fmt.Errorf("no value is given for $%s: {parameters: {%[1]s: …}}", e.Name)
		}
		return nil
	case *ast.Property:
		if !slices.Contains(p.properties, e.Key) {
			p.properties = append(p.properties, e.Key)
		}
		return p.named(e.Subject)
	case *ast.HasLabels:
		return p.named(e.Subject)
	case *ast.Call:
		_, err := p.degree(e)
		return err
	case *ast.Binary, *ast.Unary, *ast.ListLiteral:
	default:
		return fmt.Errorf("expected numbers, properties and labels or types of %s, and conditions of these", p.variable)
	}
	for _, operand := range ast.Operands(e) {
		if err := p.check(operand); err != nil {
			return err
		}
	}
	return nil
}

func (p *Predicate) named(subject ast.Expression) error {
	if v, is := subject.(*ast.Variable); is && v.Name == p.variable {
		return nil
	}
	return fmt.Errorf("it can ask for properties, and labels or types, of %s alone", p.variable)
}

// degree are the types that degree('TYPE', …) counts.
func (p *Predicate) degree(e *ast.Call) (types []string, err error) {
	if !strings.EqualFold(e.Function, "degree") || p.variable != "n" {
		return nil, fmt.Errorf("there is no function %s here; of a node there is degree('TYPE', …)", e.Function)
	}
	for _, argument := range e.Arguments {
		name, is := argument.(*ast.Literal)
		if !is || name.Value.Kind() != value.String {
			return nil, errors.New("degree() takes the names of types: degree('KNOWS')")
		}
		types = append(types, name.Value.Str())
	}
	return types, nil
}

// Keeps tells whether the condition is true of something; null is not.
func (p Predicate) Keeps(of Entity) (bool, error) {
	if p.test == nil {
		return true, nil
	}
	v, err := p.value(p.test, of)
	if err != nil || v.IsNull() {
		return false, err
	}
	if v.Kind() != value.Bool {
		return false, fmt.Errorf("expected a condition, which is true or false, not %s", v.Text())
	}
	return v.Bool(), nil
}

func (p Predicate) value(e ast.Expression, of Entity) (value.Value, error) {
	switch e := e.(type) {
	case *ast.Literal:
		return e.Value, nil
	case *ast.Parameter:
		return p.parameters[e.Name], nil
	case *ast.Property:
		return of.Property(e.Key), nil
	case *ast.Call:
		types, err := p.degree(e)
		return value.OfInt(of.Degree(types)), err
	case *ast.HasLabels:
		for _, label := range e.Labels {
			if has, err := of.Has(label); err != nil || !has {
				return value.OfBool(false), err
			}
		}
		return value.OfBool(true), nil
	}
	var operands []value.Value
	for _, operand := range ast.Operands(e) {
		v, err := p.value(operand, of)
		if err != nil {
			return v, err
		}
		operands = append(operands, v)
	}
	switch e := e.(type) {
	case *ast.Unary:
		return function.Unary(e.Op)(operands[0])
	case *ast.Binary:
		return function.Binary(e.Op)(operands[0], operands[1])
	}
	return value.OfList(operands), nil
}
