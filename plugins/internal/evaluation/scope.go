package evaluation

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Scope is what the names of an expression mean, and where inputs find their values.
type Scope struct {
	vector.Scope
	sources map[string]Source
}

// NewScope knows n. The program's constants stand in the checked expressions themselves.
func NewScope(n int) Scope {
	return Scope{
		Scope:   vector.NewScope(n),
		sources: map[string]Source{},
	}
}

// Add makes name an input.
func (s Scope) Add(name string, t algorithms.Type, from Source) {
	s.Inputs[name] = t
	s.sources[name] = from
}

// AddUniform makes name an input that has one value for all vertices.
func (s Scope) AddUniform(name string, from Source) {
	s.Add(name, algorithms.Float, from)
	s.Uniform[name] = true
}

// AddColumns makes the vertex columns inputs, as PREFIXname.
func (s Scope) AddColumns(prefix string, list []algorithms.Column, found vector.Columns) {
	for _, c := range list {
		s.Add(prefix+c.Name, c.Type, whole(found[c.Name]))
	}
}
