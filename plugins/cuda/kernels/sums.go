package kernels

import "github.com/penstock-db/penstock/plugins/cuda/driver"

// Wave is sums.cu's: chunks of which no two have a row of one vertex.
type Wave struct {
	Chunks        uint64
	Chunk, Tiles  driver.Pointer
	Parts         uint64
	Part, Partial driver.Pointer
	Asides        uint64
	Aside         driver.Pointer
}

// SumParts is the most parts that the long rows of a chunk of so many edges are cut in, each of which takes
// PartBytes and PartialBytes.
func SumParts(edges uint64) uint64 { return pieces(edges) }

// SumAsides is the most rows of a chunk of so many edges that are for a warp each. They take AsideBytes.
func SumAsides(edges uint64) uint64 { return cuts(edges) }

const (
	PartBytes    = 16
	PartialBytes = 8
	AsideBytes   = 8
)

// Tiles is how many of a wave's tiles a chunk of so many rows has.
func Tiles(rows uint64) uint64 { return (rows + Block - 1) / Block }

// IsSum tells whether Sum does what Step does, chunk by chunk: doubles are added up, which take of an edge nothing or
// its weight.
func (t *Template) IsSum() bool { return t.join == "pull_join_float_sum" && t.form.name != processed }

// CutSums finds the long rows of a wave of so many tiles, before the first Sum.
func (k *Solve) CutSums(s driver.Stream, wave driver.Pointer, tiles uint64) error {
	return k.sums.launch(s, "sums_cut", gridOf(Block*tiles, mostBlocks), uint64(wave))
}

// Sum is Step for all chunks of a wave, of a template that IsSum; parts and asides are the most that there may be. It
// counts no edges.
func (k *Solve) Sum(s driver.Stream, st State, t *Template, wave driver.Pointer, tiles, parts, asides uint64) error {
	program, w, column := uint64(st.Program), uint64(wave), uint64(t.form.column)
	blocks := gridOf(Block*(tiles+parts)+warp*asides, mostBlocks)
	if err := k.sums.launch(s, "sums_"+t.form.name, blocks, program, w, column); err != nil || parts == 0 {
		return err
	}
	return k.sums.launch(s, "sums_join", grid(warp*parts), program, w)
}
