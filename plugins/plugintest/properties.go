package plugintest

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/plugins"
)

// readsProperties has a device run a program that reads vertex properties, and compares the result with the
// interpreter's.
func readsProperties(t *testing.T, r *rand.Rand, device plugins.Device) error {
	t.Helper()
	expr := func(source string) algorithms.Expr { return algorithms.Expr{Source: source} }
	p := &algorithms.Program{Name: "shares", Properties: oracletest.Numbers(),
		State:         []algorithms.State{{Name: "share", Type: algorithms.Float, Init: expr("place + 1.0"), Apply: expr("acc + self.place")}},
		Process:       expr("src.share * double(src.group - dst.group)"),
		Activity:      algorithms.Always,
		MaxIterations: 2, Exactly: true}
	g := denseGraph(r, 80, 400)
	want, _, err := algorithms.RunProgram(g, p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := runProgram(t, r, device, g, p, modes[0])
	if err != nil {
		return err
	}
	return differs(g, got.values, want, nearly)
}
