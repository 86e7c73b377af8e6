package extensions

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// Mapped is for devices that read chunks in files: the catalog does so too, in the
// last of the modes.
func Mapped(t *testing.T, device plugins.Device) {
	if !drive.Describe(t, device).MapsFiles {
		t.Skip("the device does not map files")
	}
	t.Run("same bits", func(t *testing.T) { testMappedBits(t, device) })
	for name, spoil := range map[string]func(rig *drive.Rig, c *plugins.Command){
		"a file that there is not":   func(_ *drive.Rig, c *plugins.Command) { c.File += ".missing" },
		"a folder":                   func(_ *drive.Rig, c *plugins.Command) { c.File = filepath.Dir(c.File) },
		"beyond the end":             func(_ *drive.Rig, c *plugins.Command) { c.At.Length++ },
		"far beyond the end":         func(_ *drive.Rig, c *plugins.Command) { c.At.Offset += 1 << 40 },
		"a range that wraps around":  func(_ *drive.Rig, c *plugins.Command) { c.At.Length = -c.At.Offset + 8 },
		"nothing":                    func(_ *drive.Rig, c *plugins.Command) { c.At.Length = 0 },
		"a file that became shorter": func(rig *drive.Rig, c *plugins.Command) { rig.Uploads.Truncate(int64(c.At.End()) - 1) },
		"a file that was taken away": func(_ *drive.Rig, c *plugins.Command) { _ = os.Remove(c.File) },
	} {
		t.Run(name, func(t *testing.T) { testBadFile(t, device, spoil, plugins.KindInvalid) })
	}
	for name, spoil := range map[string]func(rig *drive.Rig, c *plugins.Command){
		"without its end": func(_ *drive.Rig, c *plugins.Command) { c.At.Length -= 64 },
		"without its beginning": func(_ *drive.Rig, c *plugins.Command) {
			c.At.Offset, c.At.Length = c.At.Offset+64,
				c.At.Length-64
		},
		"a byte beside it": func(_ *drive.Rig, c *plugins.Command) { c.At.Offset-- },
	} {
		t.Run(name, func(t *testing.T) { testBadFile(t, device, spoil, plugins.KindChunk) })
	}
}

// testMappedBits: chunks in a file give the same bits as in the arena.
func testMappedBits(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	g, seed := drawn.DenseGraph(r, 1500, 40_000), r.Uint64()
	p := trial.Sample(t, r, device, g, 3)
	var results []drive.Outcome
	for _, mapped := range []bool{false, true} {
		m := drive.Modes[len(drive.Modes)-1]
		m.Mapped = mapped
		o, err := trial.RunProgram(t, rand.New(rand.NewPCG(seed, 1)), device, g, p, m)
		if err != nil {
			t.Fatalf("mapped %v: %v", mapped, err)
		}
		results = append(results, o)
	}
	if err := trial.Differs(g, results[1].Values, results[0].Values, trial.SameBits); err != nil {
		t.Error(err)
	}
}

// testBadFile spoils an Upload, which then fails by this kind; the device lives on.
func testBadFile(t *testing.T, device plugins.Device, spoil func(*drive.Rig, *plugins.Command), kind plugins.Kind) {
	r := testseed.Rand(t)
	g := drawn.DenseGraph(r, 80, 400)
	work := drive.ProgramWork(t, g, trial.Sample(t, r, device, g, 3))
	rig, err := drive.Open(t, r, device, g, work, drive.Modes[len(drive.Modes)-1])
	if err != nil {
		t.Fatal(err)
	}
	rig.Begin(t.Context())
	command := rig.Upload(0)
	spoil(rig, &command)
	_, err = rig.Talk.Exchange(command)
	rig.Talk.Refused(err, kind, command, false)
	drive.Describe(t, device)
}
