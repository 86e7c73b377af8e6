package parse

import (
	"errors"
	"testing"

	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/internal/feature"
)

// FuzzStatement: whatever the text, there is a statement or a *fault.Error that shows a place in it.
func FuzzStatement(f *testing.F) {
	for _, text := range []string{
		typical, "RETURN '\\u00e9', \"\\\"\", 0x1F, -0o17, 1.5e-3, .5, $p, $`q r`, n.`a``b`",
		"MATCH p = shortestPath((a:A&B)-[r:X|:Y*1..2 {a: $b}]->(b WHERE b.x)) RETURN [x IN nodes(p) WHERE x:A | x.y]",
		"EXPLAIN CALL { WITH 1 AS x RETURN x } CALL db.labels() YIELD label AS l WHERE l <> 'a' RETURN *",
		"MERGE (a)-[:T]-(b) ON CREATE SET a.x = 1, b += {}, a:L ON MATCH SET (a).y = b['k'][0..1] REMOVE a:L, b.x",
		"FOREACH (x IN [1, 2] | CREATE ({a: CASE x WHEN 1 THEN 'a' ELSE NOT x IS NULL END}) DETACH DELETE x)",
		"RETURN EXISTS { (a)<--() }, COUNT { MATCH (n) RETURN n }, [(a)--(b) | b], n {.*, .a, b, c: 1}, any(x IN y WHERE x)",
		"CREATE CONSTRAINT c IF NOT EXISTS FOR ()-[r:T]-() REQUIRE (r.a, r.b) IS NOT NULL;", "// only\n/* this */",
		"RETURN a < b <= c <> d = e ORDER BY 1 DESC SKIP 1 LIMIT 2 UNION ALL RETURN reduce(s = 0, x IN y | s + x)",
	} {
		f.Add(text)
	}
	if feature.Folder() != "" {
		scenarios, _ := feature.Read(feature.Folder())
		for _, s := range scenarios {
			for _, text := range s.Queries() {
				f.Add(text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		stmt, err := Statement(text)
		if err == nil {
			if stmt == nil || stmt.Text != text {
				t.Fatalf("statement is %v", stmt)
			}
			return
		}
		var fault *fault.Error
		if !errors.As(err, &fault) {
			t.Fatalf("error is %v", err)
		}
		if fault.At.Line < 1 || fault.At.Column < 1 || fault.At.Offset > len(text) || fault.Error() == "" {
			t.Fatalf("%v is at %v", fault, fault.At)
		}
	})
}
