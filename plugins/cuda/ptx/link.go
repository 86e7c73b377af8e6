// Package ptx puts two pieces of PTX text together: kernels that clang has compiled, and functions that they
// call but that are made when a program is known.
//
// The driver's compiler calls a function as it stands, which an edge is too short for, and takes no text that both
// declares a function external and defines it. So the calls are replaced by the functions' bodies (call.go).
package ptx

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Link is module with the functions in it: in place of each call, and behind it as well. Functions are straight
// lines of 64-bit parameters and results, as package lower makes them, and name their registers unlike clang. It
// fails if module declares an external function that is not among them.
func Link(module, functions string) (string, error) {
	known, err := parse(functions)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.Grow(len(module) + len(functions))
	for {
		before, declared, found := strings.Cut(module, external)
		inline(&b, before, known)
		if !found {
			break
		}
		if name := declaredName(declared); known[name] == nil {
			return "", fmt.Errorf("the kernels call %s, but there are only %v", name, slices.Sorted(maps.Keys(known)))
		}
		b.WriteString(".func")
		module = declared
	}
	b.WriteString(functions)
	return b.String(), nil
}

// external begins a declaration: of a result in parentheses, if there is one, and a name.
const external = ".extern .func"

func declaredName(declaration string) string {
	declaration = strings.TrimSpace(declaration)
	if strings.HasPrefix(declaration, "(") {
		_, declaration, _ = strings.Cut(declaration, ")")
	}
	name, _, _ := strings.Cut(strings.TrimSpace(declaration), "\n")
	return name
}
