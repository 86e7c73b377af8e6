package reclaim

import (
	"os"
	"slices"
	"syscall"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// Log is what one of Badger's value logs takes on the disk, and what of it is live: a
// value is live while its key leads to it.
type Log struct {
	number uint64
	size   int64 // in blocks that are allocated: the newest log is a sparse file
	live   int64
	end    int64 // where the last live value ends
}

func (l Log) waste() int64 { return max(0, l.size-l.live) }

// Logs are all value logs of a database, in the order in which they were begun. Badger
// appends to the last.
type Logs []Log

func (logs Logs) Live() (total int64) {
	for _, l := range logs {
		total += l.live
	}
	return total
}

func (logs Logs) Waste() (total int64) {
	for _, l := range logs {
		total += l.waste()
	}
	return total
}

// Size is what all logs take.
func (logs Logs) Size() (total int64) {
	for _, l := range logs {
		total += l.size
	}
	return total
}

// TooMuch tells whether more than half of what is live and spare bytes are wasted.
func (logs Logs) TooMuch(spare int64) bool { return logs.Waste() > logs.Live()/2+spare }

// Logs counts what is live by reading all keys. Badger has a count of its own, which grows
// only when tables are compacted, and may be lost in a crash.
func (r *Reclaimer) Logs() (logs Logs, err error) {
	dir := directory.Data(r.dir)
	numbers, err := tree.LogNumbers(dir)
	if err != nil {
		return nil, err
	}
	r.rewritten.Range(func(n, _ any) bool {
		if !slices.Contains(numbers, n.(uint64)) {
			r.rewritten.Delete(n)
		}
		return true
	})
	at := map[uint64]int{}
	for _, n := range numbers {
		if _, gone := r.rewritten.Load(n); gone {
			continue
		}
		info, err := os.Stat(tree.LogPath(dir, n))
		if os.IsNotExist(err) {
			continue // Badger has just removed it
		}
		if err != nil {
			return nil, err
		}
		at[n] = len(logs)
		logs = append(logs, Log{number: n, size: allocated(info)})
	}
	err = r.badger.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			p, ok := tree.PointerOf(it.Item())
			i, known := at[p.Log]
			if !ok || !known || it.Item().Key()[0] == layout.DummyPrefix {
				continue
			}
			logs[i].live += p.Length
			logs[i].end = max(logs[i].end, p.Offset+p.Length)
		}
		return nil
	})
	return logs, err
}

// allocated is what a file takes on the disk.
func allocated(info os.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return min(info.Size(), stat.Blocks*512)
	}
	return info.Size()
}
