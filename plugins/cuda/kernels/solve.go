package kernels

import (
	"errors"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// Solve are the kernels of solve.cu and sums.cu on one card. What those of solve.cu take and do stands in solve_*.cuh;
// package solve launches them. Several goroutines may use them.
type Solve struct{ solve, sums launcher }

// LoadSolve has the driver compile them for the card of the current context.
func LoadSolve() (*Solve, error) {
	solve, err := loadAll("solve")
	if err != nil {
		return nil, err
	}
	sums, err := loadAll("sums")
	if err != nil {
		return nil, errors.Join(err, solve.Unload())
	}
	return &Solve{solve, sums}, nil
}

// loadAll loads all kernels of a module.
func loadAll(module string) (launcher, error) {
	text, err := image(module)
	if err != nil {
		return launcher{}, err
	}
	m, err := driver.Load(text)
	if err != nil {
		return launcher{}, err
	}
	return newLauncher(m, kernelsOf(text))
}

// Unload forgets the kernels; none of them runs any more.
func (k *Solve) Unload() error { return errors.Join(k.solve.Unload(), k.sums.Unload()) }

// Launch puts the kernel solve_NAME of so many blocks into the stream.
func (k *Solve) Launch(s driver.Stream, name string, blocks int, args ...uint64) error {
	return k.solve.launch(s, "solve_"+name, blocks, args...)
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
func LongRowsBytes(vertices uint64) uint64 { return 32 * (64 + vertices/8) }
