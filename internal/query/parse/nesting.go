package parse

import (
	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

// deepestNesting bounds the recursion of parser, checker and planner.
const deepestNesting = 500

// nesting is the brackets that are open.
type nesting []bracket

// bracket is one that is open; CASE is one, too.
type bracket struct {
	index, kind int
	comma, bar  bool // there is one directly inside
}

var closes = map[int]int{
	grammar.CypherRightParen: grammar.CypherLeftParen, grammar.CypherRightBracket: grammar.CypherLeftBracket,
	grammar.CypherRightBrace: grammar.CypherLeftBrace,
}

// open notes a bracket which is to be the next token.
func (s *scanner) open(kind int) error {
	if len(s.nesting) == deepestNesting {
		return s.fail(
			"UnexpectedSyntax", "nested too deep: more than %d brackets are open here; cut the statement, or use parameters",
			deepestNesting)
	}
	s.nesting = append(s.nesting, bracket{index: len(s.list), kind: kind})
	return nil
}

// prefix notes an operator that may stand before another of its kind, and nest as brackets do.
func (s *scanner) prefix(kind int) error {
	switch kind {
	case grammar.CypherNOT, grammar.CypherPlus, grammar.CypherMinus:
		s.prefixes++
	default:
		s.prefixes = 0
	}
	if s.prefixes > deepestNesting {
		return s.fail("UnexpectedSyntax", "nested too deep: more than %d operators stand one after the other", deepestNesting)
	}
	return nil
}

// top is the innermost open bracket; nil: none.
func (n nesting) top() *bracket {
	if len(n) == 0 {
		return nil
	}
	return &n[len(n)-1]
}

// divide notes a comma or a bar.
func (n nesting) divide(kind int) {
	if b := n.top(); b != nil {
		b.comma = b.comma || kind == grammar.CypherComma
		b.bar = b.bar || kind == grammar.CypherBar
	}
}

// close notes that the next token closes a bracket. What does not fit is for the parser to say.
func (s *scanner) close(kind int) {
	for b := s.nesting.top(); b != nil; b = s.nesting.top() {
		s.nesting = s.nesting[:len(s.nesting)-1]
		if b.kind != grammar.CypherCASE {
			s.pair(*b, kind)
			return
		}
	}
}

func (s *scanner) pair(b bracket, kind int) {
	if b.kind != closes[kind] {
		return
	}
	s.list[b.index].match = int32(len(s.list))
	if kind == grammar.CypherRightBracket {
		s.list[b.index].kind = int32(bracketKind(s.list[b.index+1:], b))
	}
}

// end notes END, which closes CASE.
func (s *scanner) end() {
	if b := s.nesting.top(); b != nil && b.kind == grammar.CypherCASE {
		s.nesting = s.nesting[:len(s.nesting)-1]
	}
}
