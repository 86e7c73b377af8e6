//go:build !race

package confine

// instrumented is how many times the memory a program takes for how it was built.
const instrumented = 1
