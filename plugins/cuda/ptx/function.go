package ptx

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// function is a straight line of instructions.
type function struct {
	name       string
	parameters []string
	lines      []string
}

var (
	definition = regexp.MustCompile(`(?m)^\.func (?:\(\.param \.b64 \w+\) )?(\w+)\(([^)]*)\)\n\{\n((?:\t.*\n)*)\}\n`)
	parameter  = regexp.MustCompile(`\.param \.b64 (\w+)`)
)

// parse takes text apart into its functions, by their names.
func parse(text string) (map[string]*function, error) {
	known := map[string]*function{}
	rest := text
	for _, d := range definition.FindAllStringSubmatch(text, -1) {
		f := &function{name: d[1], lines: strings.Split(strings.TrimSuffix(d[3], "\n"), "\n")}
		for _, p := range parameter.FindAllStringSubmatch(d[2], -1) {
			f.parameters = append(f.parameters, p[1])
		}
		known[f.name] = f
		rest = strings.Replace(rest, d[0], "", 1)
	}
	if strings.TrimSpace(rest) != "" {
		return nil, fmt.Errorf("these are no straight functions: %.200s", strings.TrimSpace(rest))
	}
	return known, nil
}

// Lines of a function that are about its parameters and its result.
const load, give, leave = "\tld.param.b64 ", "\tst.param.b64 [result], ", "\tret;"

// write writes the function in a scope of its own, where parameters are registers of the caller, and so is the
// result, unless nobody wants it.
func (f *function) write(b *strings.Builder, c call) {
	fmt.Fprintf(b, "\t{ // %s\n", f.name)
	for _, line := range f.lines {
		if operands, ok := strings.CutPrefix(line, load); ok {
			to, name, _ := strings.Cut(strings.TrimSuffix(operands, "];"), ", [")
			if i := slices.Index(f.parameters, name); i >= 0 {
				line = fmt.Sprintf("\tmov.b64 %s, %s;", to, c.arguments[i])
			}
		}
		if from, ok := strings.CutPrefix(line, give); ok {
			if c.result == "" {
				continue
			}
			line = fmt.Sprintf("\tmov.b64 %s, %s", c.result, from)
		}
		if line != leave {
			b.WriteString(line + "\n")
		}
	}
	b.WriteString("\t}\n")
}
