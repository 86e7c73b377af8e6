package check

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

func (b bindings) match(m *ast.MatchClause) {
	b.patterns(m.Patterns)
	b.where(m.Where)
}

// patterns binds the variables of patterns that are looked for, then checks what they say of them.
func (b bindings) patterns(all []ast.PathPattern) {
	used := map[string]bool{}
	for _, p := range all {
		b.bind(p, used)
		b.unbound(p.Variable, p.Position)
		b.set(p.Variable, of(value.Path))
	}
	for _, p := range all {
		b.properties(p)
		b.noParameters(p)
	}
}

// bind makes the variables of nodes and relationships known, those that are not yet.
func (b bindings) bind(p ast.PathPattern, used map[string]bool) {
	for _, n := range p.Nodes {
		b.bindAs(n.Variable, of(value.Node), n.Position)
	}
	for _, r := range p.Relationships {
		b.bindAs(r.Variable, relationshipType(r), r.Position)
		if used[r.Variable] {
			b.syntax("RelationshipUniquenessViolation", r.Position,
				"relationship %s is in the pattern twice: no two relationships of a pattern are the same", r.Variable)
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
func (b bindings) bindAs(name string, t Type, at ast.Position) {
	bound, ok := b.lookup(name)
	switch {
	case name == "":
	case !ok:
		b.set(name, t)
	case !bound.may(t.kinds):
		b.syntax("VariableTypeConflict", at, "variable %s is a %s: it cannot be a %s here", name, bound.kinds, t.kinds)
	}
}

// properties checks the expressions of a pattern.
func (b bindings) properties(p ast.PathPattern) {
	for _, n := range p.Nodes {
		b.place().optional(n.Properties)
		b.where(n.Where)
	}
	for _, r := range p.Relationships {
		b.place().optional(r.Properties)
		b.where(r.Where)
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
		c.syntax(
			"InvalidParameterUse", p.Position, "a parameter cannot stand for all properties in MATCH or MERGE: write {key: $%s.key}", p.Name)
	}
}

// bound checks a pattern which is asked for as an expression: it can bring no variables.
func (b bindings) bound(p ast.PathPattern) {
	for _, n := range p.Nodes {
		b.boundAs(n.Variable, of(value.Node), n.Position)
	}
	for _, r := range p.Relationships {
		b.boundAs(r.Variable, relationshipType(r), r.Position)
	}
	b.properties(p)
}

func (b bindings) boundAs(name string, t Type, at ast.Position) {
	if _, ok := b.lookup(name); !ok && name != "" {
		b.undefined(name, at)
	}
	b.bindAs(name, t, at)
}

func (b bindings) where(e ast.Expression) {
	if e != nil {
		b.place().deciding().decides(e)
	}
}

// decides checks an expression that has to be true or false.
func (at env) decides(e ast.Expression) {
	if t := at.expression(e); !t.may(boolean) {
		at.syntax("InvalidArgumentType", e.At(), "a condition is true or false, this is a %s", t.kinds)
	}
}
