package ptx

import (
	"fmt"
	"regexp"
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
	load       = regexp.MustCompile(`^\tld\.param\.b64 (\S+), \[(\w+)\];$`)
	give       = regexp.MustCompile(`^\tst\.param\.b64 \[result\], (\S+);$`)
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

// body is the function in a scope of its own, where parameters are registers of the caller, and so is the
// result, unless it is "": nobody wants it.
func (f *function) body(arguments map[string]string, result string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\t{ // %s\n", f.name)
	for _, line := range f.lines {
		if l := load.FindStringSubmatch(line); l != nil && arguments[l[2]] != "" {
			line = fmt.Sprintf("\tmov.b64 %s, %s;", l[1], arguments[l[2]])
		}
		if g := give.FindStringSubmatch(line); g != nil && result != "" {
			line = fmt.Sprintf("\tmov.b64 %s, %s;", result, g[1])
		} else if g != nil {
			continue
		}
		if line != "\tret;" {
			b.WriteString(line + "\n")
		}
	}
	b.WriteString("\t}\n")
	return b.String()
}
