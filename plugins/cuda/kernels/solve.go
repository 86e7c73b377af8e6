package kernels

import (
	_ "embed"
	"sync"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

//go:embed solve.ptx
var solvePTX string

// Solve are the kernels of solve.cu on one card. Their names, parameters and what they do stand in
// solve_*.cuh; package solve launches them.
type Solve struct {
	module    *driver.Module
	lock      sync.Mutex
	functions map[string]driver.Function // by name, as they are first used
}

// LoadSolve loads them into the current context.
func LoadSolve() (*Solve, error) {
	module, err := driver.Load(solvePTX)
	if err != nil {
		return nil, err
	}
	return &Solve{module: module, functions: map[string]driver.Function{}}, nil
}

// Unload forgets them.
func (k *Solve) Unload() error { return k.module.Unload() }

// SolveBlock is how many threads a block of these kernels has.
const SolveBlock = 256

// Launch puts a kernel of so many blocks into the stream.
func (k *Solve) Launch(s driver.Stream, name string, blocks int, args ...uint64) error {
	f, err := k.function(name)
	if err != nil {
		return err
	}
	return f.Launch(s, blocks, SolveBlock, 0, args...)
}

func (k *Solve) function(name string) (driver.Function, error) {
	k.lock.Lock()
	defer k.lock.Unlock()
	f, known := k.functions[name]
	if known {
		return f, nil
	}
	f, err := k.module.Function(name)
	if err == nil {
		k.functions[name] = f
	}
	return f, err
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
