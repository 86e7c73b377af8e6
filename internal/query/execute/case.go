package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

// caseExpression is CASE. With a subject the first branch is taken that equals it, else the first
// that is true.
func (b *builder) caseExpression(e *ast.Case) evaluator {
	subject, when, then, otherwise := b.some(e.Subject), b.expressions(e.When), b.expressions(e.Then), b.some(e.Else)
	matches := func(_, v value.Value) bool { return isTrue(v) }
	if e.Subject != nil {
		matches = func(subject, v value.Value) bool {
			eq, known := value.Equal(subject, v)
			return eq && known
		}
	}
	return func() (value.Value, error) {
		v, err := subject()
		if err != nil {
			return v, err
		}
		for i, condition := range when {
			c, err := condition()
			if err != nil {
				return c, err
			}
			if matches(v, c) {
				return then[i]()
			}
		}
		return otherwise()
	}
}
