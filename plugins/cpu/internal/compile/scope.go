package compile

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// scope is what the names of an expression mean, and where inputs find their values.
type scope struct {
	vector.Scope
	sources map[string]source
}

// newScope knows n. The program's constants stand in the checked expressions themselves.
func newScope(n int) scope {
	return scope{
		Scope: vector.Scope{
			Inputs:    map[string]algorithms.Type{},
			Uniform:   map[string]bool{},
			Constants: map[string]vector.Scalar{"n": {Type: algorithms.Int, Int: int64(n)}},
		},
		sources: map[string]source{},
	}
}

// add makes name an input.
func (s scope) add(name string, t algorithms.Type, from source) {
	s.Inputs[name] = t
	s.sources[name] = from
}

// addUniform makes name an input that has one value for all vertices.
func (s scope) addUniform(name string, from source) {
	s.add(name, algorithms.Float, from)
	s.Uniform[name] = true
}

// addColumns makes the vertex columns inputs, as PREFIXname.
func (s scope) addColumns(prefix string, list []algorithms.Column, found vector.Columns) {
	for _, c := range list {
		s.add(prefix+c.Name, c.Type, whole(found[c.Name]))
	}
}
