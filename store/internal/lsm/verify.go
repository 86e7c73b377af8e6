package lsm

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Verification reads files in full. What was read is told to Pace, which may slow it down or end it; nil: as fast as
// can be.
type Verification struct {
	// Open leaves out the newest value log, to which a process writes that has the database open.
	Open   bool
	Pace   func(bytes int) error
	Report func(*Damage)
}

// Verify reads the tables and value logs in dir and reports each damaged block and record. It returns how many bytes it
// has read. Tables that MANIFEST does not name are left out: they are being written. So is what Badger removes
// meanwhile.
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
		verify := func(path string) (int64, error) { return v.valueLog(path, newest) }
		if err := v.file(logPath(dir, id), verify, &read); err != nil {
			return read, err
		}
	}
	return read, nil
}

// file verifies a file, unless Badger removes it meanwhile.
func (v Verification) file(path string, verify func(path string) (int64, error), read *int64) error {
	n, err := verify(path)
	*read += n
	if _, gone := os.Stat(path); errors.Is(gone, fs.ErrNotExist) {
		return nil
	}
	return err
}

// VerifyValueLog reads one value log in full.
func VerifyValueLog(path string) (damage []*Damage, err error) {
	v := Verification{Report: func(d *Damage) { damage = append(damage, d) }}
	_, err = v.valueLog(path, false)
	return damage, err
}

func (v Verification) pace(bytes int) error {
	if v.Pace == nil {
		return nil
	}
	return v.Pace(bytes)
}

func (v Verification) table(path string) (read int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	text, err := readAll(file)
	if err != nil {
		return 0, err
	}
	damage := readTable(path, text, func(item) {})
	if _, err := os.Stat(path); err == nil { // else Badger has emptied it
		for _, d := range damage {
			v.Report(d)
		}
	}
	return int64(len(text)), v.pace(len(text))
}

// valueLog verifies a value log. The end of the newest may be torn: Open knows which values must be before it.
func (v Verification) valueLog(path string, newest bool) (read int64, err error) {
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
		v.Report(&Damage{File: path, Offset: int64(from), Reason: fmt.Sprintf("%d bytes are damaged", to-from)})
	})
	if rest := bytes.TrimRight(text[end:], "\x00"); err == nil && len(rest) > 0 && !newest {
		v.Report(&Damage{File: path, Offset: int64(end), Reason: fmt.Sprintf("%d bytes are damaged", len(rest))})
	}
	return read, err
}
