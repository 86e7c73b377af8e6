package extensions

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// ReadsProperties has a device run a program that reads vertex properties, and compares the result with the
// interpreter's.
func ReadsProperties(t *testing.T, r *rand.Rand, device plugins.Device) error {
	t.Helper()
	expr := func(source string) algorithms.Expr { return algorithms.Expr{Source: source} }
	p := &algorithms.Program{Name: "shares", Properties: oracletest.Numbers(),
		State:         []algorithms.State{{Name: "share", Type: algorithms.Float, Init: expr("place + 1.0"), Apply: expr("acc + self.place")}},
		Process:       expr("src.share * double(src.group - dst.group)"),
		Activity:      algorithms.Always,
		MaxIterations: 2, Exactly: true}
	g := drawn.DenseGraph(r, 80, 400)
	want, _, err := algorithms.RunProgram(g, p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := trial.RunProgram(t, r, device, g, p, drive.Modes[0])
	if err != nil {
		return err
	}
	return trial.Differs(g, got.Values, want, trial.Nearly)
}
