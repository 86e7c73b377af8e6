package check

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

func (c *checker) match(m *ast.MatchClause, s *scope) {
	c.patterns(m.Patterns, s)
	c.where(m.Where, s)
}

// patterns binds the variables of patterns that are looked for, then checks what they say of them.
func (c *checker) patterns(all []ast.PathPattern, s *scope) {
	used := map[string]bool{}
	for _, p := range all {
		c.bind(p, s, used)
		c.unbound(p.Variable, p.Position, s)
		s.set(p.Variable, of(value.Path))
	}
	for _, p := range all {
		c.properties(p, s)
		c.noParameters(p)
	}
}

// bind makes the variables of nodes and relationships known, those that are not yet.
func (c *checker) bind(p ast.PathPattern, s *scope, used map[string]bool) {
	for _, n := range p.Nodes {
		c.bindAs(n.Variable, of(value.Node), n.Position, s)
	}
	for _, r := range p.Relationships {
		c.bindAs(r.Variable, relationshipType(r), r.Position, s)
		if used[r.Variable] {
			c.syntax("RelationshipUniquenessViolation", r.Position, "relationship %s is in the pattern twice: no two relationships of a pattern are the same", r.Variable)
		}
		used[r.Variable] = r.Variable != ""
	}
}

func relationshipType(r ast.RelationshipPattern) Type {
	if r.Length != nil {
		return listOf(of(value.Relationship))
	}
	return of(value.Relationship)
}

// bindAs makes a variable known, or checks that the one that is there can be what the pattern wants.
func (c *checker) bindAs(name string, t Type, at ast.Position, s *scope) {
	bound, ok := s.lookup(name)
	switch {
	case name == "":
	case !ok:
		s.set(name, t)
	case !bound.may(t.kinds):
		c.syntax("VariableTypeConflict", at, "variable %s is a %s: it cannot be a %s here", name, bound.kinds, t.kinds)
	}
}

// properties checks the expressions of a pattern.
func (c *checker) properties(p ast.PathPattern, s *scope) {
	for _, n := range p.Nodes {
		c.optional(n.Properties, env{scope: s})
		c.where(n.Where, s)
	}
	for _, r := range p.Relationships {
		c.optional(r.Properties, env{scope: s})
		c.where(r.Where, s)
	}
}

// noParameters refuses a parameter for all properties at once: an index could not be chosen.
func (c *checker) noParameters(p ast.PathPattern) {
	for _, n := range p.Nodes {
		c.noParameter(n.Properties)
	}
	for _, r := range p.Relationships {
		c.noParameter(r.Properties)
	}
}

func (c *checker) noParameter(e ast.Expression) {
	if p, ok := e.(*ast.Parameter); ok {
		c.syntax("InvalidParameterUse", p.Position, "a parameter cannot stand for all properties in MATCH or MERGE: write {key: $%s.key}", p.Name)
	}
}

// bound checks a pattern which is asked for as an expression: it can bring no variables.
func (c *checker) bound(p ast.PathPattern, s *scope) {
	for _, n := range p.Nodes {
		c.boundAs(n.Variable, of(value.Node), n.Position, s)
	}
	for _, r := range p.Relationships {
		c.boundAs(r.Variable, relationshipType(r), r.Position, s)
	}
	c.properties(p, s)
}

func (c *checker) boundAs(name string, t Type, at ast.Position, s *scope) {
	if _, ok := s.lookup(name); !ok && name != "" {
		c.undefined(name, at, s)
	}
	c.bindAs(name, t, at, s)
}

func (c *checker) where(e ast.Expression, s *scope) {
	if e != nil {
		c.condition(e, env{scope: s, condition: true})
	}
}

// condition checks an expression that has to be true or false.
func (c *checker) condition(e ast.Expression, at env) {
	if t := c.expression(e, at); !t.may(boolean) {
		c.syntax("InvalidArgumentType", e.At(), "a condition is true or false, this is a %s", t.kinds)
	}
}
