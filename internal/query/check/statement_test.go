package check_test

import (
	"errors"
	"testing"

	"github.com/penstock-db/penstock/internal/query/check"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

var procedures = procedure.New(&procedure.Procedure{
	Name:      "test.my.proc",
	Arguments: []procedure.Field{{Name: "in", Type: "INTEGER"}},
	Columns:   []procedure.Field{{Name: "out", Type: "STRING"}},
})

// faulty are statements with one mistake each, and the detail of its fault.
var faulty = []struct{ text, detail string }{
	{"EXPLAIN CREATE INDEX i FOR (n:A) ON (n.x)", "UnexpectedSyntax"},
	{"MATCH (n) RETURN m", "UndefinedVariable"},
	{"MATCH (n) WITH n.x AS x RETURN n", "UndefinedVariable"},
	{"MATCH (n) RETURN [x IN [1] | x], x", "UndefinedVariable"},
	{"MATCH (a) WHERE (a)-->(b) RETURN a", "UndefinedVariable"},
	{"MATCH (a) CREATE (a)-[:KNOWS]->(b {name: missing})", "UndefinedVariable"},
	{"MATCH (n) CALL { RETURN n.x AS x } RETURN x", "UndefinedVariable"},
	{"UNWIND [1] AS x FOREACH (y IN [x] | CREATE ({z: y})) RETURN y", "UndefinedVariable"},
	{"MATCH (a) RETURN DISTINCT a.name ORDER BY a.age", "UndefinedVariable"},
	{"MATCH (a) RETURN a.x AS x, count(*) ORDER BY a.y", "UndefinedVariable"},
	{"MATCH (a) WITH a.x AS x, count(*) AS c WHERE a.y > 1 RETURN x", "UndefinedVariable"},
	{"CALL test.my.proc(1) YIELD other RETURN other", "UndefinedVariable"},
	{"MATCH (a) CREATE (a)", "VariableAlreadyBound"},
	{"MATCH (a) MERGE (a)", "VariableAlreadyBound"},
	{"CREATE (a), (a)", "VariableAlreadyBound"},
	{"MATCH ()-[r]->() CREATE ()-[r:T]->()", "VariableAlreadyBound"},
	{"MATCH ()-[r]->() CREATE ()-[r]->()", "VariableAlreadyBound"},
	{"MATCH (a)-[r]->(b) MERGE (a)-[r]->(b)", "VariableAlreadyBound"},
	{"UNWIND [1] AS x UNWIND [2] AS x RETURN x", "VariableAlreadyBound"},
	{"WITH 1 AS x CALL { RETURN 2 AS x } RETURN x", "VariableAlreadyBound"},
	{"MATCH (p) MATCH p = ()-->() RETURN p", "VariableAlreadyBound"},
	{"MATCH (a)-[a]->() RETURN a", "VariableTypeConflict"},
	{"MATCH ()-[r]->() MATCH ()-[r*]->() RETURN r", "VariableTypeConflict"},
	{"WITH 1 AS n MATCH (n) RETURN n", "VariableTypeConflict"},
	{"MATCH (a)-[r]->()-[r]->() RETURN r", "RelationshipUniquenessViolation"},
	{"CREATE ()-->()", "NoSingleRelationshipType"},
	{"CREATE ()-[:A|B]->()", "NoSingleRelationshipType"},
	{"MERGE (a)-[:A|B]->(b)", "NoSingleRelationshipType"},
	{"CREATE (a)-[:A]-(b)", "RequiresDirectedRelationship"},
	{"CREATE (a)<-[:A]->(b)", "RequiresDirectedRelationship"},
	{"CREATE (a)-[:A*2]->(b)", "CreatingVarLength"},
	{"MERGE (a)-[:A*2]->(b)", "CreatingVarLength"},
	{"MATCH (n $p) RETURN n", "InvalidParameterUse"},
	{"MATCH ()-[r $p]->() RETURN r", "InvalidParameterUse"},
	{"MERGE (n $p)", "InvalidParameterUse"},
	{"RETURN 1 AS a, 2 AS a", "ColumnNameConflict"},
	{"WITH 1 AS a RETURN *, 2 AS a", "ColumnNameConflict"},
	{"MATCH (a) WITH a.x RETURN 1", "NoExpressionAlias"},
	{"MATCH () RETURN *", "NoVariablesInScope"},
	{"MATCH (a) RETURN a.x + count(*)", "AmbiguousAggregationExpression"},
	{"MATCH (a) RETURN a.x + a.y, a.x + a.y + count(*)", "AmbiguousAggregationExpression"},
	{"MATCH (a) WHERE count(a) > 1 RETURN a", "InvalidAggregation"},
	{"MATCH (a) RETURN a.x ORDER BY max(a.y)", "InvalidAggregation"},
	{"RETURN [x IN [1] | count(*)]", "InvalidAggregation"},
	{"MATCH (a) SET a.x = count(*)", "InvalidAggregation"},
	{"RETURN sum(count(*))", "NestedAggregation"},
	{"RETURN count(rand())", "NonConstantExpression"},
	{"MATCH (n) RETURN n LIMIT n.x", "NonConstantExpression"},
	{"MATCH (n) RETURN n SKIP -1", "NegativeIntegerArgument"},
	{"MATCH (n) RETURN n LIMIT 1.5", "InvalidArgumentType"},
	{"MATCH (n) WHERE n RETURN n", "InvalidArgumentType"},
	{"RETURN NOT 1", "InvalidArgumentType"},
	{"RETURN 1 AND true", "InvalidArgumentType"},
	{"RETURN 1 IN 2", "InvalidArgumentType"},
	{"MATCH (n) RETURN type(n)", "InvalidArgumentType"},
	{"MATCH (n) RETURN length(n)", "InvalidArgumentType"},
	{"MATCH p = ()-->() RETURN labels(p)", "InvalidArgumentType"},
	{"MATCH p = ()-->() RETURN size(p)", "InvalidArgumentType"},
	{"RETURN all(x IN ['a'] WHERE x % 2 = 0)", "InvalidArgumentType"},
	{"DELETE 1 + 1", "InvalidArgumentType"},
	{"MATCH p = ()-->() SET p.x = 1", "InvalidArgumentType"},
	{"CALL test.my.proc('a')", "InvalidArgumentType"},
	{"MATCH (n) SET n.x = {a: 1}", "InvalidPropertyType"},
	{"CREATE (n {x: [{a: 1}, null]})", "InvalidPropertyType"},
	{"MATCH (n) CREATE ({x: [[1]]}), ({y: n})", "InvalidPropertyType"},
	{"MATCH (n) DELETE n:Person", "InvalidDelete"},
	{"MATCH (n) RETURN (n)-->()", "UnexpectedSyntax"},
	{"MATCH (n) RETURN size((n)-->())", "UnexpectedSyntax"},
	{"CALL test.my.proc(1) YIELD * RETURN out", "UnexpectedSyntax"},
	{"RETURN foo(1)", "UnknownFunction"},
	{"RETURN abs(1, 2)", "InvalidNumberOfArguments"},
	{"CALL test.my.proc()", "InvalidNumberOfArguments"},
	{"CALL test.my.proc(1, 2) YIELD out RETURN out", "InvalidNumberOfArguments"},
	{"CALL test.my.proc YIELD out RETURN out", "InvalidArgumentPassingMode"},
	{"CALL test.other()", "ProcedureNotFound"},
	{"RETURN 1 AS a UNION RETURN 2 AS b", "DifferentColumnsInUnion"},
	{"RETURN 1 AS a UNION RETURN 2 AS a UNION ALL RETURN 3 AS a", "InvalidClauseComposition"},
	{"MATCH (n) WHERE EXISTS { MATCH (n) SET n.x = 1 } RETURN n", "InvalidClauseComposition"},
	{"RETURN 1 AS a MATCH (n) RETURN n", "InvalidClauseComposition"},
	{"CREATE (a) MATCH (b) RETURN b", "InvalidClauseComposition"},
	{"MATCH (n)", "InvalidClauseComposition"},
	{"WITH 1 AS x", "InvalidClauseComposition"},
	{"CALL { MATCH (n) } RETURN 1", "InvalidClauseComposition"},
	{"FOREACH (x IN [1] | MATCH (n) SET n.x = 1)", "InvalidClauseComposition"},
}

func TestFaults(t *testing.T) {
	for _, test := range faulty {
		err := compile(test.text, check.Registry(procedures))
		var f *fault.Error
		if !errors.As(err, &f) {
			t.Errorf("%s: error is %v", test.text, err)
			continue
		}
		if f.Detail != test.detail || f.Text != test.text || f.At.Line == 0 {
			t.Errorf("%s\n%s: %v\nwanted %s", test.text, f.Detail, f, test.detail)
		}
	}
}

func TestSound(t *testing.T) {
	for _, text := range []string{
		"MATCH (n) RETURN n",
		"MATCH (n), (m {x: n.x})-->(n) RETURN *",
		"MATCH (a) WITH a.name AS name WHERE a.age > 1 RETURN name ORDER BY name",
		"MATCH (a) WITH DISTINCT a.name AS name WHERE a.name = 'B' RETURN *",
		"MATCH (a) RETURN a.x AS x, count(*) ORDER BY a.x, x, count(*) DESC",
		"MATCH (a) RETURN a, a.x + count(*), [y IN collect(a.y) WHERE y > 1 | y]",
		"MATCH (a) RETURN a.x, a.x + count(*) + $p + 1",
		"MATCH (a) WITH *, a.x + count(*) AS c RETURN c",
		"WITH null AS n OPTIONAL MATCH (n)-->() RETURN n.x, n:A",
		"MATCH (a)-[r1]->()-[r2]->(b) WITH [r1, r2] AS rs, a, b MATCH (a)-[rs*]->(b) RETURN rs",
		"MATCH (a) CREATE (a)-[:T]->(b {x: a.x}), (b)-[:T]->(a)",
		"MATCH (a), (b) MERGE (a)-[r:T]-(b) ON CREATE SET r.x = 1 ON MATCH SET r += {y: 2}",
		"MATCH (n) WHERE NOT (n)-->() OR exists((n)<--()) RETURN CASE WHEN (n)--() THEN 1 ELSE 'a' END",
		"MATCH (n) WHERE EXISTS { MATCH (n)-->(m) WITH m WHERE m.x = n.x RETURN m } RETURN COUNT { (n)-->(k) }",
		"MATCH (n) CALL { WITH n MATCH (n)-->(m) RETURN count(m) AS c UNION RETURN 0 AS c } RETURN n, c",
		"MATCH (n) RETURN [(n)-->(m) WHERE m.x > 1 | m.x], reduce(s = 0, x IN [1, 2] | s + x)",
		"MATCH (n) FOREACH (x IN [1, 2] | CREATE (n)-[:T {x: x}]->(y) SET y.z = x)",
		"MATCH (n) CALL test.my.proc(n.x) YIELD out AS o WHERE o <> 'a' RETURN o",
		"CALL test.my.proc", "CALL test.my.proc(1) YIELD out", "CREATE () WITH * CREATE ()",
		"MATCH (n) RETURN n ORDER BY n.x SKIP toInteger(rand() * 9) LIMIT $l",
		"WITH date('2020-01-01') AS d RETURN d.year, [1, 'a'][0] % 2",
		"MATCH p = shortestPath((a)-[*]->(b)) RETURN length(p), collect(timestamp())",
		"MATCH (n) SET n.x = [1, 'a'], n.y = [], n.z = null, n.w = [null, n.x][0], n = {a: {b: 1}}",
		"MATCH (n) RETURN DISTINCT [x IN n.l WHERE x > 1 | x] ORDER BY [x IN n.l WHERE x > 1 | x]",
		"MATCH (n) WHERE EXISTS { MATCH (m) WITH n.x + count(*) AS c WHERE c > n.x RETURN c } RETURN n",
		"MATCH (n) RETURN n.x, n.x + reduce(s = 'a', x IN [1] | s + x) + COUNT { (n)-->(m) WHERE m.y > 1 } + count(*)",
		"CREATE INDEX FOR (n:L) ON (n.p)",
	} {
		if err := compile(text, check.Registry(procedures)); err != nil {
			t.Errorf("%s\n%v", text, err)
		}
	}
}
