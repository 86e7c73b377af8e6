package parse

import (
	"strings"
	"unicode/utf8"

	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

// signs are the tokens that are no words, longer ones first.
var signs = []struct {
	text string
	kind int
}{
	{"<>", grammar.CypherNotEqual}, {"<=", grammar.CypherLessEqual}, {">=", grammar.CypherGreaterEqual},
	{"=~", grammar.CypherMatches}, {"+=", grammar.CypherPlusEqual}, {"..", grammar.CypherDotDot}, {"||", grammar.CypherDoubleBar},
	{"(", grammar.CypherLeftParen}, {")", grammar.CypherRightParen}, {",", grammar.CypherComma},
	{".", grammar.CypherDot}, {":", grammar.CypherColon}, {"-", grammar.CypherMinus},
	{"[", grammar.CypherLeftBracket}, {"]", grammar.CypherRightBracket}, {"{", grammar.CypherLeftBrace},
	{"}", grammar.CypherRightBrace}, {"=", grammar.CypherEqual}, {"<", grammar.CypherLess},
	{">", grammar.CypherGreater}, {"|", grammar.CypherBar}, {"+", grammar.CypherPlus},
	{"*", grammar.CypherStar}, {"/", grammar.CypherSlash}, {"%", grammar.CypherPercent},
	{"^", grammar.CypherCaret}, {"&", grammar.CypherAmpersand}, {"!", grammar.CypherExclamation}, {";", grammar.CypherSemicolon},
}

// foreign are operators of other languages, and what Cypher has for them.
var foreign = []struct{ theirs, ours string }{
	{"!=", "<>"}, {"==", "="}, {"&&", "AND"},
}

// punctuation adds a sign.
func (s *scanner) punctuation() error {
	rest := s.text[s.at:]
	for _, f := range foreign {
		if strings.HasPrefix(rest, f.theirs) {
			return s.fail("UnexpectedSyntax", "%s is not an operator: write %s", f.theirs, f.ours)
		}
	}
	for _, sign := range signs {
		if strings.HasPrefix(rest, sign.text) {
			return s.sign(sign.kind, len(sign.text))
		}
	}
	return s.unknown()
}

// sign adds a sign, and keeps account of brackets.
func (s *scanner) sign(kind, length int) error {
	switch kind {
	case grammar.CypherLeftParen, grammar.CypherLeftBracket, grammar.CypherLeftBrace:
		if err := s.open(kind); err != nil {
			return err
		}
	case grammar.CypherRightParen, grammar.CypherRightBracket, grammar.CypherRightBrace:
		s.close(kind)
	case grammar.CypherComma, grammar.CypherBar:
		s.nesting.divide(kind)
	}
	s.add(kind, s.at+length)
	return nil
}

// unknown says what is wrong with a character that begins no token.
func (s *scanner) unknown() error {
	r, _ := utf8.DecodeRuneInString(s.text[s.at:])
	if r >= utf8.RuneSelf {
		return s.fail("InvalidUnicodeCharacter", "unexpected character %q (U+%04X)", r, r)
	}
	return s.fail("UnexpectedSyntax", "unexpected character %q", r)
}
