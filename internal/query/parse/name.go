package parse

import (
	"strings"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

// name is that of a variable.
func name(c grammar.INameContext) string { return unquoted(first(c).GetText()) }

// optionalName is "" where there is none.
func optionalName(c grammar.INameContext) string {
	if c == nil {
		return ""
	}
	return name(c)
}

// schemaName is that of a label, type, property or key.
func schemaName(c grammar.ISchemaNameContext) string { return unquoted(first(c).GetText()) }

// unquoted takes the back-quotes from a name that has them.
func unquoted(text string) string {
	if text[0] != '`' {
		return text
	}
	return strings.ReplaceAll(text[1:len(text)-1], "``", "`")
}

func variable(c grammar.INameContext) *ast.Variable {
	return &ast.Variable{Position: at(c), Name: name(c)}
}

func parameter(t *token) *ast.Parameter {
	return &ast.Parameter{Position: t.at(), Name: unquoted(t.GetText()[1:])}
}
