package aggregate

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/budget"
	"github.com/penstock-db/penstock/internal/query/fault"
	scalar "github.com/penstock-db/penstock/internal/query/function"
)

// counting is count().
type counting struct{ count int64 }

func (c *counting) add([]value.Value, *budget.Tally) error {
	c.count++
	return nil
}

func (c *counting) result() (value.Value, error) { return value.OfInt(c.count), nil }

// summable is an error where a value is neither a number nor a duration.
func summable(name string, v value.Value) error {
	if v.IsNumber() || v.Kind() == value.Duration {
		return nil
	}
	return fault.Met(fault.TypeError, "InvalidArgumentType", "%s() takes numbers or durations, not the %s %s", name,
		v.Kind(), v.Text())
}

// summing is sum().
type summing struct {
	sum  value.Value
	some bool
}

func (s *summing) add(arguments []value.Value, _ *budget.Tally) (err error) {
	v := arguments[0]
	if v.Kind() == value.Int && s.sum.Kind() == value.Int {
		s.some = true
		s.sum, err = scalar.Add(s.sum, v)
		return err
	}
	if err := summable("sum", v); err != nil {
		return err
	}
	if !s.some && v.Kind() == value.Duration {
		s.sum = value.OfDuration(value.Span{})
	}
	s.some = true
	s.sum, err = scalar.Add(s.sum, v)
	return err
}

func (s *summing) result() (value.Value, error) { return s.sum, nil }

// averaging is avg().
type averaging struct {
	mean  float64
	spans summing // of durations
	count int64
}

func (a *averaging) add(arguments []value.Value, t *budget.Tally) error {
	v := arguments[0]
	if err := summable("avg", v); err != nil {
		return err
	}
	a.count++
	if v.Kind() == value.Duration {
		return a.spans.add(arguments, t)
	}
	a.mean += (v.Number() - a.mean) / float64(a.count)
	return nil
}

func (a *averaging) result() (value.Value, error) {
	switch {
	case a.count == 0:
		return value.Value{}, nil
	case a.spans.some:
		return scalar.Divide(a.spans.sum, value.OfInt(a.count))
	}
	return value.OfFloat(a.mean), nil
}

// extreme is min() and max().
type extreme struct {
	sign int
	best value.Value
}

func (e *extreme) add(arguments []value.Value, t *budget.Tally) error {
	v := arguments[0]
	if !e.best.IsNull() && value.Order(v, e.best)*e.sign <= 0 {
		return nil
	}
	if more := v.Size() - e.best.Size(); more != 0 {
		if err := t.Add(more); err != nil {
			return err
		}
	}
	e.best = v
	return nil
}

func (e *extreme) result() (value.Value, error) { return e.best, nil }

// collecting is collect().
type collecting struct{ values []value.Value }

func (c *collecting) add(arguments []value.Value, t *budget.Tally) (err error) {
	v := arguments[0]
	if c.values, err = budget.Grown(t, c.values, 1); err != nil {
		return err
	}
	c.values = append(c.values, v)
	return t.Add(v.Size() - budget.ValueBytes)
}

func (c *collecting) result() (value.Value, error) { return value.OfList(c.values), nil }

// deviation is stDev() and stDevP(), by the sums of Welford (Note on a Method for Calculating
// Corrected Sums of Squares and Products, 1962).
type deviation struct {
	count, mean, squares float64
	sample               float64 // 1: of a sample, so one degree of freedom less
}

func (d *deviation) add(arguments []value.Value, _ *budget.Tally) error {
	v := arguments[0]
	if !v.IsNumber() {
		return fault.Met(fault.TypeError, "InvalidArgumentType", "stDev() takes numbers, not the %s %s", v.Kind(), v.Text())
	}
	d.count++
	delta := v.Number() - d.mean
	d.mean += delta / d.count
	d.squares += delta * (v.Number() - d.mean)
	return nil
}

func (d *deviation) result() (value.Value, error) {
	if d.count <= d.sample {
		return value.OfFloat(0), nil
	}
	return value.OfFloat(math.Sqrt(d.squares / (d.count - d.sample))), nil
}

// percentile is percentileCont() and percentileDisc().
type percentile struct {
	share  value.Value
	pick   func(sorted []value.Value, share float64) value.Value
	values []value.Value
}

func (p *percentile) add(arguments []value.Value, t *budget.Tally) (err error) {
	v := arguments[0]
	p.share = arguments[1]
	if !v.IsNumber() || !p.share.IsNumber() {
		return fault.Met(fault.TypeError, "InvalidArgumentType", "a percentile is of numbers, not of the %s %s", v.Kind(),
			v.Text())
	}
	if share := p.share.Number(); !(share >= 0 && share <= 1) {
		return fault.Met(fault.ArgumentError, "NumberOutOfRange", "a percentile is from 0.0 to 1.0, not %v", share)
	}
	if p.values, err = budget.Grown(t, p.values, 1); err == nil {
		p.values = append(p.values, v)
	}
	return err
}

func (p *percentile) result() (value.Value, error) {
	if len(p.values) == 0 {
		return value.Value{}, nil
	}
	slices.SortFunc(p.values, value.Order)
	return p.pick(p.values, p.share.Number()), nil
}

// continuous is between the two values next to the share.
func continuous(sorted []value.Value, share float64) value.Value {
	at := share * float64(len(sorted)-1)
	low, high := math.Floor(at), math.Ceil(at)
	from, to := sorted[int(low)].Number(), sorted[int(high)].Number()
	return value.OfFloat(from + (to-from)*(at-low))
}

// discrete is the first value that the share of all do not exceed.
func discrete(sorted []value.Value, share float64) value.Value {
	return sorted[max(0, int(math.Ceil(share*float64(len(sorted))))-1)]
}
