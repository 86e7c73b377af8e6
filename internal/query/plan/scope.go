package plan

import (
	"maps"
	"slices"
)

// scope is the variables that an expression can name, and their slots.
type scope map[string]int

// with is the scope with one more variable.
func (s scope) with(name string, slot int) scope {
	if name == "" {
		return s
	}
	wider := maps.Clone(s)
	if wider == nil {
		wider = scope{}
	}
	wider[name] = slot
	return wider
}

// name adds a variable, if it has a name.
func (s scope) name(variable string, slot int) {
	if variable != "" {
		s[variable] = slot
	}
}

// over is the variables of both; s has the word.
func (s scope) over(other scope) scope {
	both := maps.Clone(other)
	if both == nil {
		both = scope{}
	}
	maps.Copy(both, s)
	return both
}

// names are the variables in order.
func (s scope) names() []string { return slices.Sorted(maps.Keys(s)) }

// slots are those of all variables, each once.
func (s scope) slots() []int {
	all := slices.Sorted(maps.Values(s))
	return slices.Compact(all)
}
