// Package sweep deletes what nothing names: what a replaced or dropped snapshot leaves behind, and what a failed or
// killed write had stored.
//
//	manifests: current, as the catalog names them, and pinned ─▶ Live ─▶ keys of all else ─▶ deleted
//
// It looks at keys only. Only the holder of the writer's token may sweep: otherwise a write on its way would be taken
// for rubbish.
package sweep

import (
	"context"
	"errors"
	"sync"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/space"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// Live are the pieces, and the logs, that some manifest names.
type Live map[layout.Piece]bool

// NewLive is what the current manifests name, and those that readers have pinned. cataloged are the snapshots that the
// catalog names, by graph: it must name those of current and no others, as an iterator of Badger's that meets damage
// just ends.
//
// Errors: *failure.DamagedError.
func NewLive(current []*manifest.Manifest, cataloged map[string]uint64, pinned []*manifest.Manifest) (Live, error) {
	if err := inCatalog(current, cataloged); err != nil {
		return nil, err
	}
	live := Live{}
	live.add(current)
	live.add(pinned)
	return live, nil
}

func (live Live) add(manifests []*manifest.Manifest) {
	for _, m := range manifests {
		for p := range m.Pieces() {
			live[p] = true
		}
		live[layout.LogPiece(m.LogID())] = true
	}
}

// errUncataloged is of a manifest in the tree.
var errUncataloged = errors.New("the catalog names another snapshot, or none")

// inCatalog fails unless the catalog names exactly these snapshots.
func inCatalog(all []*manifest.Manifest, cataloged map[string]uint64) error {
	found := map[string]bool{}
	for _, m := range all {
		if cataloged[m.Graph] != m.ID {
			return &failure.DamagedError{Graph: m.Graph, Kind: "manifest", Number: -1, Err: errUncataloged}
		}
		found[m.Graph] = true
	}
	for name := range cataloged {
		if !found[name] {
			return &failure.DamagedError{Graph: name, Kind: "manifest", Number: -1, Err: layout.ErrMissing}
		}
	}
	return nil
}

// Unnamed are the keys of all pieces and logs that are not live.
func (live Live) Unnamed(ctx context.Context, b *tree.Badger) (keys [][]byte, err error) {
	err = b.View(func(txn *badger.Txn) error {
		for _, prefix := range []byte{layout.DataPrefix, layout.LogPrefix} {
			it := txn.NewIterator(badger.IteratorOptions{Prefix: []byte{prefix}})
			for it.Rewind(); it.Valid(); it.Next() {
				if p, ok := pieceOf(it.Item().Key()); !ok || !live[p] {
					keys = append(keys, it.Item().KeyCopy(nil))
				}
			}
			it.Close()
		}
		return ctx.Err()
	})
	return keys, err
}

// pieceOf is the piece that a key belongs to, or the log.
func pieceOf(key []byte) (p layout.Piece, ok bool) {
	if log, _, _, ok := layout.ParseLogKey(key); ok {
		return layout.LogPiece(log), true
	}
	p, _, ok = layout.ParseDataKey(key)
	return p, ok
}

// Sweep deletes from the database at dir what is not live, and returns how many values it has deleted.
//
// Errors: *failure.DiskFullError.
func (live Live) Sweep(ctx context.Context, dir string, b *tree.Badger) (deleted int, err error) {
	rubbish, err := live.Unnamed(ctx, b)
	if err != nil || len(rubbish) == 0 {
		return 0, err
	}
	if err := space.Relieve(dir, space.OpenReserve); err != nil {
		return 0, err
	}
	batch := b.NewWriteBatch()
	defer batch.Cancel()
	for _, key := range rubbish {
		if err := batch.Delete(key); err != nil {
			return 0, err
		}
	}
	return len(rubbish), batch.Flush()
}

// DropLog has Badger drop what its tables hold of a log that has been swept, unless it is live. Otherwise that stays
// until Badger compacts them, which it does as it gets more to write, and on a full disk it gets nothing. Commits wait
// for dropping: Badger refuses to write meanwhile.
func (live Live) DropLog(dir string, b *tree.Badger, dropping sync.Locker, log uint64) error {
	if live[layout.LogPiece(log)] {
		return nil
	}
	if err := b.RelieveMerge(dir); err != nil {
		return err
	}
	dropping.Lock()
	defer dropping.Unlock()
	key := layout.LogKey(log, 0, 0) // Badger passes over a prefix without a key
	if err := b.Update(func(txn *badger.Txn) error { return txn.Set(key, []byte{1}) }); err != nil {
		return err
	}
	return b.DropPrefix(key[:layout.LogPrefixSize])
}
