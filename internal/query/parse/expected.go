package parse

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/antlr4-go/antlr/v4"

	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

// group is tokens that a message names together.
type group struct {
	name    string
	mark    int // there when the whole group is
	members []int
}

var groups = []group{
	{"an expression", grammar.CypherPatternBracket, []int{
		grammar.CypherPatternBracket, grammar.CypherComprehensionBracket, grammar.CypherPatternParen, grammar.CypherLeftParen,
		grammar.CypherLeftBracket, grammar.CypherLeftBrace, grammar.CypherString_, grammar.CypherInteger, grammar.CypherFloat,
		grammar.CypherParameter, grammar.CypherIdentifier, grammar.CypherNULL, grammar.CypherTRUE, grammar.CypherFALSE,
		grammar.CypherCASE, grammar.CypherNOT, grammar.CypherPlus, grammar.CypherMinus, grammar.CypherALL, grammar.CypherANY,
		grammar.CypherNONE, grammar.CypherSINGLE, grammar.CypherREDUCE, grammar.CypherSHORTESTPATH,
		grammar.CypherALLSHORTESTPATHS,
	}},
	{"an operator", grammar.CypherCaret, []int{
		grammar.CypherCaret, grammar.CypherStar, grammar.CypherSlash, grammar.CypherPercent, grammar.CypherPlus,
		grammar.CypherMinus,
		grammar.CypherIN, grammar.CypherCONTAINS, grammar.CypherSTARTS, grammar.CypherENDS, grammar.CypherMatches,
		grammar.CypherIS,
		grammar.CypherEqual, grammar.CypherNotEqual, grammar.CypherLess, grammar.CypherLessEqual, grammar.CypherGreater,
		grammar.CypherGreaterEqual, grammar.CypherAND, grammar.CypherXOR, grammar.CypherOR, grammar.CypherDot,
		grammar.CypherLeftBracket, grammar.CypherLeftParen, grammar.CypherLeftBrace, grammar.CypherColon,
		grammar.CypherAmpersand, grammar.CypherDoubleBar, grammar.CypherLabelBar,
	}},
	{"a clause such as MATCH or RETURN", grammar.CypherUNWIND, []int{
		grammar.CypherUNWIND, grammar.CypherMATCH, grammar.CypherRETURN, grammar.CypherWITH, grammar.CypherOPTIONAL,
		grammar.CypherCREATE, grammar.CypherMERGE, grammar.CypherSET, grammar.CypherREMOVE, grammar.CypherDELETE,
		grammar.CypherDETACH, grammar.CypherCALL, grammar.CypherFOREACH, grammar.CypherSHOW, grammar.CypherDROP,
		grammar.CypherEXPLAIN, grammar.CypherPROFILE, grammar.CypherORDER, grammar.CypherSKIP_, grammar.CypherLIMIT,
		grammar.CypherINSERT, grammar.CypherLOAD, grammar.CypherNODETACH, grammar.CypherCYPHER, grammar.CypherUSING,
	}},
	{"a name", grammar.CypherIdentifier, []int{grammar.CypherIdentifier}},
	{"a string", grammar.CypherString_, []int{grammar.CypherString_}},
	{"an integer", grammar.CypherInteger, []int{grammar.CypherInteger}},
	{"a parameter", grammar.CypherParameter, []int{grammar.CypherParameter}},
	{`"("`, grammar.CypherLeftParen, []int{grammar.CypherLeftParen, grammar.CypherPatternParen}},
	{"the end", antlr.TokenEOF, []int{antlr.TokenEOF, grammar.CypherSemicolon}},
}

// describe is what was expected, in words.
func describe(kinds []int) string {
	left := slices.Clone(kinds)
	if slices.Contains(left, grammar.CypherIdentifier) && slices.Contains(left, grammar.CypherBY) { // any word
		left = slices.DeleteFunc(left, func(kind int) bool { return 0 < kind && kind < grammar.CypherIdentifier })
	}
	var words []string
	for _, g := range groups {
		if slices.Contains(left, g.mark) {
			words = append(words, g.name)
			left = slices.DeleteFunc(left, func(kind int) bool { return slices.Contains(g.members, kind) })
		}
	}
	named := slices.Contains(kinds, grammar.CypherIdentifier)
	for _, kind := range left {
		if !named || !isName(kind) && !isSoft(kind) {
			words = append(words, spelled(kind))
		}
	}
	return orList(words)
}

// orList joins what is not too long to read.
func orList(words []string) string {
	const most = 10
	switch {
	case len(words) == 0 || len(words) > most:
		return ""
	case len(words) == 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// spelled is a token as it is written.
func spelled(kind int) string {
	if kind == grammar.CypherLabelBar {
		kind = grammar.CypherBar
	}
	for _, sign := range signs {
		if sign.kind == kind {
			return strconv.Quote(sign.text)
		}
	}
	return strings.TrimSuffix(symbols()[kind], "_")
}

// nearest is the keyword that a name was probably meant to be.
func nearest(t *token, expected []int) string {
	if t.kind != grammar.CypherIdentifier {
		return ""
	}
	word, best, least := strings.ToUpper(t.GetText()), "", 5
	if len(word) <= 4 {
		least = 3
	}
	for _, kind := range expected {
		if kind <= 0 || kind > grammar.CypherYIELD {
			continue
		}
		if d := unlike(word, spelled(kind)); d < least {
			best, least = spelled(kind), d
		}
	}
	return best
}

// unlike is twice the edits between two words, and one more where they begin differently.
func unlike(a, b string) int {
	d := 2 * levenshtein.ComputeDistance(a, b)
	if a[0] != b[0] {
		d++
	}
	return d
}
