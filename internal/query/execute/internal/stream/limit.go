package stream

import (
	"errors"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// enough ends the walk of one operator. Each has its own, so that an inner one does not end an
// outer walk.
type enough struct{ _ byte }

func (*enough) Error() string { return "enough rows" }

// Count gives the number of rows of a SKIP or LIMIT.
type Count func() (int64, error)

// CountOf is the number that an expression of a clause gives.
func CountOf(clause string, number expression.Evaluator) Count {
	return func() (int64, error) {
		v, err := number()
		if err != nil {
			return 0, err
		}
		if v.Kind() != value.Int {
			return 0, fault.Met(fault.SyntaxError, "InvalidArgumentType", "%s takes an Integer, not the %s %s", clause, v.Kind(),
				v.Text())
		}
		if v.Int() < 0 {
			return 0, fault.Met(fault.SyntaxError, "NegativeIntegerArgument", "%s takes an Integer of 0 or more, not %d", clause,
				v.Int())
		}
		return v.Int(), nil
	}
}

// Sum is the sum of two counts, or limit alone where no integer is as large.
func Sum(limit, skip Count) Count {
	return func() (int64, error) {
		n, err := limit()
		if err != nil {
			return 0, err
		}
		m, err := skip()
		return max(n, n+m), err
	}
}

// Limit emits the first rows. If it exhausts its input it runs that to its end all the same.
func Limit(f *frame.Frame, input frame.Input, most Count, exhaust bool, next frame.Emit) frame.Emit {
	done := new(enough)
	var left int64
	run := input(func() error {
		if left == 0 {
			return f.Tick()
		}
		left--
		if err := next(); err != nil {
			return err
		}
		if left == 0 && !exhaust {
			return done
		}
		return nil
	})
	return func() (err error) {
		if left, err = most(); err != nil || left == 0 && !exhaust {
			return err
		}
		if err = run(); errors.Is(err, done) {
			return nil
		}
		return err
	}
}

// Skip leaves out the first rows.
func Skip(f *frame.Frame, input frame.Input, number Count, next frame.Emit) frame.Emit {
	var left int64
	run := input(func() error {
		if left > 0 {
			left--
			return f.Tick()
		}
		return next()
	})
	return func() (err error) {
		if left, err = number(); err != nil {
			return err
		}
		return run()
	}
}
