package query

import (
	"context"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/check"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/function"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// gathering is a procedure that is a function of rows as well.
var gathering = &procedure.Procedure{
	Name: "test.draw", Description: "draws", Writes: true,
	Gather:   func(context.Context, procedure.Graph, func(int64) error) procedure.Gathering { return nil },
	Gathered: procedure.Arity{Min: 1, Max: 2, Text: "name :: STRING, other = 1 :: INTEGER"},
	Call:     func(context.Context, procedure.Graph, []value.Value, func([]value.Value) error) error { return nil },
}

func firsts(rows [][]value.Value) []string {
	var all []string
	for _, row := range rows {
		all = append(all, row[0].Str())
	}
	return all
}

// SHOW FUNCTIONS lists every function that a statement can call, and tells of each what it does; SHOW PROCEDURES every
// procedure.
func TestShow_ListsAllThatCanBeCalled(t *testing.T) {
	e := engine(t, gathering)
	known := check.Registry(e.procedures)
	functions := append(known.Functions(), "all", "any", "none", "reduce", "single", "test.draw")
	slices.Sort(functions)
	rows := e.on("g").rows(t, "SHOW FUNCTIONS")
	if got := firsts(rows); !slices.Equal(got, functions) {
		t.Errorf("SHOW FUNCTIONS lists %q, there are %q", got, functions)
	}
	for _, row := range rows {
		if len(row) != 3 || row[1].Str() == "" || row[2].Str() == "" {
			t.Errorf("no category or no description: %v", value.OfList(row).Text())
		}
	}
	rows = e.on("g").rows(t, "SHOW PROCEDURES")
	procedures := known.Procedures()
	slices.Sort(procedures)
	if got := firsts(rows); !slices.Equal(got, procedures) || len(got) < 8 {
		t.Errorf("SHOW PROCEDURES lists %q, there are %q", got, procedures)
	}
	for _, row := range rows {
		if len(row) != 4 || row[1].Str() == "" {
			t.Errorf("no description: %v", value.OfList(row).Text())
		}
	}
}

// What is asked for of the lists, and in which order.
func TestShow(t *testing.T) {
	run := engine(t, gathering).on("g")
	for statement, want := range map[string]string{
		"SHOW FUNCTION WHERE name = 'pi'": "[['pi', 'Trigonometric', 'the ratio of a circle\\'s circumference to its diameter']]",
		"SHOW FUNCTIONS YIELD signature, name AS n WHERE n = 'left'": "[['left(original :: STRING, length :: INTEGER) :: " +
			"STRING', 'left']]",
		"SHOW ALL FUNCTIONS EXECUTABLE YIELD name, aggregating WHERE aggregating RETURN count(*) AS n, min(name)": "[[11, 'avg']]",
		"SHOW BUILT IN FUNCTIONS YIELD name ORDER BY name DESC LIMIT 2": "[['vector.similarity.euclidean'], " +
			"['vector.similarity.cosine']]",
		"SHOW FUNCTIONS YIELD name ORDER BY name SKIP 1 LIMIT 3 WHERE name STARTS WITH 'al' RETURN name AS n": "[['all']]",
		"SHOW FUNCTIONS EXECUTABLE BY CURRENT USER YIELD * WHERE name = 'range' RETURN [a IN argumentDescription | a.name + coalesce(a.default, '')] AS a, returnDescription AS r, category": "[[['start', 'end', " +
			"'step1'], 'LIST<INTEGER>', 'List']]",
		"SHOW USER DEFINED FUNCTIONS":                                            "[]",
		"SHOW USER DEFINED FUNCTION YIELD name WHERE true RETURN count(name) AS": "",
		"SHOW USER DEFINED FUNCTIONS YIELD name WHERE true RETURN count(name)":   "[[0]]",
		"SHOW PROCEDURES YIELD name, mode WHERE mode = 'WRITE'":                  "[['test.draw', 'WRITE']]",
		"SHOW PROCEDURE YIELD name, returnDescription AS r WHERE name = 'db.labels' RETURN r[0].name, r[0].type": "[['label', " +
			"'STRING']]",
		"SHOW PROCEDURES EXECUTABLE WHERE name = 'db.ping'":                           "[['db.ping', 'whether somebody is there', 'READ', false]]",
		"CALL dbms.functions() YIELD name WHERE name STARTS WITH 'test.' RETURN name": "[['test.draw']]",
		"SHOW FUNCTIONS RETURN 1":                                          "",
		"SHOW FUNCTIONS YIELD nothing":                                     "",
		"SHOW BUILT IN PROCEDURES":                                         "",
		"SHOW FUNCTIONS EXECUTABLE BY ann":                                 "",
		"WITH 1 AS user, 2 AS function, 3 AS procedures RETURN user":       "[[1]]",
		"WITH 1 AS built, 2 AS defined, 3 AS executable RETURN built":      "[[1]]",
		"WITH 1 AS current, 2 AS functions, 3 AS procedure RETURN current": "[[1]]",
	} {
		result, err := run(t.Context(), statement, nil)
		if want == "" {
			if kindOf(err) != fault.SyntaxError {
				t.Errorf("%s: %v, and it should be refused", statement, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", statement, err)
			continue
		}
		var rows []value.Value
		for result.Next() {
			rows = append(rows, value.OfList(slices.Clone(result.Row())))
		}
		if err := result.Close(); err != nil {
			t.Errorf("%s: %v", statement, err)
		}
		if got := value.OfList(rows).Text(); got != want {
			t.Errorf("%s: %s, not %s", statement, got, want)
		}
	}
}

// Each column that SHOW can name has values of its type, and those without a value are what nothing has yet.
func TestShow_Columns(t *testing.T) {
	e := engine(t, gathering)
	kinds := map[string]value.Kind{"STRING": value.String, "BOOLEAN": value.Bool, "LIST": value.List, "MAP": value.Map}
	for _, of := range []ast.Listing{ast.FunctionListing, ast.ProcedureListing} {
		p, _ := e.procedures.Lookup(of.Procedure)
		for _, row := range e.on("g").rows(t, "CALL "+of.Procedure+"()") {
			for i, v := range row {
				column := p.Columns[i]
				if column.Name == "deprecatedBy" {
					continue
				}
				if v.Kind() != kinds[column.Type] {
					t.Errorf("%s: %s of %s is a %s, not a %s", of.Procedure, column.Name, row[0].Text(), v.Kind(), column.Type)
				}
			}
		}
	}
	if _, ok := function.Lookup("test.draw"); ok {
		t.Error("the test's procedure is registered as a function")
	}
}
