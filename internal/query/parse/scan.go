package parse

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/antlr4-go/antlr/v4"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

// scanner cuts a text into tokens.
type scanner struct {
	tokens
	at        int // where the text is read
	line      int // of at, from 1
	lineStart int // byte where it begins, and how many bytes since then were not the first of a character
	wide      int
	nesting   nesting
	prefixes  int // NOT, + and - up to here, without anything else between
}

// scan cuts a statement into tokens, and marks those that tell the grammar what follows.
func scan(text string) (*tokens, error) {
	if len(text) > math.MaxInt32 {
		return nil, fault.New(fault.SyntaxError, "UnexpectedSyntax", ast.Position{},
			"a statement of %d bytes is longer than 2 GiB: cut it", len(text))
	}
	s := &scanner{tokens: tokens{text: text, list: make([]token, 0, 16+len(text)/3)}, line: 1}
	if !utf8.ValidString(text) {
		return nil, s.notUTF8()
	}
	for {
		if err := s.blank(); err != nil {
			return nil, err
		}
		if s.at == len(text) {
			break
		}
		if err := s.next(); err != nil {
			return nil, err
		}
		if err := s.prefix(int(s.list[len(s.list)-1].kind)); err != nil {
			return nil, err
		}
	}
	s.add(antlr.TokenEOF, s.at)
	markPatterns(s.list)
	markBars(s.list)
	return &s.tokens, nil
}

// notUTF8 says where a text that is not UTF-8 is not.
func (s *scanner) notUTF8() error {
	for i, r := range s.text {
		if _, size := utf8.DecodeRuneInString(s.text[i:]); r == utf8.RuneError && size <= 1 {
			s.skip(i)
			break
		}
	}
	return s.fail("InvalidUnicodeCharacter", "the text is not UTF-8: byte %#x", s.text[s.at])
}

// position is where the scanner is.
func (s *scanner) position() ast.Position {
	return ast.Position{Line: s.line, Column: s.at - s.lineStart - s.wide + 1, Offset: s.at}
}

func (s *scanner) fail(detail, format string, args ...any) error {
	return fault.New(fault.SyntaxError, detail, s.position(), format, args...)
}

// add makes a token of the text up to end.
func (s *scanner) add(kind, end int) {
	p := s.position()
	s.list = append(s.list, token{
		all: &s.tokens, kind: int32(kind), index: int32(len(s.list)),
		start: int32(p.Offset), end: int32(end), line: int32(p.Line), column: int32(p.Column),
	})
	s.skip(end)
}

// skip goes on to end, and counts lines and characters.
func (s *scanner) skip(end int) {
	for ; s.at < end; s.at++ {
		switch c := s.text[s.at]; {
		case c == '\n':
			s.line, s.lineStart, s.wide = s.line+1, s.at+1, 0
		case c&0xC0 == 0x80:
			s.wide++
		}
	}
}

// blank skips white space and comments.
func (s *scanner) blank() error {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		switch r, size := utf8.DecodeRuneInString(rest); {
		case isSpace(r):
			s.skip(s.at + size)
		case strings.HasPrefix(rest, "//"):
			s.skip(s.at + lineLength(rest))
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return s.fail("UnexpectedSyntax", "the comment that begins here has no end: \"*/\" is missing")
			}
			s.skip(s.at + end + 4)
		default:
			return nil
		}
	}
	return nil
}

func lineLength(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

// isSpace knows also the separators of files, groups and records, as openCypher does.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) || 0x1C <= r && r <= 0x1F || r == 0x180E || r == 0xFEFF
}

// next adds the token that begins here.
func (s *scanner) next() error {
	c := s.text[s.at]
	switch {
	case c == '\'' || c == '"':
		return s.quoted(grammar.CypherString_, c)
	case c == '`':
		return s.quoted(grammar.CypherIdentifier, c)
	case isDigit(c) || c == '.' && s.at+1 < len(s.text) && isDigit(s.text[s.at+1]) && !s.after(grammar.CypherDotDot):
		s.number()
		return nil
	case c == '$':
		return s.parameter()
	}
	if n := wordLength(s.text[s.at:]); n > 0 {
		return s.word(n)
	}
	return s.punctuation()
}

// after tells whether the token before this one is of a kind.
func (s *scanner) after(kind int) bool {
	return len(s.list) > 0 && int(s.list[len(s.list)-1].kind) == kind
}

// wordLength is how many bytes the word has with which a text begins.
func wordLength(text string) int {
	for i, r := range text {
		letter := r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Pc, r) || unicode.Is(unicode.Nl, r)
		if !letter && (i == 0 || !isWordPart(r)) {
			return i
		}
	}
	return len(text)
}

// isWordPart tells whether a word can go on with a character, beside letters.
func isWordPart(r rune) bool { return unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Sc) }

// word adds a keyword or a name.
func (s *scanner) word(length int) error {
	kind := keyword(s.text[s.at : s.at+length])
	switch kind {
	case grammar.CypherCASE:
		if s.after(grammar.CypherDot) || s.after(grammar.CypherColon) {
			break
		}
		if err := s.open(kind); err != nil {
			return err
		}
	case grammar.CypherEND:
		s.end()
	}
	s.add(kind, s.at+length)
	return nil
}

// quoted adds a string, or a name in back-quotes, in which a back-slash means nothing.
func (s *scanner) quoted(kind int, quote byte) error {
	end, ok := quotedEnd(s.text, s.at, quote)
	if !ok {
		return s.fail("UnexpectedSyntax", "the text that begins here has no end: %c is missing", quote)
	}
	s.add(kind, end)
	return nil
}

// quotedEnd is behind the closing quote.
func quotedEnd(text string, at int, quote byte) (int, bool) {
	for i := at + 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote != '`':
			i++
		case text[i] == quote && quote == '`' && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return i + 1, true
		}
	}
	return 0, false
}

// parameter adds $name, $1 or $`name`.
func (s *scanner) parameter() error {
	from := s.at + 1
	if from < len(s.text) && s.text[from] == '`' {
		end, ok := quotedEnd(s.text, from, '`')
		if !ok {
			return s.fail("UnexpectedSyntax", "the name of this parameter has no end: ` is missing")
		}
		s.add(grammar.CypherParameter, end)
		return nil
	}
	n := wordLength(s.text[from:])
	for n == 0 && from < len(s.text) && isDigit(s.text[from]) {
		from++
	}
	if from+n == s.at+1 {
		return s.fail("UnexpectedSyntax", "a name is missing after $")
	}
	s.add(grammar.CypherParameter, from+n)
	return nil
}
