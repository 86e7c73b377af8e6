package plugintest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// testMapped is for devices that read chunks in files: the catalog does so too, in the
// last of the modes.
func testMapped(t *testing.T, device plugins.Device) {
	if !describe(t, device).MapsFiles {
		t.Skip("the device does not map files")
	}
	t.Run("same bits", func(t *testing.T) { testMappedBits(t, device) })
	for name, spoil := range map[string]func(rig *rig, c *plugins.Command){
		"a file that there is not":   func(_ *rig, c *plugins.Command) { c.File += ".missing" },
		"a folder":                   func(_ *rig, c *plugins.Command) { c.File = filepath.Dir(c.File) },
		"beyond the end":             func(_ *rig, c *plugins.Command) { c.At.Length++ },
		"far beyond the end":         func(_ *rig, c *plugins.Command) { c.At.Offset += 1 << 40 },
		"a range that wraps around":  func(_ *rig, c *plugins.Command) { c.At.Length = -c.At.Offset + 8 },
		"nothing":                    func(_ *rig, c *plugins.Command) { c.At.Length = 0 },
		"a file that became shorter": func(rig *rig, c *plugins.Command) { rig.uploads.truncate(int64(c.At.End()) - 1) },
		"a file that was taken away": func(_ *rig, c *plugins.Command) { _ = os.Remove(c.File) },
	} {
		t.Run(name, func(t *testing.T) { testBadFile(t, device, spoil, plugins.KindInvalid) })
	}
	for name, spoil := range map[string]func(rig *rig, c *plugins.Command){
		"without its end": func(_ *rig, c *plugins.Command) { c.At.Length -= 64 },
		"without its beginning": func(_ *rig, c *plugins.Command) {
			c.At.Offset, c.At.Length = c.At.Offset+64,
				c.At.Length-64
		},
		"a byte beside it": func(_ *rig, c *plugins.Command) { c.At.Offset-- },
	} {
		t.Run(name, func(t *testing.T) { testBadFile(t, device, spoil, plugins.KindChunk) })
	}
}

// testMappedBits: chunks in a file give the same bits as in the arena.
func testMappedBits(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	g, seed := denseGraph(r, 1500, 40_000), r.Uint64()
	p := sample(t, r, device, g, 3)
	var results []outcome
	for _, mapped := range []bool{false, true} {
		m := modes[len(modes)-1]
		m.mapped = mapped
		o, err := runProgram(t, rand.New(rand.NewPCG(seed, 1)), device, g, p, m)
		if err != nil {
			t.Fatalf("mapped %v: %v", mapped, err)
		}
		results = append(results, o)
	}
	if err := differs(g, results[1].values, results[0].values, sameBits); err != nil {
		t.Error(err)
	}
}

// testBadFile spoils an Upload, which then fails by this kind; the device lives on.
func testBadFile(t *testing.T, device plugins.Device, spoil func(*rig, *plugins.Command), kind plugins.Kind) {
	r := testseed.Rand(t)
	g := denseGraph(r, 80, 400)
	rig, err := newRig(t, r, device, g, programWork(t, g, sample(t, r, device, g, 3)), modes[len(modes)-1])
	if err != nil {
		t.Fatal(err)
	}
	rig.begin(t.Context())
	command := rig.upload(0)
	spoil(rig, &command)
	_, err = rig.talk.exchange(command)
	rig.talk.refused(err, kind, command, false)
	describe(t, device)
}
