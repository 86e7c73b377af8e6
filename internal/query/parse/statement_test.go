package parse

import (
	"errors"
	"testing"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
)

func TestFaults(t *testing.T) {
	for _, test := range []struct {
		text, detail, message string
		line, column          int
	}{
		{"MTACH (n) RETURN n", "UnexpectedSyntax", `unexpected "MTACH", expected a clause such as MATCH or RETURN (did you mean MATCH?)`, 1, 1},
		{"MATCH (n)\n RETRUN n", "UnexpectedSyntax", `unexpected "RETRUN", expected a clause such as MATCH or RETURN, the end, UNION, WHERE, ",", "<" or "-" (did you mean RETURN?)`, 2, 2},
		{"MATCH n RETURN n", "UnexpectedSyntax", `unexpected "RETURN", expected "=": a node is written in parentheses, as (n)`, 1, 9},
		{"CREATE INDEX ON L(p)", "UnexpectedSyntax", `unexpected "L", expected ":"`, 1, 17},
		{"RETURN 1; RETURN 2", "UnexpectedSyntax", `unexpected "RETURN", expected the end: give one statement at a time`, 1,
			11},
		{"MATCH (n) RETURN n.", "UnexpectedSyntax", "unexpected end of the statement, expected a name", 1, 20},
		{"RETURN (1", "UnexpectedSyntax", `unexpected end of the statement, expected an operator or ")"`, 1, 10},
		{"RETURN 1 +", "UnexpectedSyntax", "unexpected end of the statement, expected an expression", 1, 11},
		{"MATCH (n)-[*-2]->() RETURN n", "InvalidRelationshipPattern",
			`unexpected "-", expected an integer, a parameter, WHERE, "]", "{" or ".."`, 1, 13},
		{"MATCH (a)-[:X..2]->() RETURN a", "InvalidRelationshipPattern",
			`unexpected "..", expected a parameter, WHERE, "]", "{", "|", ":", "&" or "*"`, 1, 14},
		{`RETURN '\uH'`, "InvalidUnicodeLiteral", `\u needs 4 hexadecimal digits of a character`, 1, 8},
		{"RETURN 42 — 41", "InvalidUnicodeCharacter", "unexpected character '—' (U+2014)", 1, 11},
		{"RETURN\n 'é\xff'", "InvalidUnicodeCharacter", "the text is not UTF-8: byte 0xff", 2, 4},
		{"RETURN 1 # 2", "UnexpectedSyntax", "unexpected character '#'", 1, 10},
		{"RETURN 0x1g", "InvalidNumberLiteral", `"0x1g" is not a number`, 1, 8},
		{"RETURN 9223372036854775808", "IntegerOverflow",
			"9223372036854775808 does not fit an integer of 64 bits: they are from -9223372036854775808 to 9223372036854775807",
			1, 8},
		{"RETURN 1.34E999", "FloatingPointOverflow", "1.34E999 is too large for a float: the largest is 1.7976931348623157e308", 1, 8},
		{"RETURN 1 != 2", "UnexpectedSyntax", "!= is not an operator: write <>", 1, 10},
		{"RETURN 'é", "UnexpectedSyntax", "the text that begins here has no end: ' is missing", 1, 8},
		{"MATCH SHORTEST (a)-->+(b) RETURN a", "UnexpectedSyntax",
			"how many of the shortest paths are wanted? Give a number: SHORTEST 3; or ANY SHORTEST, ALL SHORTEST", 1, 7},
		{"MATCH p = SHORTEST 0 (a)-->+(b) RETURN p", "InvalidArgumentValue",
			"no paths are wanted: give a number from 1 on, such as SHORTEST 3", 1, 11},
		{"MATCH any 2 (a)-->()-->(b) RETURN a", "InvalidRelationshipPattern",
			"ANY needs a pattern of exactly one relationship, such as (a)-->+(b)", 1, 7},
		{"", "UnexpectedSyntax", "unexpected end of the statement, expected a clause such as MATCH or RETURN", 1, 1},
	} {
		_, err := Statement(test.text)
		var f *fault.Error
		if !errors.As(err, &f) {
			t.Errorf("%s: error is %v", test.text, err)
			continue
		}
		if f.Kind != fault.SyntaxError || f.Detail != test.detail || f.Message != test.message {
			t.Errorf("%s: %s %s: %s\nwanted %s: %s", test.text, f.Kind, f.Detail, f.Message, test.detail, test.message)
		}
		if f.At.Line != test.line || f.At.Column != test.column || f.Text != test.text {
			t.Errorf("%s: at %d:%d, wanted %d:%d", test.text, f.At.Line, f.At.Column, test.line, test.column)
		}
	}
}

// Selectors say which paths are meant, in all their forms; their words are names where nothing else is meant.
func TestSelectors(t *testing.T) {
	for text, want := range map[string]ast.PathPattern{
		"MATCH ALL (a)-->+(b) RETURN a":                               {},
		"MATCH ALL PATHS (a)-->+(b) RETURN a":                         {},
		"MATCH ANY (a)-->+(b) RETURN a":                               {Shortest: ast.ShortestPaths, Count: 1},
		"MATCH p = any 3 paths (a)-->+(b) RETURN a":                   {Shortest: ast.ShortestPaths, Count: 3},
		"MATCH ANY SHORTEST PATH (a)-->+(b) RETURN a":                 {Shortest: ast.ShortestPaths, Count: 1},
		"MATCH ALL SHORTEST (a)-->+(b) RETURN a":                      {Shortest: ast.ShortestGroups, Count: 1},
		"MATCH SHORTEST 2 ((a)-->+(b)) RETURN a":                      {Shortest: ast.ShortestPaths, Count: 2},
		"MATCH p = SHORTEST 2 PATH GROUPS (a)-->+(b) RETURN a":        {Shortest: ast.ShortestGroups, Count: 2},
		"MATCH SHORTEST GROUP (a)-->+(b) RETURN a":                    {Shortest: ast.ShortestGroups, Count: 1},
		"MATCH shortest = shortestPath((path)-->(any)) RETURN groups": {Shortest: ast.ShortestPath},
		"MATCH any = (paths)-->(shortest) RETURN group":               {},
	} {
		stmt, err := Statement(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := stmt.Query.Parts[0].Clauses[0].(*ast.MatchClause).Patterns[0]
		if got.Shortest != want.Shortest || got.Count != want.Count {
			t.Errorf("%s: %v, %d", text, got.Shortest, got.Count)
		}
	}
}
