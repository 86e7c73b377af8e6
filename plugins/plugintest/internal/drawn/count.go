package drawn

import (
	"os"
	"strconv"
	"testing"
)

const graphsVariable = "PENSTOCK_TEST_GRAPHS"

// Graphs is how many random graphs each algorithm meets in each mode: 1, or as many as the environment says.
func Graphs(t testing.TB) int {
	t.Helper()
	text := os.Getenv(graphsVariable)
	if text == "" {
		return 1
	}
	count, err := strconv.Atoi(text)
	if err != nil || count < 1 {
		t.Fatalf("%s=%q; expected a number of graphs, at least 1", graphsVariable, text)
	}
	return count
}
