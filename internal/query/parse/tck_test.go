package parse

import (
	"errors"
	"testing"

	"github.com/antlr4-go/antlr/v4"

	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/internal/feature"
)

// TestTCK parses every statement of openCypher's TCK. What the parser refuses has to be what the
// scenario expects; the rest of the errors is for package check.
func TestTCK(t *testing.T) {
	scenarios := feature.All(t)
	statements := 0
	for _, s := range scenarios {
		_, _, detail, faulty := s.Fault()
		for _, text := range s.Queries() {
			statements++
			_, err := Statement(text)
			var f *fault.Error
			switch {
			case err == nil:
				if tokens, _ := scan(text); tokens != nil {
					if _, refused, _ := parse(tokens, antlr.PredictionModeSLL); refused != nil {
						t.Errorf("%s: SLL does not do for\n%s", s.Name, text)
					}
				}
			case !errors.As(err, &f):
				t.Errorf("%s: error is %v", s.Name, err)
			case !faulty || f.Detail != detail:
				t.Errorf("%s: expected %q\n%s: %v", s.Name, detail, f.Detail, f)
			}
		}
	}
	t.Logf("%d statements of %d scenarios", statements, len(scenarios))
}
