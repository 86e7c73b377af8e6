package lsm

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Verification reads files in full. What was read is told to Pace, which may slow it down or end it; nil: as fast as can be.
type Verification struct {
	// Open leaves out what a process that has the database open writes to: logs of memtables, and the newest value log.
	Open   bool
	Pace   func(bytes int) error
	Report func(*Damage)
}

// Verify reads all tables and value logs in dir and reports each damaged block and record. It returns how
// many bytes it has read. What Badger removes meanwhile is left out.
func (v Verification) Verify(dir string) (read int64, err error) {
	found, err := list(dir)
	if err != nil {
		return 0, err
	}
	files := map[string]func(path string) (int64, error){}
	var order []string
	for _, id := range found.tables {
		order = append(order, tablePath(dir, id))
		files[tablePath(dir, id)] = v.table
	}
	for i, id := range found.logs {
		if v.Open && i == len(found.logs)-1 {
			break
		}
		order = append(order, logPath(dir, id))
		files[logPath(dir, id)] = v.valueLog
	}
	for _, path := range order {
		n, err := files[path](path)
		read += n
		if _, gone := os.Stat(path); errors.Is(gone, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return read, err
		}
	}
	return read, nil
}

// VerifyValueLog reads one value log in full.
func VerifyValueLog(path string) (damage []*Damage, err error) {
	v := Verification{Report: func(d *Damage) { damage = append(damage, d) }}
	_, err = v.valueLog(path)
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

func (v Verification) valueLog(path string) (read int64, err error) {
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
	if rest := bytes.TrimRight(text[end:], "\x00"); err == nil && len(rest) > 0 {
		v.Report(&Damage{File: path, Offset: int64(end), Reason: fmt.Sprintf("%d bytes are damaged", len(rest))})
	}
	return read, err
}
