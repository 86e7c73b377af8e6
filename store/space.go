package store

import (
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// Space is what a database takes on the disk, in bytes.
type Space struct {
	Live   int64 // of values in value logs that graphs and open snapshots need
	Logs   int64 // all value logs
	Tables int64 // keys and small values
}

// Space tells what the database takes on the disk now. Of the value logs at most Live/2 + 32 MiB
// are waste, once what was written or closed last is tidied up.
//
// Errors: *ReadOnlyError.
func (db *DB) Space() (s Space, err error) {
	if db.readOnly {
		return Space{}, &failure.ReadOnlyError{Dir: db.dir, Damaged: len(db.Damage()) > 0}
	}
	logs, err := db.reclaimer.Logs()
	if err != nil {
		return Space{}, err
	}
	tables, err := tree.TableBytes(directory.Data(db.dir))
	return Space{Live: logs.Live(), Logs: logs.Size(), Tables: int64(tables)}, err
}
