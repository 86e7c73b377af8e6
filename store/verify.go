package store

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/lsm"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// Verify reads everything that the current snapshot of graph names, checks every
// checksum, and that degrees, counts and ids agree with one another; then it replays the
// log of changes and checks these. It holds the ids and degrees of all vertices, and one
// chunk; later the changes once more than they are held already.
//
// Errors: *UnknownGraphError, *DamagedError for the first piece that is not right.
func (db *DB) Verify(ctx context.Context, graph string) error {
	s, err := db.Snapshot(graph)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := snapshot.Verify(ctx, s); err != nil {
		return err
	}
	pinned, err := db.Snapshot(graph)
	if err != nil {
		return err
	}
	return db.graphs.Verify(ctx, pinned)
}

// FileDamage is a place in a file that is not what was written there: the cause inside a *DamagedError of VerifyFiles.
type FileDamage = lsm.Damage

// VerifyFiles reads all tables and value logs in full and returns what is damaged, with what Open has found where the
// database is open for reading only. Where it is open for writing, the newest value log is left out. It reads at most
// rate bytes a second; 0: as fast as it can. It returns how many bytes it has read.
func (db *DB) VerifyFiles(ctx context.Context, rate int64) (damage []error, read int64, err error) {
	damage = append(damage, db.Damage()...)
	known := map[string]bool{}
	for _, d := range damage {
		known[d.Error()] = true
	}
	pace := pacer{ctx: ctx, rate: rate, started: time.Now()}
	v := lsm.Verification{Open: !db.readOnly, Pace: pace.after, Report: func(d *lsm.Damage) {
		if e := (&failure.DamagedError{Kind: "file", Number: -1, Err: d}); !known[e.Error()] {
			damage = append(damage, e)
		}
	}}
	read, err = v.Verify(directory.Data(db.dir))
	return damage, read, err
}

// pacer keeps what is read to so many bytes a second.
type pacer struct {
	ctx     context.Context
	rate    int64 // 0: any
	started time.Time
	read    int64
}

// after waits until it is time to have read so many bytes more.
func (p *pacer) after(bytes int) error {
	if p.read += int64(bytes); p.rate == 0 {
		return p.ctx.Err()
	}
	due := p.started.Add(time.Duration(float64(p.read) / float64(p.rate) * float64(time.Second)))
	select {
	case <-p.ctx.Done():
	case <-time.After(time.Until(due)):
	}
	return p.ctx.Err()
}
