package kernels

import (
	"slices"
	"strings"
)

// kernelMark begins a kernel in PTX that clang has written, and kernelEnd ends it: inside, braces are indented. The
// next kernel may follow at once, so the line break behind an end is no part of it.
const (
	kernelMark = "\n.visible .entry "
	kernelEnd  = "\n}"
)

// prune leaves out the kernels that are not wanted: what the driver need not compile it has done at once.
func prune(text string, wanted []string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, kernelMark)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		kernel, rest, _ := strings.Cut(after, kernelEnd)
		if name, _, _ := strings.Cut(kernel, "("); slices.Contains(wanted, name) {
			b.WriteString(kernelMark)
			b.WriteString(kernel)
			b.WriteString(kernelEnd)
		}
		text = rest
	}
}

// kernelsOf are the names of the kernels in text.
func kernelsOf(text string) (names []string) {
	for _, kernel := range strings.Split(text, kernelMark)[1:] {
		name, _, _ := strings.Cut(kernel, "(")
		names = append(names, name)
	}
	return names
}
