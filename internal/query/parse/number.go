package parse

import (
	"strings"

	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// number adds a number. Letters that follow belong to it, and make it one that is refused when
// its value is asked for: where the grammar allows no number at all, that is the better message.
func (s *scanner) number() {
	end, kind := s.at, grammar.CypherInteger
	if !hasRadix(s.text[s.at:]) {
		end, kind = decimal(s.text, s.at)
	}
	for end < len(s.text) && isWordByte(s.text[end]) {
		end++
	}
	s.add(kind, end)
}

// hasRadix tells whether a number is hexadecimal or octal.
func hasRadix(text string) bool {
	return len(text) > 1 && text[0] == '0' && strings.ContainsRune("xXoO", rune(text[1]))
}

func isWordByte(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80
}

// decimal is where a decimal number ends, and what it is. The dots of 1..3 are no part of it.
func decimal(text string, at int) (end, kind int) {
	kind = grammar.CypherInteger
	at = digits(text, at)
	if at+1 < len(text) && text[at] == '.' && isDigit(text[at+1]) {
		at, kind = digits(text, at+1), grammar.CypherFloat
	}
	if e := exponent(text, at); e > at {
		return e, grammar.CypherFloat
	}
	return at, kind
}

func digits(text string, at int) int {
	for at < len(text) && isDigit(text[at]) {
		at++
	}
	return at
}

// exponent is where the exponent that begins at a place ends: there, if there is none.
func exponent(text string, at int) int {
	if at >= len(text) || text[at] != 'e' && text[at] != 'E' {
		return at
	}
	from := at + 1
	if from < len(text) && (text[from] == '-' || text[from] == '+') {
		from++
	}
	if end := digits(text, from); end > from {
		return end
	}
	return at
}
