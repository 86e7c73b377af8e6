package store

import (
	"sync"
	"time"

	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"github.com/penstock-db/penstock/store/internal/transaction"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// Capture is all graphs of a database as they were at one instant. What they consist of stays
// in the database until Close.
type Capture struct {
	Time       time.Time
	Generation uint64 // the last that was given out
	Graphs     []Captured
}

// Captured is a graph: a snapshot, and the commits 1 to Commits of its log.
type Captured struct {
	*snapshot.Snapshot
	Commits uint64
}

// Capture pins all graphs as one Badger transaction sees them. Writers do not wait for it. It may
// hold commits that are not acknowledged yet, and it holds all that are. Of a database that is
// damaged there is none.
//
// Errors: *DamagedDatabaseError, *DamagedError.
func (db *DB) Capture() (*Capture, error) {
	if len(db.Damage()) > 0 {
		return nil, &failure.DamagedDatabaseError{Dir: db.dir, Damage: db.Damage()}
	}
	c := &Capture{}
	db.mu.Lock() // no sweep between reading manifests and pinning them
	pinned := sync.OnceFunc(db.mu.Unlock)
	err := db.view(func(t tree.Tree) error {
		err := c.pin(db, t)
		pinned() // to count may take longer
		if err != nil {
			return err
		}
		return c.countCommits(t)
	})
	pinned() // if no tree could be looked at
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// pin pins the graphs that t has. Callers hold db.mu.
func (c *Capture) pin(db *DB, t tree.Tree) (err error) {
	c.Time = time.Now().UTC() // whatever was acknowledged before is seen
	if c.Generation, err = tree.LastGeneration(t); err != nil {
		return err
	}
	names, err := manifest.Names(t)
	if err != nil {
		return err
	}
	for _, name := range names {
		m, err := manifest.Read(t, name)
		if err != nil {
			return err
		}
		c.Graphs = append(c.Graphs, Captured{Snapshot: db.pin(m)})
	}
	return nil
}

// countCommits finds the last commit of each graph. They are numbered without gaps.
func (c *Capture) countCommits(t tree.Tree) error {
	for i := range c.Graphs {
		g := &c.Graphs[i]
		err := transaction.EachCommit(t, g.Manifest().Graph, g.Manifest().LogID(), func(number uint64) error {
			if number != g.Commits+1 {
				return &failure.DamagedError{Graph: g.Manifest().Graph, Kind: "log, commit", Number: int64(g.Commits + 1),
					Err: layout.ErrMissing}
			}
			g.Commits = number
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Close lets go of all graphs.
func (c *Capture) Close() {
	for _, g := range c.Graphs {
		g.Close()
	}
}
