package tree

import (
	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/space"
)

// RelieveMerge sees to it that Badger has room to write its memtables and to merge them into its tables, before it
// deletes those that they replace. What is deleted is not written again. The ballast is enough for it unless much lies
// in the tables that are merged next.
func (b *Badger) RelieveMerge(dir string) error {
	merged := uint64(0)
	for _, l := range b.Levels() {
		if l.Level == 0 || l.IsBaseLevel {
			merged += uint64(l.Size)
		}
	}
	if space.Check(dir, space.OpenReserve+space.OwnMerges+merged) == nil {
		return nil
	}
	live, err := b.liveInTables()
	if err != nil {
		return err
	}
	return space.Relieve(dir, space.OpenReserve+min(merged, live))
}

// liveInTables is about what keys, and values that lie beside them, take.
func (b *Badger) liveInTables() (bytes uint64, err error) {
	err = b.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			bytes += uint64(it.Item().KeySize()) + tableEntry
			if _, elsewhere := PointerOf(it.Item()); !elsewhere {
				bytes += uint64(it.Item().ValueSize())
			}
		}
		return nil
	})
	return bytes, err
}

// tableEntry is what an entry of Badger's tables takes beside its key and value, at most.
const tableEntry = 32
