package kernels

import (
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// Resident is a chunk on the card, in the order of its number within the run.
type Resident struct {
	Number    uint32
	Direction chunk.Direction
	Interval  chunk.Interval // of the vertices that may have rows
	Chunk                    // what At points to, for the host to read
	At        driver.Pointer // of the Chunk on the card
}
