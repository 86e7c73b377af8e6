package kernels

import (
	"errors"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

const (
	// Block is the number of threads in every block.
	Block = 256
	// warp is the number of threads that go along in step.
	warp = 32
	// mostBlocks is the most of a launch: several times what the largest card runs at once, so that those which
	// have much to do are evened out. Threads go on to what lies a whole grid further.
	mostBlocks = 1 << 14
)

// grid is the number of blocks for so many things, of which a thread takes one at a time.
func grid(things uint64) int { return gridOf(things, mostBlocks) }

func gridOf(things, most uint64) int {
	return int(max(1, min(most, (things+Block-1)/Block)))
}

// launcher launches kernels by name.
type launcher struct {
	module  *driver.Module
	kernels map[string]driver.Function
}

// newLauncher takes the kernels of these names out of a module, and unloads it where one is missing.
func newLauncher(m *driver.Module, names []string) (launcher, error) {
	kernels, err := functions(m, names)
	if err != nil {
		return launcher{}, errors.Join(err, m.Unload())
	}
	return launcher{m, kernels}, nil
}

func (l launcher) launch(s driver.Stream, name string, blocks int, args ...uint64) error {
	return l.kernels[name].Launch(s, blocks, Block, 0, args...)
}

// Unload forgets the kernels; none of them runs any more.
func (l launcher) Unload() error { return l.module.Unload() }
