//go:build race

package confine

// instrumented is how many times the memory a program takes for how it was built: the race detector keeps track of
// every word.
const instrumented = 10
