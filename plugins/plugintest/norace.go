//go:build !race

package plugintest

// graphs is how many random graphs each algorithm meets in each mode.
const graphs = 3
