package lsm

import (
	"fmt"
	"path/filepath"

	"github.com/dgraph-io/badger/v4/y"
)

// Salvage reads all that can be read of the files in dir, whether it is named or not, and behind what is
// damaged. Versions tell which of several values is the newest: they rise from opening to opening as long as the key of
// the newest commit is there, which package store never deletes. Keys that were deleted may be there again.
func Salvage(dir string) (*Files, error) {
	return read(dir, func(f *Files, found *listing) {
		if _, damage := readManifest(filepath.Join(dir, manifestName)); damage != nil && found.any() {
			damage.Lost = nothing // all tables are read, named or not
			f.report(damage)
		}
		for _, id := range found.tables {
			f.table(tablePath(dir, id))
		}
		for _, id := range found.memtables {
			f.salvageMemtable(memtablePath(dir, id))
		}
		for _, id := range found.logs {
			f.salvageLog(id)
		}
	})
}

func (f *Files) salvageMemtable(path string) {
	file, text := f.memtableText(path)
	_, _ = walkLog(text, func(r record) error {
		if r.mark&markFinished == 0 {
			yieldRecord(r, f.in(file))
		}
		return nil
	}, func(from, to int) {
		d := &Damage{File: path, Offset: int64(from), Reason: fmt.Sprintf("%d bytes are damaged", to-from)}
		if r, _ := readRecord(text, from); r.at+r.size == to { // only its key or its value can be
			key := string(y.ParseKey(r.key))
			d.Lost = &Range{First: key, End: key + "\x00"}
		}
		f.report(d)
	})
}

// salvageLog adds the values of a value log. Each has its key and version with it.
func (f *Files) salvageLog(id uint32) {
	path := logPath(f.dir, id)
	text, err := f.log(id)
	if err != nil {
		f.report(&Damage{File: path, Offset: -1, Reason: err.Error()})
		return
	}
	f.checkHead(path, text)
	defer faults()()
	_, _ = walkLog(text[:extent(path, len(text))], func(r record) error {
		f.add(item{string(y.ParseKey(r.key)), y.ParseTs(r.key), place{log: id, offset: int64(r.at), length: int64(r.size)}})
		return nil
	}, func(from, to int) {
		f.report(&Damage{File: path, Offset: int64(from), Reason: fmt.Sprintf("%d bytes are damaged", to-from),
			Lost: nothing})
	})
}
