package manifest

import (
	"errors"
	"iter"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/layout"
)

// Stored is one value that a snapshot names: a chunk or a block of a column. Nobody ever
// changes it, and it has the same key in every copy of the database.
type Stored struct {
	Key []byte

	Kind   string // what to call it in an error
	Number uint32
	Check  func(value []byte) error
}

// Stored yields all values that the manifest names.
func (m *Manifest) Stored() iter.Seq[Stored] {
	return func(yield func(Stored) bool) {
		for _, list := range [][]ChunkInfo{m.Out, m.In, m.Both} {
			for _, info := range list {
				if !yield(info.stored()) {
					return
				}
			}
		}
		for _, c := range m.Columns() {
			for number := range uint32((c.Rows + BlockRows - 1) / BlockRows) {
				if !yield(c.stored(number)) {
					return
				}
			}
		}
	}
}

func (info ChunkInfo) stored() Stored {
	return Stored{Key: info.Piece().Key(info.Number), Kind: info.Direction.String() + "-chunk", Number: info.Number,
		Check: info.checkStored}
}

// checkStored checks every checksum of a chunk, wherever in memory it lies.
func (info ChunkInfo) checkStored(value []byte) error {
	c, err := chunk.OpenUnaligned(value)
	if err != nil {
		return err
	}
	defer c.Release()
	return errors.Join(info.Check(c.Meta()), c.Verify())
}

func (c NamedColumn) stored(number uint32) Stored {
	key := c.Piece().Key(number)
	return Stored{Key: key, Kind: c.Name + " column, block", Number: number, Check: func(value []byte) error {
		_, err := layout.Unseal(key, value)
		return err
	}}
}
