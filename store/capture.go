package store

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/dgraph-io/badger/v4"
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
	*Snapshot
	Commits uint64
}

// Capture pins all graphs as one transaction of Badger's sees them. Writers do not wait for it. It may
// hold commits that are not acknowledged yet, and it holds all that are.
//
// Errors: *DamagedError.
func (db *DB) Capture() (*Capture, error) {
	db.mu.Lock() // no sweep between reading manifests and pinning them
	defer db.mu.Unlock()
	c := &Capture{}
	err := db.view(func(t tree) error {
		c.Time = time.Now().UTC() // whatever was acknowledged before is seen
		names, err := graphNames(t)
		if err != nil {
			return err
		}
		if c.Generation, err = lastGeneration(t); err != nil {
			return err
		}
		for _, name := range names {
			m, err := readManifest(t, name)
			if err != nil {
				return err
			}
			last, err := lastCommit(t, name, m.log())
			if err != nil {
				return err
			}
			c.Graphs = append(c.Graphs, Captured{&Snapshot{db: db, manifest: m}, last})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, g := range c.Graphs {
		db.pins[g.manifest] = struct{}{}
	}
	return c, nil
}

// Close lets go of all graphs.
func (c *Capture) Close() {
	for _, g := range c.Graphs {
		g.Close()
	}
}

// lastCommit is the number of the last commit of a log; 0: there is none.
func lastCommit(t tree, graph string, log uint64) (last uint64, err error) {
	err = commits(t, graph, log, func(number uint64) error {
		last = number
		return nil
	})
	return last, err
}

// lastGeneration is the last generation that was given out; 0: none.
func lastGeneration(t tree) (uint64, error) {
	payload, err := readSealed(t, generationKey)
	switch {
	case errors.Is(err, errMissing):
		return 0, nil
	case err == nil && len(payload) == 8:
		return binary.BigEndian.Uint64(payload), nil
	case err == nil:
		err = errEmpty
	}
	return 0, &DamagedError{Kind: "generation counter", Number: -1, Err: err}
}

func setGeneration(txn *badger.Txn, n uint64) error {
	return txn.Set(generationKey, seal(generationKey, binary.BigEndian.AppendUint64(nil, n)))
}
