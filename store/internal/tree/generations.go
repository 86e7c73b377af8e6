package tree

import (
	"encoding/binary"
	"errors"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
)

// LastGeneration is the last generation that was given out; 0: none.
func LastGeneration(t Tree) (uint64, error) {
	payload, err := ReadSealed(t, layout.GenerationKey)
	switch {
	case errors.Is(err, layout.ErrMissing):
		return 0, nil
	case err == nil && len(payload) == 8:
		return binary.BigEndian.Uint64(payload), nil
	case err == nil:
		err = layout.ErrEmpty
	}
	return 0, &failure.DamagedError{Kind: "generation counter", Number: -1, Err: err}
}

func setGeneration(txn *badger.Txn, n uint64) error {
	return txn.Set(layout.GenerationKey, layout.Seal(layout.GenerationKey, binary.BigEndian.AppendUint64(nil, n)))
}

// NextGeneration gives out a number that was never given out before.
func (b *Badger) NextGeneration() (n uint64, err error) {
	err = b.Update(func(txn *badger.Txn) error {
		if n, err = LastGeneration(b.Tree(txn)); err != nil {
			return err
		}
		n++
		return setGeneration(txn, n)
	})
	return n, err
}

// SetGeneration makes n the last number that was given out.
func (b *Badger) SetGeneration(n uint64) error {
	return b.Update(func(txn *badger.Txn) error { return setGeneration(txn, n) })
}
