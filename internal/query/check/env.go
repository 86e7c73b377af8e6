package check

// env is where an expression stands.
type env struct {
	bindings
	aggregates aggregates
	condition  bool // it decides about something: a pattern may stand here
}

// aggregates says what is with aggregate functions at a place.
type aggregates uint8

const (
	refused aggregates = iota
	welcome            // in a column of a projection
	nested             // within another one
)

// value is the place of an operand.
func (e env) value() env {
	e.condition = false
	return e
}

// local is a place that sees a variable of its own, and goes through values one by one.
func (e env) local(name string, t Type) env {
	e.scope = below(e.scope)
	e.set(name, t)
	if e.aggregates == welcome {
		e.aggregates = refused
	}
	return e.value()
}

// deciding is the place of a condition.
func (e env) deciding() env {
	e.condition = true
	return e
}
