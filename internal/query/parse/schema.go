package parse

import (
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

func (b *builder) schemaCommand(c grammar.ISchemaCommandContext) *ast.SchemaCommand {
	switch c := c.(type) {
	case *grammar.CreateIndexContext:
		command := b.onEntity(c.Chain(), c.AllPostfix())
		command.Position, command.Action, command.What = at(c), ast.Create, ast.RangeIndex
		command.Name, command.IfTolerated = optionalName(c.Name()), is(c.EXISTS())
		return command
	case *grammar.CreateIndexOnContext:
		names := each(c.AllSchemaName(), schemaName)
		return &ast.SchemaCommand{Position: at(c), Action: ast.Create, What: ast.RangeIndex, Label: names[0],
			Properties: names[1:]}
	case *grammar.CreateConstraintContext:
		command := b.onEntity(c.Chain(), c.Constrained().AllPostfix())
		command.Position, command.Action, command.What = at(c), ast.Create, requirement(c.Requirement())
		command.Name, command.IfTolerated = optionalName(c.Name()), is(c.EXISTS())
		return command
	case *grammar.DropContext:
		return &ast.SchemaCommand{
			Position: at(c), Action: ast.Drop, What: schemaKind(is(c.CONSTRAINT())), Name: name(c.Name()),
			IfTolerated: is(c.EXISTS()),
		}
	case *grammar.ShowContext:
		return &ast.SchemaCommand{Position: at(c), Action: ast.Show,
			What: schemaKind(is(c.CONSTRAINT()) || is(c.CONSTRAINTS()))}
	}
	panic("parse: the grammar has a schema command that is not built")
}

// schemaKind of DROP and SHOW, which do not say what kind of constraint they mean.
func schemaKind(constraint bool) ast.SchemaKind {
	if constraint {
		return ast.UniqueConstraint
	}
	return ast.RangeIndex
}

func requirement(c grammar.IRequirementContext) ast.SchemaKind {
	switch {
	case is(c.UNIQUE()):
		return ast.UniqueConstraint
	case is(c.NODE()):
		return ast.KeyConstraint
	}
	return ast.ExistsConstraint
}

// onEntity is FOR (n:Label) … (n.a, n.b), or FOR ()-[r:TYPE]-() ….
func (b *builder) onEntity(c grammar.IChainContext, properties []grammar.IPostfixContext) *ast.SchemaCommand {
	pattern := b.chain(c)
	command := &ast.SchemaCommand{OnRelationship: len(pattern.Relationships) > 0}
	variable, labels := pattern.Nodes[0].Variable, pattern.Nodes[0].Labels
	if command.OnRelationship {
		variable, labels = pattern.Relationships[0].Variable, pattern.Relationships[0].Types
	}
	if variable == "" || len(labels) != 1 || len(pattern.Relationships) > 1 {
		b.fail("UnexpectedSyntax", at(c), "FOR needs (n:Label) or ()-[r:TYPE]-()")
		return command
	}
	command.Label = labels[0]
	for _, property := range properties {
		command.Properties = append(command.Properties, b.propertyOf(variable, property))
	}
	return command
}

func (b *builder) propertyOf(variable string, c grammar.IPostfixContext) string {
	if property, ok := b.postfix(c).(*ast.Property); ok {
		if v, ok := property.Subject.(*ast.Variable); ok && v.Name == variable {
			return property.Key
		}
	}
	b.fail("UnexpectedSyntax", at(c), "a property of %s is needed here: %s.key", variable, variable)
	return ""
}
