package parse

import (
	"strings"
	"sync"

	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

// longestKeyword is ALLSHORTESTPATHS.
const longestKeyword = 16

// keywords are the tokens of the grammar that are written in capitals. They are made when a
// statement is first read: the grammar's tables take milliseconds.
var keywords = sync.OnceValue(func() map[string]int {
	words := map[string]int{}
	for kind, name := range symbols() {
		if word := strings.TrimSuffix(name, "_"); len(word) > 1 && word == strings.ToUpper(word) {
			words[word] = kind
		}
	}
	return words
})

// symbols are the names of the kinds of tokens.
func symbols() []string {
	grammar.CypherInit()
	return grammar.CypherParserStaticData.SymbolicNames
}

// keyword is the kind of a word, in whatever case it is written.
func keyword(word string) int {
	if len(word) > longestKeyword {
		return grammar.CypherIdentifier
	}
	var upper [longestKeyword]byte
	for i := range len(word) {
		c := word[i]
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		upper[i] = c
	}
	if kind, ok := keywords()[string(upper[:len(word)])]; ok {
		return kind
	}
	return grammar.CypherIdentifier
}

// isName tells whether a token can be the name of a variable.
func isName(kind int) bool {
	return kind == grammar.CypherIdentifier || grammar.CypherASSERT <= kind && kind <= grammar.CypherYIELD
}

// isSoft tells whether a token means something only before a "(".
func isSoft(kind int) bool {
	return grammar.CypherALLSHORTESTPATHS <= kind && kind <= grammar.CypherSINGLE
}
