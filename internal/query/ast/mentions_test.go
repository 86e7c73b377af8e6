package ast_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/parse"
)

// expressionOf parses an expression.
func expressionOf(t *testing.T, text string) ast.Expression {
	t.Helper()
	stmt, err := parse.Statement("RETURN " + text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return stmt.Query.Parts[0].Clauses[0].(*ast.ProjectClause).Items[0].Expression
}

// A condition waits for all names that its patterns and queries use.
func TestMentioned(t *testing.T) {
	for text, want := range map[string]string{
		"1":                             "",
		"a.x + b[c]":                    "a b c",
		"[x IN a WHERE x > b | x + c]":  "a b c x",
		"reduce(s = a, x IN b | s + c)": "a b c s",
		"(a)-[:R {x: b.y}]->(c {z: d})": "a b c d",
		"[p = (a)-[r:R]->(c) WHERE c.x > e.x | f.x]":                             "a c e f r",
		"EXISTS { (a WHERE a.x = b.x)-[r:R WHERE r.x = c.x]->() WHERE d }":       "a b c d r",
		"EXISTS { MATCH (a)-[r]->() WHERE b RETURN 1 }":                          "a b r",
		"EXISTS { UNWIND a AS x WITH b AS y, x ORDER BY c WHERE d RETURN x }":    "a b c d x",
		"EXISTS { CALL p(a) YIELD x WHERE b RETURN 1 UNION MATCH (c) RETURN 1 }": "a b c",
		"EXISTS { CALL { WITH a MATCH (b) RETURN c } RETURN 1 }":                 "a b c",
		"CASE a WHEN b THEN c ELSE d END":                                        "a b c d",
		"e {.x, y: f}":                                                           "e f",
	} {
		names := ast.Mentioned(expressionOf(t, text))
		delete(names, "")
		var all []string
		for name := range names {
			all = append(all, name)
		}
		slices.Sort(all)
		if got := strings.Join(all, " "); got != want {
			t.Errorf("%s mentions %q, not %q", text, got, want)
		}
	}
}
