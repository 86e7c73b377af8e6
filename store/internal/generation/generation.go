// Package generation is one write on its way to the disk: chunks and columns under a number that was never given out
// before. They are named by no manifest until the write is published, so a sweep removes those of a write that failed.
package generation

import (
	"sync"
	"sync/atomic"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/buffers"
	"github.com/penstock-db/penstock/store/internal/space"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// Generation is one write on its way: what it has written so far is named by no
// manifest, so a sweep removes it, unless publish makes it a snapshot.
type Generation struct {
	badger *tree.Badger
	dir    string // of the database: what is free on its disk bounds what is written
	Mem    memory.Allocator
	Graph  string
	Number uint64
	items  atomic.Uint32 // columns begun

	BatchBytes uint64 // how much may be on its way to Badger: half is collected, half written

	mu       sync.Mutex // protects the following
	batch    *badger.WriteBatch
	pending  uint64     // bytes in batch
	borrowed [][]byte   // values in batch that borrow has made
	writing  chan error // nil: no batch is being written
}

// MostBatch is how much a write hands to Badger at a time, unless it is told to take less.
const MostBatch = 32 << 20

// New begins to write the generation of that number of a graph in the database at dir.
func New(b *tree.Badger, dir string, mem memory.Allocator, graph string, number uint64) *Generation {
	return &Generation{badger: b, dir: dir, Mem: mem, Graph: graph, Number: number, BatchBytes: MostBatch,
		batch: b.NewWriteBatch()}
}

// Put stores a value; the caller must not touch it again.
func (g *Generation) Put(key, value []byte) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.add(key, value)
}

// putBorrowed is put for a value that borrow has made and others may have afterwards.
func (g *Generation) putBorrowed(key, value []byte) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.add(key, value)
	g.borrowed = append(g.borrowed, value)
	return err
}

// add is put while g.mu is held.
func (g *Generation) add(key, value []byte) error {
	if g.pending > 0 && g.pending+uint64(len(value)) > g.BatchBytes/2 {
		if err := g.flush(); err != nil {
			return err
		}
	}
	g.pending += uint64(len(value))
	return g.batch.Set(key, value)
}

// flush begins to write the batch once the one before is written. Callers hold g.mu.
func (g *Generation) flush() error {
	if err := g.written(); err != nil {
		return err
	}
	batch, bytes, borrowed, writing := g.batch, g.pending, g.borrowed, make(chan error, 1)
	g.batch, g.pending, g.borrowed, g.writing = g.badger.NewWriteBatch(), 0, nil, writing
	go func() {
		writing <- g.hand(batch, bytes)
		for i := range borrowed {
			buffers.Return(borrowed[i])
		}
	}()
	return nil
}

// hand hands a batch to Badger, if the disk has room for it.
func (g *Generation) hand(batch *badger.WriteBatch, bytes uint64) error {
	defer batch.Cancel()
	release, err := space.Reserve(g.dir, bytes)
	if err != nil {
		return err
	}
	defer release()
	return space.DiskFull(g.dir, batch.Flush())
}

// FlushAll returns when everything that was put is written.
func (g *Generation) FlushAll() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.flush(); err != nil {
		return err
	}
	return g.written()
}

// written waits until no batch is being written. Callers hold g.mu.
func (g *Generation) written() error {
	if g.writing == nil {
		return nil
	}
	err := <-g.writing
	g.writing = nil
	return err
}

// Abandon lets go of what has been collected.
func (g *Generation) Abandon() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.batch.Cancel()
	return g.written()
}
