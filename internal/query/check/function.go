package check

import (
	"strings"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// function checks a call: that there is the function, how many arguments it has, and what they are.
func (at env) function(e *ast.Call) Type {
	f, ok := at.known.Function(e.Function)
	if !ok {
		at.syntax("UnknownFunction", e.Position, "there is no function %s%s", e.Function,
			didYouMean(e.Function, at.known.Functions()))
		return anything
	}
	at.counted(e.Function, len(e.Arguments), f.Min, f.Max, e.Position)
	switch {
	case f.Aggregate:
		at = at.aggregate(e.Position, e.Function)
	case f.Volatile && at.aggregates == nested:
		at.syntax("NonConstantExpression", e.Position, "%s gives another value each time: it cannot be aggregated",
			e.Function)
	}
	for i, argument := range e.Arguments {
		at.argument(e, f, i, at.argumentEnv(e).expression(argument))
	}
	return anything
}

// argumentEnv lets a pattern be the argument of exists().
func (at env) argumentEnv(e *ast.Call) env {
	if strings.EqualFold(e.Function, "exists") {
		return at.deciding()
	}
	return at.value()
}

// counted checks the number of arguments.
func (c *checker) counted(name string, n, least, most int, at ast.Position) {
	switch {
	case n < least:
		c.syntax("InvalidNumberOfArguments", at, "%s takes at least %d arguments, there are %d", name, least, n)
	case most >= 0 && n > most:
		c.syntax("InvalidNumberOfArguments", at, "%s takes at most %d arguments, there are %d", name, most, n)
	}
}

// argument checks the type of one, where that is a list, a map or part of the graph: what is wrong
// with others is found while the statement runs, as the TCK wants it.
func (c *checker) argument(e *ast.Call, f Function, i int, t Type) {
	if len(f.Takes) == 0 {
		return
	}
	takes := f.Takes[min(i, len(f.Takes)-1)]
	if takes&structure != 0 && !t.may(takes) {
		c.syntax("InvalidArgumentType", e.Arguments[i].At(), "%s takes a %s, this is a %s", e.Function, takes, t.kinds)
	}
}

// aggregate checks that an aggregate function can be at a place; it is the place of its arguments.
func (at env) aggregate(position ast.Position, function string) env {
	switch at.aggregates {
	case refused:
		at.syntax("InvalidAggregation", position, "%s is of many rows: it can only be in WITH and RETURN", function)
	case nested:
		at.syntax(
			"NestedAggregation", position, "%s is of many rows: it cannot be inside another such function; use WITH between them", function)
	}
	at.aggregates = nested
	return at
}
