// Package function is what expressions compute: the operators, and the functions by name that
// need nothing but their arguments, the clock and chance.
//
//	f, ok := function.Lookup("toUpper")
//	v, err := f.Call(call, []value.Value{value.OfString("a")})
//
// Functions of nodes, relationships and paths, and aggregates, are registered by the package that evaluates
// them: see Register. Errors are *fault.Error.
package function

import (
	"maps"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// Function is a function that expressions can name.
type Function struct {
	Name      string  // as documentation writes it: "date.truncate"
	Min, Max  int     // arguments; Max -1: any number
	Takes     []Kinds // what each argument may be, but for null; the last is of all that follow; none: anything
	Pure      bool    // the same arguments give the same value
	Volatile  bool    // chance: another value each time, also within a statement
	Aggregate bool    // of many rows; Call is nil
	// Call computes the function. It does not keep args.
	Call func(call *Call, args []value.Value) (value.Value, error)
}

var functions = map[string]*Function{} // by name in lower case

// Register adds functions, or puts them in the place of others with their names. It is for
// packages' init functions.
func Register(fs ...*Function) {
	for _, f := range fs {
		functions[strings.ToLower(f.Name)] = f
	}
}

// Lookup finds a function, whatever the case of its name.
func Lookup(name string) (*Function, bool) {
	f, ok := functions[strings.ToLower(name)]
	return f, ok
}

// Names of all functions, ascending.
func Names() []string {
	var names []string
	for f := range maps.Values(functions) {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
}

// body computes a value of arguments that are as many as the function takes.
type body func(call *Call, args []value.Value) (value.Value, error)

// total is a function of any values, also of nulls. Most -1 is any number of them.
func total(name string, least, most int, compute body) *Function {
	f := &Function{Name: name, Min: least, Max: most, Takes: takes(anything), Pure: true}
	f.Call = func(call *Call, args []value.Value) (value.Value, error) {
		if err := f.count(args); err != nil {
			return value.Value{}, err
		}
		return compute(call, args)
	}
	return f
}

// pure is a function of arguments of some kinds, of which there are least at least. It is null
// where an argument is.
func pure(name string, least int, takes []Kinds, compute body) *Function {
	f := &Function{Name: name, Min: least, Max: len(takes), Takes: takes, Pure: true}
	f.Call = func(call *Call, args []value.Value) (value.Value, error) {
		if err := f.count(args); err != nil || slices.ContainsFunc(args, value.Value.IsNull) {
			return value.Value{}, err
		}
		if err := f.check(args); err != nil {
			return value.Value{}, err
		}
		return compute(call, args)
	}
	return f
}

// impure is a function that may give another value each time.
func impure(name string, least int, takes []Kinds, compute body) *Function {
	f := pure(name, least, takes, compute)
	f.Pure = false
	return f
}

// chance is a function of nothing, that gives another value each time.
func chance(name string, compute body) *Function {
	f := impure(name, 0, nil, compute)
	f.Volatile = true
	return f
}

// alias is the same function by another name.
func alias(name string, f *Function) *Function {
	other := *f
	other.Name = name
	return &other
}

// count the arguments.
func (f *Function) count(args []value.Value) error {
	if len(args) < f.Min || len(args) > f.Max && f.Max >= 0 {
		return fault.New(fault.SyntaxError, "InvalidNumberOfArguments", ast.Position{}, "%s() does not take %d arguments",
			f.Name, len(args))
	}
	return nil
}

// check that arguments are of kinds that the function takes.
func (f *Function) check(args []value.Value) error {
	for i, arg := range args {
		if takes := f.Takes[min(i, len(f.Takes)-1)]; !takes.Has(arg.Kind()) {
			return f.refuse(arg, takes)
		}
	}
	return nil
}
