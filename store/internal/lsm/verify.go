package lsm

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Verification reads files in full. What was read is told to Pace, which may slow it down or end it; nil: as fast as
// can be.
type Verification struct {
	// Open: a process has the database open. The newest value log is left out, for it is being written, and so is what
	// Badger removes meanwhile.
	Open   bool
	Pace   func(bytes int) error
	Report func(*Damage)
}

// Verify reads the tables and value logs in dir and reports each damaged block and record. It returns how many bytes it
// has read. Tables that MANIFEST does not name are left out: they are being written.
func (v Verification) Verify(dir string) (read int64, err error) {
	found, err := list(dir)
	if err != nil {
		return 0, err
	}
	named, damage := readManifest(filepath.Join(dir, manifestName))
	for _, id := range found.tables {
		if damage == nil && !named[id] {
			continue
		}
		if err := v.file(tablePath(dir, id), v.table, &read); err != nil {
			return read, err
		}
	}
	for i, id := range found.logs {
		newest := i == len(found.logs)-1
		if newest && v.Open {
			break
		}
		verify := func(path string, report func(*Damage)) (int64, error) { return v.valueLog(path, newest, report) }
		if err := v.file(logPath(dir, id), verify, &read); err != nil {
			return read, err
		}
	}
	return read, nil
}

// file verifies a file, unless Badger removes it meanwhile. What it finds is told when that is certain.
func (v Verification) file(path string, verify verification, read *int64) error {
	var damage []*Damage
	n, err := verify(path, func(d *Damage) { damage = append(damage, d) })
	*read += n
	if (err != nil || len(damage) > 0) && v.removed(path) {
		return nil
	}
	for _, d := range damage {
		v.Report(d)
	}
	return err
}

// verification reads a file in full and reports what is damaged. It returns how many bytes it has read.
type verification func(path string, report func(*Damage)) (read int64, err error)

// longestRemoval is the longest that Badger may take from the emptying of a file to its removal.
const longestRemoval = time.Minute

// removed tells whether Badger has removed a file. It empties a file before it removes it: an empty one is looked at
// until it is gone.
func (v Verification) removed(path string) bool {
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return true
		}
		if !v.Open || err != nil || info.Size() > 0 || time.Since(began) > longestRemoval {
			return false
		}
	}
}

// VerifyValueLog reads one value log in full.
func VerifyValueLog(path string) (damage []*Damage, err error) {
	_, err = Verification{}.valueLog(path, false, func(d *Damage) { damage = append(damage, d) })
	return damage, err
}

func (v Verification) pace(bytes int) error {
	if v.Pace == nil {
		return nil
	}
	return v.Pace(bytes)
}

func (v Verification) table(path string, report func(*Damage)) (read int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	text, err := readAll(file)
	if err != nil {
		return 0, err
	}
	for _, d := range readTable(path, text, func(item) {}) {
		report(d)
	}
	return int64(len(text)), v.pace(len(text))
}

// valueLog verifies a value log. The end of the newest may be torn: Open knows which values must be before it.
func (v Verification) valueLog(path string, newest bool, report func(*Damage)) (read int64, err error) {
	text, err := mapFile(path)
	if err != nil {
		return 0, err
	}
	defer unmap(text)
	defer faults()()
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%s cannot be read: %v", path, cause)
		}
	}()
	text = text[:extent(path, len(text))]
	end, err := walkLog(text, func(r record) error {
		read += int64(r.size)
		return v.pace(r.size)
	}, func(from, to int) {
		report(&Damage{File: path, Offset: int64(from), Reason: fmt.Sprintf("%d bytes are damaged", to-from)})
	})
	if rest := bytes.TrimRight(text[end:], "\x00"); err == nil && len(rest) > 0 && !newest {
		report(&Damage{File: path, Offset: int64(end), Reason: fmt.Sprintf("%d bytes are damaged", len(rest))})
	}
	return read, err
}
