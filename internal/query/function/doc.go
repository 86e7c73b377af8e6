// Package function is what expressions compute: the operators, and the functions by name that
// need nothing but their arguments, the clock and chance.
//
//	f, ok := function.Lookup("toUpper")
//	v, err := f.Call(call, []value.Value{value.OfString("a")})
//
// Functions of nodes, relationships and paths, and aggregates, are registered by who can evaluate
// them: see Register. Errors are *fault.Error.
package function
