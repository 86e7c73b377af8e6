package check

import (
	"github.com/penstock-db/penstock/internal/query/function"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// Registry is the catalog of the functions that are registered, and of some procedures.
func Registry(procedures *procedure.Procedures) Catalog { return registry{procedures} }

type registry struct{ procedures *procedure.Procedures }

func (r registry) Function(name string) (Function, bool) {
	if p, ok := r.procedures.Gathers(name); ok {
		return Function{Min: p.Gathered.Min, Max: p.Gathered.Max, Aggregate: true}, true
	}
	if f, ok := r.procedures.Function(name); ok {
		arity := f.Arity()
		return Function{Min: arity.Min, Max: arity.Max}, true
	}
	f, ok := function.Lookup(name)
	if !ok {
		return Function{}, false
	}
	takes := make([]Kinds, len(f.Takes))
	for i, kinds := range f.Takes {
		takes[i] = Kinds(kinds)
	}
	return Function{Min: f.Min, Max: f.Max, Takes: takes, Aggregate: f.Aggregate, Volatile: f.Volatile}, true
}

func (r registry) Functions() []string {
	names := function.Names()
	for _, f := range r.procedures.Functions() {
		names = append(names, f.Name)
	}
	return names
}

func (r registry) Procedure(name string) (Procedure, bool) {
	p, ok := r.procedures.Lookup(name)
	if !ok {
		return Procedure{}, false
	}
	return Procedure{Arguments: fields(p.Arguments), Columns: fields(p.Columns)}, true
}

func fields(all []procedure.Field) []Field {
	fields := make([]Field, len(all))
	for i, f := range all {
		fields[i] = Field{Name: f.Name, Type: f.Type, Optional: f.Default != nil}
	}
	return fields
}

func (r registry) Procedures() []string {
	var names []string
	for _, p := range r.procedures.All() {
		names = append(names, p.Name)
	}
	return names
}
