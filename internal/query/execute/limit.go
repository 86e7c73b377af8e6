package execute

import (
	"errors"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// enough ends the walk of one operator. Each has its own, so that an inner one does not end an
// outer walk.
type enough struct{ operator int }

func (*enough) Error() string { return "enough rows" }

// count compiles the number of SKIP and LIMIT.
func (b *builder) count(clause string, e ast.Expression) func() (int64, error) {
	number := b.expression(e)
	return func() (int64, error) {
		v, err := number()
		if err != nil {
			return 0, err
		}
		if v.Kind() != value.Int {
			return 0, fault.Met(fault.SyntaxError, "InvalidArgumentType", "%s takes an Integer, not the %s %s", clause, v.Kind(), v.Text())
		}
		if v.Int() < 0 {
			return 0, fault.Met(fault.SyntaxError, "NegativeIntegerArgument", "%s takes an Integer of 0 or more, not %d", clause, v.Int())
		}
		return v.Int(), nil
	}
}

func (b *builder) limit(o *plan.Limit, next emit) emit {
	most, done := b.count("LIMIT", o.Count), &enough{o.Number()}
	var left int64
	run := b.operator(o.Input, func() error {
		if left == 0 {
			return b.tick()
		}
		left--
		if err := next(); err != nil {
			return err
		}
		if left == 0 && !o.Exhaust {
			return done
		}
		return nil
	})
	return func() (err error) {
		if left, err = most(); err != nil || left == 0 && !o.Exhaust {
			return err
		}
		if err = run(); errors.Is(err, done) {
			return nil
		}
		return err
	}
}

func (b *builder) skip(o *plan.Skip, next emit) emit {
	number := b.count("SKIP", o.Count)
	var left int64
	run := b.operator(o.Input, func() error {
		if left > 0 {
			left--
			return b.tick()
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
