package parse

import "github.com/penstock-db/penstock/internal/query/parse/grammar"

// bracketKind tells by what is inside whether "[" begins a comprehension.
func bracketKind(inside []token, b bracket) int {
	switch {
	case startsWith(inside, nameToken, grammar.CypherIN) && !b.comma:
		return grammar.CypherComprehensionBracket
	case b.bar && (startsWith(inside, grammar.CypherLeftParen) ||
		startsWith(inside, nameToken, grammar.CypherEqual, grammar.CypherLeftParen)):
		return grammar.CypherPatternBracket
	}
	return grammar.CypherLeftBracket
}

// nameToken stands for any name in startsWith.
const nameToken = -1

func startsWith(list []token, kinds ...int) bool {
	if len(list) < len(kinds) {
		return false
	}
	for i, want := range kinds {
		if is := int(list[i].kind); is != want && (want != nameToken || !isName(is)) {
			return false
		}
	}
	return true
}

// markPatterns makes a PatternParen of each "(" with which relationships begin, and identifiers
// of the words that mean something only before a "(".
func markPatterns(list []token) {
	for i := range list[:len(list)-1] {
		kind := int(list[i].kind)
		switch {
		case isSoft(kind) && int(list[i+1].kind) != grammar.CypherLeftParen && !selects(list[i:]):
			list[i].kind = grammar.CypherIdentifier
		case kind == grammar.CypherLeftParen && !isCall(list, i) && isNode(list[i+1:]) && isRelationship(list, i):
			list[i].kind = grammar.CypherPatternParen
		}
	}
}

// selects tells whether ANY begins a selector of paths.
func selects(list []token) bool {
	return startsWith(list, grammar.CypherANY, grammar.CypherSHORTEST) ||
		startsWith(list, grammar.CypherANY, grammar.CypherInteger) ||
		startsWith(list, grammar.CypherANY, grammar.CypherPATH) || startsWith(list, grammar.CypherANY, grammar.CypherPATHS)
}

// isCall tells whether a "(" follows a name, as that of a function.
func isCall(list []token, i int) bool { return i > 0 && isName(int(list[i-1].kind)) }

// isNode tells whether what follows "(" looks like the inside of a node.
func isNode(inside []token) bool {
	if isName(int(inside[0].kind)) {
		inside = inside[1:]
	}
	switch inside[0].kind {
	case grammar.CypherRightParen, grammar.CypherColon, grammar.CypherLeftBrace, grammar.CypherParameter,
		grammar.CypherWHERE:
		return true
	}
	return false
}

// isRelationship tells whether a relationship and another node follow the one that begins at i.
func isRelationship(list []token, i int) bool {
	rest := list[list[i].match:]
	if !startsWith(rest, grammar.CypherRightParen) {
		return false
	}
	rest = rest[1:]
	if startsWith(rest, grammar.CypherLess) {
		rest = rest[1:]
	}
	if !startsWith(rest, grammar.CypherMinus) {
		return false
	}
	rest = rest[1:]
	if startsWith(rest, grammar.CypherLeftBracket) {
		if rest[0].match == 0 {
			return false
		}
		rest = list[rest[0].match+1:]
	}
	return startsWith(rest, grammar.CypherMinus, grammar.CypherLeftParen) ||
		startsWith(rest, grammar.CypherMinus, grammar.CypherGreater, grammar.CypherLeftParen)
}
