//go:build race

package plugintest

// graphs is fewer under the race detector, which takes ten times as long: it sees on the first
// graph what it would see on the others.
const graphs = 1
