package parse

import (
	"github.com/antlr4-go/antlr/v4"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

// builder makes the syntax tree of contexts.
type builder struct {
	tokens *tokens
	fault  *fault.Error // the first thing wrong that the grammar does not know of

	// What is built before the contexts that it is part of; see early.
	patterns map[grammar.IPatternPartContext]ast.PathPattern
	maps     map[grammar.IMapLiteralContext]*ast.MapLiteral
	elements map[grammar.IElementContext]ast.Expression
}

func newBuilder(tokens *tokens) *builder {
	return &builder{
		tokens:   tokens,
		patterns: map[grammar.IPatternPartContext]ast.PathPattern{},
		maps:     map[grammar.IMapLiteralContext]*ast.MapLiteral{},
		elements: map[grammar.IElementContext]ast.Expression{},
	}
}

// fail keeps the first fault.
func (b *builder) fail(detail string, at ast.Position, format string, args ...any) {
	if b.fault == nil {
		b.fault = fault.New(fault.SyntaxError, detail, at, format, args...)
	}
}

// at is where a context begins.
func at(c antlr.ParserRuleContext) ast.Position { return first(c).at() }

func first(c antlr.ParserRuleContext) *token { return c.GetStart().(*token) }

// is tells whether an optional token is there.
func is(node antlr.TerminalNode) bool { return node != nil }

func kind(node antlr.Tree) int { return symbol(node).GetTokenType() }

func symbol(node antlr.Tree) *token { return node.(antlr.TerminalNode).GetSymbol().(*token) }

func (b *builder) statement(c grammar.IStatementContext) *ast.Statement {
	s := &ast.Statement{Text: b.tokens.text, Mode: mode(c)}
	if schema := c.SchemaCommand(); schema != nil {
		s.Schema = b.schemaCommand(schema)
		return s
	}
	if listing := c.Listing(); listing != nil {
		s.Query = b.listing(listing)
	} else {
		s.Query = b.query(c.Query())
	}
	if call := standalone(s.Query); call != nil {
		return &ast.Statement{Mode: s.Mode, Text: s.Text, Call: call}
	}
	return s
}

func mode(c grammar.IStatementContext) ast.Mode {
	switch {
	case is(c.EXPLAIN()):
		return ast.Explain
	case is(c.PROFILE()):
		return ast.Profile
	}
	return ast.Execute
}

// standalone is the CALL of a query of nothing else.
func standalone(q *ast.Query) *ast.CallClause {
	if len(q.Parts) > 1 || len(q.Parts[0].Clauses) > 1 {
		return nil
	}
	call, _ := q.Parts[0].Clauses[0].(*ast.CallClause)
	return call
}

func (b *builder) query(c grammar.IQueryContext) *ast.Query {
	q := &ast.Query{}
	for _, single := range c.AllSingleQuery() {
		q.Parts = append(q.Parts, b.singleQuery(single))
	}
	for _, union := range c.AllUnion() {
		q.All = append(q.All, is(union.ALL()))
	}
	return q
}

func (b *builder) singleQuery(c grammar.ISingleQueryContext) ast.SingleQuery {
	return ast.SingleQuery{Clauses: each(c.AllClause(), b.clause)}
}

// each builds one of each context; nothing of none.
func each[C, T any](contexts []C, build func(C) T) []T {
	if len(contexts) == 0 {
		return nil
	}
	built := make([]T, len(contexts))
	for i, c := range contexts {
		built[i] = build(c)
	}
	return built
}
