package expression

import (
	"github.com/penstock-db/penstock/formats/value"
)

// caseOf is CASE. With a subject the first branch is taken that equals it, else the first that is
// true.
func caseOf(subject Evaluator, when, then []Evaluator, otherwise Evaluator) Evaluator {
	matches := func(subject, v value.Value) bool {
		eq, known := value.Equal(subject, v)
		return eq && known
	}
	if subject == nil {
		subject, matches = always(value.Value{}), func(_, v value.Value) bool { return isTrue(v) }
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
