package check_test

import (
	"errors"
	"testing"

	"github.com/penstock-db/penstock/internal/query/check"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/internal/feature"
	"github.com/penstock-db/penstock/internal/query/parse"
)

// FuzzStatement: whatever is parsed can be checked.
func FuzzStatement(f *testing.F) {
	f.Add("MATCH (a)-[r*]->(b {x: a.y}) WITH a.x AS x, count(*) AS c ORDER BY a.x + c WHERE x > 1 RETURN *, [y IN x | y]")
	f.Add("CALL test.my.proc(1) YIELD out CALL { WITH out RETURN 1 AS a UNION RETURN 2 AS a } RETURN EXISTS { (n) }, a")
	f.Add("FOREACH (x IN [1] | MERGE (n {y: x})-[:T]-(m) ON CREATE SET n.z = {}, n += m) DELETE n")
	if feature.Folder() != "" {
		scenarios, _ := feature.Read(feature.Folder())
		for _, s := range scenarios {
			for _, text := range s.Queries() {
				f.Add(text)
			}
		}
	}
	known := check.Registry(procedures)
	f.Fuzz(func(t *testing.T, text string) {
		stmt, err := parse.Statement(text)
		if err != nil {
			return
		}
		var fault *fault.Error
		if err := check.Statement(stmt, known); err != nil && (!errors.As(err, &fault) || fault.Text != text) {
			t.Fatalf("error is %v", err)
		}
	})
}
