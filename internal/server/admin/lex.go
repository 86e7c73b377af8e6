package admin

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind of a token.
type kind uint8

const (
	end       kind = iota
	word           // a keyword or a name
	quoted         // a name in backquotes
	literal        // a string
	parameter      // $name
	mark           // anything else: one character
	broken         // a string or name without an end
)

// token is a part of a statement.
type token struct {
	kind     kind
	text     string // what it means: without quotes and escapes
	from, to int    // bytes of the statement
}

// lex cuts a statement into tokens; comments and white space are left out. It knows as much of
// Cypher's text as is needed to find the strings of any statement.
func lex(text string) []token { return lexFirst(text, math.MaxInt) }

// lexFirst is the first n tokens, or all.
func lexFirst(text string, n int) (tokens []token) {
	for at := 0; len(tokens) < n; {
		at = skipBlank(text, at)
		t := next(text, at)
		tokens = append(tokens, t)
		if t.kind == end {
			break
		}
		at = t.to
	}
	return tokens
}

func skipBlank(text string, at int) int {
	for at < len(text) {
		rest := text[at:]
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsSpace(r):
			at += size
		case strings.HasPrefix(rest, "//"):
			at += lengthTo(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			at += 2 + lengthTo(rest[2:], "*/")
		default:
			return at
		}
	}
	return at
}

// lengthTo is how many bytes it is to behind the next mark; without one, to the end.
func lengthTo(text, mark string) int {
	if i := strings.Index(text, mark); i >= 0 {
		return i + len(mark)
	}
	return len(text)
}

func next(text string, at int) token {
	if at == len(text) {
		return token{end, "", at, at}
	}
	r, size := utf8.DecodeRuneInString(text[at:])
	switch {
	case r == '\'' || r == '"':
		return lexString(text, at)
	case r == '`':
		return lexQuoted(text, at)
	case r == '$' && strings.HasPrefix(text[at+1:], "`"):
		name := lexQuoted(text, at+1)
		if name.kind == quoted {
			name.kind = parameter
		}
		name.from = at
		return name
	case r == '$' && lengthOfWord(text[at+1:]) > 0:
		to := at + 1 + lengthOfWord(text[at+1:])
		return token{parameter, text[at+1 : to], at, to}
	case isWord(r):
		to := at + lengthOfWord(text[at:])
		return token{word, text[at:to], at, to}
	}
	return token{mark, text[at : at+size], at, at + size}
}

func lengthOfWord(text string) int {
	if i := strings.IndexFunc(text, func(r rune) bool { return !isWord(r) }); i >= 0 {
		return i
	}
	return len(text)
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// lexQuoted reads a name in backquotes; one within is written twice.
func lexQuoted(text string, at int) token {
	var name strings.Builder
	for to := at + 1; to < len(text); to++ {
		switch {
		case text[to] != '`':
			name.WriteByte(text[to])
		case strings.HasPrefix(text[to:], "``"):
			name.WriteByte('`')
			to++
		default:
			return token{quoted, name.String(), at, to + 1}
		}
	}
	return token{broken, "", at, len(text)}
}

var escapes = map[byte]string{'\\': "\\", '\'': "'", '"': "\"", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t",
	'`': "`"}

var unicodeEscape = regexp.MustCompile(`^(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})`)

// lexString reads a string, with the escapes that Cypher has.
func lexString(text string, at int) token {
	var s strings.Builder
	for to := at + 1; to < len(text); to++ {
		switch c := text[to]; {
		case c == text[at]:
			return token{literal, s.String(), at, to + 1}
		case c != '\\':
			s.WriteByte(c)
		case to+1 == len(text):
			return token{broken, "", at, len(text)}
		default:
			to++
			if code := unicodeEscape.FindString(text[to:]); code != "" {
				r, _ := strconv.ParseUint(code[1:], 16, 32) // digits, as the pattern says
				s.WriteRune(rune(r))
				to += len(code) - 1
			} else if plain, ok := escapes[text[to]]; ok {
				s.WriteString(plain)
			} else {
				return token{broken, "", at, len(text)}
			}
		}
	}
	return token{broken, "", at, len(text)}
}
