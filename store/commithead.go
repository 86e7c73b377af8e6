package store

import (
	"time"

	"github.com/penstock-db/penstock/store/internal/layout"
)

// CommitOf tells which part of which commit of a log a key names; part 0 is the head.
func CommitOf(key []byte) (log, commit uint64, part uint32, ok bool) { return layout.ParseLogKey(key) }

// CommitHead reads the stored head of a commit: how many parts follow it, and when it was
// committed; zero: an older penstock has written it, which did not say.
func CommitHead(key, value []byte) (parts uint64, at time.Time, err error) {
	return layout.CommitHead(key, value)
}
