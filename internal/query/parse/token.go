package parse

import (
	"strconv"

	"github.com/antlr4-go/antlr/v4"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// token is a token as ANTLR wants it, in 40 bytes.
type token struct {
	all          *tokens
	kind, index  int32
	start, end   int32 // in the text
	line, column int32 // from 1
	match        int32 // of an opening bracket: the index of the closing one; 0: none
}

// at is where the token begins.
func (t *token) at() ast.Position {
	return ast.Position{Line: int(t.line), Column: int(t.column), Offset: int(t.start)}
}

func (t *token) GetText() string                             { return t.all.text[t.start:t.end] }
func (t *token) GetTokenType() int                           { return int(t.kind) }
func (t *token) GetTokenIndex() int                          { return int(t.index) }
func (t *token) GetStart() int                               { return int(t.start) }
func (t *token) GetStop() int                                { return int(t.end) - 1 }
func (t *token) GetLine() int                                { return int(t.line) }
func (t *token) GetColumn() int                              { return int(t.column) - 1 }
func (t *token) GetChannel() int                             { return antlr.TokenDefaultChannel }
func (t *token) String() string                              { return strconv.Quote(t.GetText()) }
func (t *token) SetText(string)                              {}
func (t *token) SetTokenIndex(int)                           {}
func (t *token) GetSource() *antlr.TokenSourceCharStreamPair { return nil }
func (t *token) GetTokenSource() antlr.TokenSource           { return nil }
func (t *token) GetInputStream() antlr.CharStream            { return nil }

// tokens is all of a statement, as the stream that ANTLR reads. The last is the end of the file.
type tokens struct {
	text string
	list []token
	at   int

	// The parser looks ahead from a mark to decide; this is how far it got.
	marked, furthest int
}

func (s *tokens) Consume() {
	if s.at < len(s.list)-1 {
		s.at++
	}
}

func (s *tokens) LA(k int) int {
	i := s.index(k)
	s.furthest = max(s.furthest, i)
	return int(s.list[i].kind)
}

func (s *tokens) LT(k int) antlr.Token {
	if k < 0 && s.at+k < 0 {
		return nil
	}
	return &s.list[s.index(k)]
}

// Mark is called where a decision begins.
func (s *tokens) Mark() int {
	s.marked, s.furthest = s.at, s.at
	return 0
}

// index is that of the k-th token from here; -1 is the one before.
func (s *tokens) index(k int) int {
	i := s.at + k
	if k > 0 {
		i--
	}
	return max(0, min(i, len(s.list)-1))
}

func (s *tokens) Release(int)                       {}
func (s *tokens) Index() int                        { return s.at }
func (s *tokens) Seek(i int)                        { s.at = min(i, len(s.list)-1) }
func (s *tokens) Size() int                         { return len(s.list) }
func (s *tokens) GetSourceName() string             { return "statement" }
func (s *tokens) Reset()                            { s.at = 0 }
func (s *tokens) Get(i int) antlr.Token             { return &s.list[i] }
func (s *tokens) GetTokenSource() antlr.TokenSource { return nil }
func (s *tokens) SetTokenSource(antlr.TokenSource)  {}
func (s *tokens) GetAllText() string                { return s.text }
func (s *tokens) GetTextFromInterval(i antlr.Interval) string {
	return s.GetTextFromTokens(s.Get(i.Start), s.Get(i.Stop))
}
func (s *tokens) GetTextFromRuleContext(c antlr.RuleContext) string {
	return s.GetTextFromInterval(c.GetSourceInterval())
}
func (s *tokens) GetTextFromTokens(from, to antlr.Token) string {
	return s.text[from.GetStart() : to.GetStop()+1]
}
