package check

import (
	"maps"
	"slices"
)

// scope is the variables that can be named at a place, and what they may be. Those of the
// parent can be named, too.
type scope struct {
	parent *scope // nil: none
	outer  *scope // what can still be named after WITH, as it belongs to a statement around; nil: none
	vars   map[string]Type
}

// below is a scope for variables of its own, within s.
func below(s *scope) *scope {
	inner := &scope{parent: s, vars: map[string]Type{}}
	if s != nil {
		inner.outer = s.outer
	}
	return inner
}

// correlated is the scope of a subquery that can name all that is around it throughout.
func correlated(s *scope) *scope { return &scope{parent: s, outer: s, vars: map[string]Type{}} }

// after is the scope after WITH.
func (s *scope) after() *scope {
	return &scope{parent: s.outer, outer: s.outer, vars: map[string]Type{}}
}

func (s *scope) lookup(name string) (Type, bool) {
	for ; s != nil; s = s.parent {
		if t, ok := s.vars[name]; ok {
			return t, true
		}
	}
	return Type{}, false
}

// set makes a variable known; no name is no variable.
func (s *scope) set(name string, t Type) {
	if name != "" {
		s.vars[name] = t
	}
}

// names are all that can be named.
func (s *scope) names() []string {
	known := map[string]Type{}
	for ; s != nil; s = s.parent {
		maps.Copy(known, s.vars)
	}
	return slices.Sorted(maps.Keys(known))
}
