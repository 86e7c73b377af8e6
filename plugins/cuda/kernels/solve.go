package kernels

import (
	_ "embed"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

//go:embed solve.ptx
var solvePTX string

// Solve are the kernels of solve.cu on one card. Their parameters and what they do stand in solve_*.cuh; package
// solve launches them. Several goroutines may use them.
type Solve struct{ launcher }

// LoadSolve has the driver compile them for the card of the current context.
func LoadSolve() (*Solve, error) {
	module, err := driver.Load(solvePTX)
	if err != nil {
		return nil, err
	}
	l, err := newLauncher(module, kernelsOf(solvePTX))
	return &Solve{l}, err
}

// Launch puts the kernel solve_NAME of so many blocks into the stream.
func (k *Solve) Launch(s driver.Stream, name string, blocks int, args ...uint64) error {
	return k.launch(s, "solve_"+name, blocks, args...)
}

// Cover is solve_cover.cuh's.
type Cover struct {
	Chunks  uint64
	Chunk   driver.Pointer
	Bands   uint64
	Bases   driver.Pointer
	Firsts  driver.Pointer
	Members driver.Pointer
}

// Flood is solve_flood.cuh's.
type Flood struct {
	From, To   uint64
	Found      uint64
	Size       uint64
	Reached    uint64
	Edges      uint64
	Met        uint64
	Unexplored uint64
	Looked     uint64
	Levels     uint64
	Longs      uint64
	Value      uint64
	Step, Type uint64
	Weighs     uint64
}

// NearFar is solve_nearfar.cuh's.
type NearFar struct {
	Near    uint64
	Found   uint64
	Passed  uint64
	Least   uint64
	Width   float64
	Rounds  uint64
	Longs   uint64
	Looked  uint64
	Refused uint64
}

// Over tells whether nobody waits any more.
func (n *NearFar) Over() bool { return n.Near == 0 && n.Least == Nobody }

// Nobody is the least distance of nobody.
const Nobody = ^uint64(0)

// Forest is solve_forest.cuh's.
type Forest struct {
	Largest uint64
	Looked  uint64
	Longs   uint64
}

// LongRowsBytes is what rows take that are put off, of solve_tile.cuh.
const LongRowsBytes = 32 << 15
