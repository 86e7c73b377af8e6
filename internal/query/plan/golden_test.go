package plan_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/parse"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

var update = flag.Bool("update", false, "write the golden plans of testdata anew")

// TestGoldenPlans plans the statements of testdata/CATALOG*.txt over the catalog of that name and
// compares the plans with those below the statements. A file is blocks, each separated by an empty
// line:
//
//	# why the plan looks as it does
//	plan
//	MATCH (n) RETURN n
//	----
//	the plan as EXPLAIN shows it
//
// After "plan slots" each operator's fields are shown besides: slots, directions, trails.
func TestGoldenPlans(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden plans: ", err)
	}
	for _, file := range files {
		name, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txt"), "_")
		t.Run(filepath.Base(file), func(t *testing.T) { compareGolden(t, file, catalogs[name]) })
	}
}

func compareGolden(t *testing.T, file string, graph *catalog) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if graph == nil {
		t.Fatalf("%s begins with the name of no catalog", file)
	}
	blocks := strings.Split(strings.TrimRight(string(text), "\n"), "\n\n")
	for i, block := range blocks {
		head, want, _ := strings.Cut(block, "\n----")
		want = strings.TrimPrefix(want, "\n")
		directive, statement := statementOf(head)
		if statement == "" {
			continue // a comment
		}
		got := planned(statement, graph, strings.Contains(directive, "slots"))
		if got != want && !*update {
			t.Errorf("%s\ngot\n%s\nwant\n%s", statement, got, want)
		}
		blocks[i] = head + "\n----\n" + got
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(blocks, "\n\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// statementOf splits the head of a block into the directive and the statement.
func statementOf(head string) (directive, statement string) {
	lines := strings.Split(head, "\n")
	for len(lines) > 0 && strings.HasPrefix(lines[0], "#") {
		lines = lines[1:]
	}
	if len(lines) == 0 {
		return "", ""
	}
	return lines[0], strings.Join(lines[1:], "\n")
}

// planned is the plan of a statement, or why there is none.
func planned(statement string, graph *catalog, slots bool) string {
	stmt, err := parse.Statement(statement)
	if err != nil {
		return "parse: " + err.Error()
	}
	p, err := plan.New(stmt, graph, procedures)
	if err != nil {
		return "error: " + err.Error()
	}
	before := p.String()
	if p, err = plan.New(stmt, graph, procedures); err != nil || p.String() != before {
		return fmt.Sprintf("planned again it is another one: %v\n%s", err, before)
	}
	text := p.String()
	if slots {
		text = fmt.Sprintf("columns %s slots %d steps %d writes %t\n", p.Columns, p.Slots, p.Steps, p.Writes)
		text += p.Describe(func(op plan.Operator) string {
			return fmt.Sprintf("about %.4g rows%s", op.Rows(), fieldsOf(reflect.ValueOf(op).Elem()))
		})
	}
	if strings.Contains(text, "\x00") {
		return "error: the plan shows a name that is not in the statement"
	}
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	return strings.Join(lines, "\n")
}

// fieldsOf shows the fields of an operator, or of a part of one, that are not zero. Other operators are
// shown as lines of their own.
func fieldsOf(v reflect.Value) string {
	var b strings.Builder
	for i := range v.NumField() {
		f, field := v.Type().Field(i), v.Field(i)
		if !f.IsExported() || f.Type == reflect.TypeFor[plan.Step]() || f.Type == reflect.TypeFor[plan.Operator]() ||
			f.Type == reflect.TypeFor[[]plan.Operator]() ||
			f.Name == "Text" || f.Name == "Name" || f.Name == "Position" || field.IsZero() {
			continue
		}
		fmt.Fprintf(&b, " %s=%s", f.Name, shown(field))
	}
	return b.String()
}

func shown(v reflect.Value) string {
	if v.Type().Implements(reflect.TypeFor[ast.Expression]()) && !v.IsZero() {
		return expressionText(v.Interface().(ast.Expression))
	}
	switch v.Kind() {
	case reflect.Struct:
		return "{" + strings.TrimSpace(fieldsOf(v)) + "}"
	case reflect.Pointer:
		if v.Type() == reflect.TypeFor[*procedure.Procedure]() {
			return v.Interface().(*procedure.Procedure).Name
		}
		return shown(v.Elem())
	case reflect.Slice:
		all := make([]string, v.Len())
		for i := range all {
			all[i] = shown(v.Index(i))
		}
		return "[" + strings.Join(all, " ") + "]"
	}
	return fmt.Sprint(v.Interface())
}

// expressionText shows of an expression besides its text the slots in it, and the names that have none.
func expressionText(e ast.Expression) string {
	text := plan.Text(e)
	if nested, ok := e.(*plan.Nested); ok {
		text = fmt.Sprintf("%s use %d weight %d", nested.Root.Title(), nested.Use, nested.Weight)
	}
	var slots []string
	collectSlots(reflect.ValueOf(e), &slots)
	if len(slots) == 0 {
		return text
	}
	return text + "@" + strings.Join(slots, ",")
}

// collectSlots looks through the fields of an expression.
func collectSlots(v reflect.Value, slots *[]string) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsZero() || v.Type().Implements(reflect.TypeFor[plan.Operator]()) {
			return
		}
		switch e := v.Interface().(type) {
		case *plan.Slot:
			*slots = append(*slots, fmt.Sprint(e.Index))
			return
		case *ast.Variable:
			*slots = append(*slots, "?"+e.Name)
			return
		case *plan.Local:
			*slots = append(*slots, fmt.Sprint(e.Slots))
		case *plan.Nested:
			*slots = append(*slots, fmt.Sprintf("use%d/%d", e.Use, e.Weight))
			collectSlots(reflect.ValueOf(&e.Result).Elem(), slots)
			return
		}
		collectSlots(v.Elem(), slots)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && v.Type() != reflect.TypeFor[value.Value]() {
				collectSlots(v.Field(i), slots)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			collectSlots(v.Index(i), slots)
		}
	}
}

var procedures = procedure.New(
	&procedure.Procedure{Name: "db.labels", Columns: []procedure.Field{{Name: "label", Type: "STRING"}}},
	&procedure.Procedure{Name: "pagerank", Arguments: []procedure.Field{
		{Name: "top", Type: "INTEGER"}, {Name: "damping", Type: "FLOAT", Default: defaultOf(value.OfFloat(0.85))}},
		Columns: []procedure.Field{{Name: "node", Type: "NODE"}, {Name: "rank", Type: "FLOAT"}}},
	&procedure.Procedure{Name: "relabel", Writes: true, Arguments: []procedure.Field{{Name: "to", Type: "STRING"}}},
)

func defaultOf(v value.Value) *value.Value { return &v }
