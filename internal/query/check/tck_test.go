package check_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/query/check"
	_ "github.com/penstock-db/penstock/internal/query/execute" // registers functions of nodes and aggregate ones
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/internal/feature"
	"github.com/penstock-db/penstock/internal/query/parse"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// TestTCK parses and checks the statements of openCypher's TCK: what has to be raised at compile
// time is, and nothing else. A fault "at any time" may be.
func TestTCK(t *testing.T) {
	scenarios := feature.All(t)
	raised := 0
	for _, s := range scenarios {
		kind, when, detail, faulty := s.Fault()
		known := check.Registry(proceduresOf(s))
		var got *fault.Error
		for _, text := range s.Queries() {
			if err := compile(text, known); err != nil && !errors.As(err, &got) {
				t.Fatalf("%s: error is %v", s.Name, err)
			}
		}
		compileTime := faulty && when == "compile time" && detail != "MissingParameter" // which needs the parameters
		anyTime := faulty && when == "any time"
		switch {
		case got == nil && !compileTime:
		case got == nil:
			t.Errorf("%s: %s %s is not raised", s.Name, kind, detail)
		case !compileTime && !anyTime:
			t.Errorf("%s: raised %s %s: %v", s.Name, got.Kind, got.Detail, got)
		case string(got.Kind) != kind || detail != "*" && got.Detail != detail:
			t.Errorf("%s: raised %s %s instead of %s %s: %v", s.Name, got.Kind, got.Detail, kind, detail, got)
		default:
			raised++
		}
	}
	t.Logf("%d scenarios, %d with faults at compile time", len(scenarios), raised)
}

func compile(text string, known check.Catalog) error {
	stmt, err := parse.Statement(text)
	if err != nil {
		return err
	}
	return check.Statement(stmt, known)
}

var signature = regexp.MustCompile(`there exists a procedure ([\w.]+)\((.*?)\) :: \((.*?)\)`)

// proceduresOf are those that a scenario says there are.
func proceduresOf(s feature.Scenario) *procedure.Procedures {
	var all []*procedure.Procedure
	for _, step := range s.Steps {
		if m := signature.FindStringSubmatch(step.Text); m != nil {
			all = append(all, &procedure.Procedure{Name: m[1], Arguments: fieldsOf(m[2]), Columns: fieldsOf(m[3])})
		}
	}
	return procedure.New(all...)
}

func fieldsOf(list string) []procedure.Field {
	var fields []procedure.Field
	for field := range strings.SplitSeq(list, ",") {
		if name, kind, ok := strings.Cut(field, "::"); ok {
			fields = append(fields, procedure.Field{Name: strings.TrimSpace(name), Type: strings.TrimSpace(kind)})
		}
	}
	return fields
}
