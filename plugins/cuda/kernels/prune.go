package kernels

import (
	"regexp"
	"slices"
)

// entry is a kernel in PTX that clang has written: its body ends at the first brace in a line's first column.
var entry = regexp.MustCompile(`(?ms)^(?:\t// \.globl\t\w+[^\n]*\n)?\.visible \.entry (\w+)\(.*?^\}\n`)

// prune leaves out the kernels that are not wanted: what the driver need not compile it has done at once.
func prune(text string, wanted []string) string {
	return entry.ReplaceAllStringFunc(text, func(kernel string) string {
		if slices.Contains(wanted, entry.FindStringSubmatch(kernel)[1]) {
			return kernel
		}
		return ""
	})
}
