// Package ptx puts two pieces of PTX text together: kernels that clang has compiled, and functions that they
// call but that are made when a program is known.
//
// The driver's compiler calls a function as it stands, which an edge is too short for, and takes no text that both
// declares a function external and defines it. So the calls are replaced by the functions' bodies. clang writes
// every call alike:
//
//	{ // callseq 2, 0
//	.reg .b32 temp_param_reg;
//	.param .b64 param0;
//	st.param.b64 	[param0+0], %rd3;
//	.param .b64 retval0;
//	call.uni (retval0),
//	f,
//	(
//	param0
//	);
//	ld.param.b64 	%rd9, [retval0+0];
//	} // callseq 2
package ptx

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
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
	for _, d := range declaration.FindAllStringSubmatch(module, -1) {
		if known[d[1]] == nil {
			return "", fmt.Errorf("the kernels call %s, but there are only %v", d[1], slices.Sorted(maps.Keys(known)))
		}
	}
	module = strings.ReplaceAll(module, ".extern .func", ".func")
	module = call.ReplaceAllStringFunc(module, func(text string) string { return inlined(text, known) })
	return module + functions, nil
}

var (
	declaration = regexp.MustCompile(`\.extern \.func\s+(?:\([^)]*\)\s*)?(\w+)`)
	call        = regexp.MustCompile(`(?s)\t\{ // callseq \d+, 0\n.*?\t\} // callseq \d+\n`)
	called      = regexp.MustCompile(`call\.uni\s+(?:\(retval0\),\s+)?(\w+),`)
	argument    = regexp.MustCompile(`st\.param\.b64\s+\[param(\d+)\+0\],\s+(\S+);`)
	result      = regexp.MustCompile(`ld\.param\.b64\s+(\S+),\s+\[retval0\+0\];`)
)

// inlined is a call as the body of what is called. A call that is written otherwise stays one.
func inlined(text string, known map[string]*function) string {
	name := called.FindStringSubmatch(text)
	if name == nil || known[name[1]] == nil {
		return text
	}
	f := known[name[1]]
	arguments := map[string]string{}
	for _, a := range argument.FindAllStringSubmatch(text, -1) {
		if i, err := strconv.Atoi(a[1]); err == nil && i < len(f.parameters) {
			arguments[f.parameters[i]] = a[2]
		}
	}
	if len(arguments) != len(f.parameters) {
		return text
	}
	to := ""
	if r := result.FindStringSubmatch(text); r != nil {
		to = r[1]
	}
	return f.body(arguments, to)
}
