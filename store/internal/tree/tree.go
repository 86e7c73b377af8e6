package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/lsm"
)

// Tree is the keys of a database and their values, as they are at one moment.
type Tree interface {
	// Read hands the value of key to use, which must not keep it and should be quick: Badger holds a file
	// lock meanwhile. It fails with errMissing when there is no such key.
	Read(key []byte, use func(value []byte) error) error
	// EachKey yields the keys that begin with prefix, in order, until yield fails. Each is valid until yield returns.
	EachKey(prefix []byte, yield func(key []byte) error) error
}

// badgerTree is the tree that a transaction of Badger's sees.
type badgerTree struct {
	txn *badger.Txn
	dir string // of Badger's files
}

// Tree is the tree that a transaction sees.
func (b *Badger) Tree(txn *badger.Txn) Tree { return badgerTree{txn, b.dir} }

// Read takes an empty value for an unreadable one: Badger reports that without an error, and nothing we store is empty.
// It is also unreadable when Badger has moved it between the look-ups of the key and of the value (see reclaim):
// then another look-up finds it.
func (t badgerTree) Read(key []byte, use func(value []byte) error) error {
	err := layout.ErrEmpty
	for try := 0; try < 3 && errors.Is(err, layout.ErrEmpty); try++ {
		err = t.readOnce(key, use)
	}
	return err
}

func (t badgerTree) readOnce(key []byte, use func(value []byte) error) error {
	item, err := t.txn.Get(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return layout.ErrMissing
	}
	if err != nil {
		return fmt.Errorf("it cannot be read: %w", err)
	}
	if p, ok := PointerOf(item); ok {
		err := lsm.CheckHead(t.dir, uint32(p.Log), p.Offset, p.Length, key)
		if errors.Is(err, fs.ErrNotExist) {
			return layout.ErrEmpty
		}
		if err != nil {
			return err
		}
	}
	return item.Value(func(value []byte) error {
		if len(value) == 0 {
			return layout.ErrEmpty
		}
		return use(value)
	})
}

func (t badgerTree) EachKey(prefix []byte, yield func(key []byte) error) error {
	it := t.txn.NewIterator(badger.IteratorOptions{Prefix: prefix})
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		if err := yield(it.Item().Key()); err != nil {
			return err
		}
	}
	return nil
}

// FileTree is the tree of files that are read without Badger.
type FileTree struct {
	*lsm.Files
	// Graphs are the manifests by the catalog, which are right where the files are damaged; nil: those of the files are.
	Graphs map[string][]byte
	// Lost is why commits may be missing that nothing else tells of; nil: none is.
	Lost error
}

func (t *FileTree) Read(key []byte, use func(value []byte) error) error {
	if t.Graphs != nil && key[0] == layout.GraphPrefix {
		manifest, ok := t.Graphs[string(key[1:])]
		if !ok {
			return layout.ErrMissing
		}
		return use(layout.Seal(key, manifest))
	}
	err := t.Get(key, func(value []byte) error {
		if len(value) == 0 {
			return layout.ErrEmpty
		}
		return use(value)
	})
	if errors.Is(err, lsm.ErrMissing) {
		return layout.ErrMissing
	}
	return err
}

// EachKey fails where keys of that prefix may have been lost: an answer that looks whole would be wrong.
func (t *FileTree) EachKey(prefix []byte, yield func(key []byte) error) error {
	if t.Graphs != nil && len(prefix) > 0 && prefix[0] == layout.GraphPrefix {
		for _, name := range slices.Sorted(maps.Keys(t.Graphs)) {
			if err := yield(layout.GraphKey(name)); err != nil {
				return err
			}
		}
		return nil
	}
	if t.Lost != nil {
		return t.Lost
	}
	if damage := t.MayLack(prefix); damage != nil {
		return damage
	}
	var err error
	t.Keys(prefix, func(key []byte) bool {
		err = yield(key)
		return err == nil
	})
	return err
}

// ReadSealed returns a copy of the payload under key.
func ReadSealed(t Tree, key []byte) (payload []byte, err error) {
	err = t.Read(key, func(value []byte) error {
		if len(value) >= ValueThreshold { // it is mapped, of a value log
			pages.WillNeed(value)
		}
		p, err := layout.Unseal(key, value)
		payload = append([]byte(nil), p...)
		return err
	})
	return payload, err
}
