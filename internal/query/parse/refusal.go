package parse

import (
	"fmt"
	"slices"

	"github.com/antlr4-go/antlr/v4"

	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

// refuse ends parsing at the first token that does not fit. It remembers where the parser was
// when it came to that token: what had been accepted at any of these places was expected.
type refuse struct {
	*antlr.DefaultErrorStrategy
	token  antlr.Token
	places []place
}

// place is a state of the parser.
type place struct {
	state int
	rule  antlr.ParserRuleContext
}

// refusal is the token, and what would have been accepted.
type refusal struct {
	token    *token
	expected []int // none: several tokens together do not fit
	rule     int   // of the grammar, in which it was
}

// Sync is called by the parser before it decides whether something optional or another element follows.
func (r *refuse) Sync(p antlr.Parser) {
	if t := p.GetCurrentToken(); t != r.token {
		r.token, r.places = t, r.places[:0]
	}
	r.places = append(r.places, place{p.GetState(), p.GetParserRuleContext()})
}

func (r *refuse) ReportError(antlr.Parser, antlr.RecognitionException) {}

func (r *refuse) RecoverInline(p antlr.Parser) antlr.Token {
	panic(r.refusal(p, p.GetCurrentToken()))
}

// Recover is for a token with which no alternative begins, or tokens with which none goes on.
func (r *refuse) Recover(p antlr.Parser, _ antlr.RecognitionException) {
	offending := p.GetCurrentToken()
	if tokens := p.GetTokenStream().(*tokens); tokens.marked == tokens.at {
		offending = tokens.Get(tokens.furthest)
	}
	panic(r.refusal(p, offending))
}

func (r *refuse) refusal(p antlr.Parser, offending antlr.Token) *refusal {
	refused := &refusal{token: offending.(*token), rule: p.GetParserRuleContext().GetRuleIndex()}
	if offending != p.GetCurrentToken() {
		return refused
	}
	r.Sync(p)
	for _, place := range r.places {
		p.SetState(place.state)
		p.SetParserRuleContext(place.rule)
		refused.expected = append(refused.expected, flatten(p.GetExpectedTokens())...)
	}
	slices.Sort(refused.expected)
	refused.expected = slices.Compact(refused.expected)
	return refused
}

// flatten is all that are in a set.
func flatten(set *antlr.IntervalSet) []int {
	var all []int
	for _, interval := range set.GetIntervals() {
		for kind := interval.Start; kind < interval.Stop; kind++ {
			all = append(all, kind)
		}
	}
	return all
}

func (r *refusal) fault() *fault.Error {
	message := "unexpected " + r.found()
	if expected := describe(r.expected); expected != "" {
		message += ", expected " + expected
	}
	message += r.hint()
	if word := nearest(r.token, r.expected); word != "" {
		message += fmt.Sprintf(" (did you mean %s?)", word)
	}
	return fault.New(fault.SyntaxError, r.detail(), r.token.at(), "%s", message)
}

// hint is for what is often meant.
func (r *refusal) hint() string {
	switch {
	case r.rule == grammar.CypherRULE_patternPart && slices.Contains(r.expected, grammar.CypherEqual):
		return ": a node is written in parentheses, as (n)"
	case r.token.index > 0 && r.token.all.list[r.token.index-1].kind == grammar.CypherSemicolon:
		return ": give one statement at a time"
	}
	return ""
}

func (r *refusal) found() string {
	if r.token.kind == antlr.TokenEOF {
		return "end of the statement"
	}
	return fmt.Sprintf("%q", shortened(r.token.GetText()))
}

func shortened(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// detail is openCypher's name of the error: a wrong length of a relationship has its own.
func (r *refusal) detail() string {
	length := r.rule == grammar.CypherRULE_length || r.rule == grammar.CypherRULE_relationshipDetail
	if length && (r.token.kind == grammar.CypherMinus || r.token.kind == grammar.CypherDotDot ||
		r.token.kind == grammar.CypherInteger) {
		return "InvalidRelationshipPattern"
	}
	return "UnexpectedSyntax"
}
