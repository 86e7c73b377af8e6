package lsm

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
)

// Errors of Get.
var (
	ErrMissing = errors.New("it is missing")
	ErrDamaged = errors.New("its record in the value log is damaged")
)

// Files are the files of a Badger directory, opened for reading. Methods may be called from several goroutines.
type Files struct {
	dir    string
	damage []*Damage
	cutOff []*Damage
	torn   []string
	stray  []string

	entries map[string]entry
	keys    []string // ascending
	open    []*os.File
	ends    map[uint32]int64 // of value logs: where their valid records end

	mu   sync.Mutex // protects logs
	logs map[uint32][]byte
}

// entry is a key's newest version.
type entry struct {
	version uint64
	place   place
}

// Open reads the files in dir as Badger would. What it finds damaged is in Damage; an error is that of a
// file that cannot be read at all. The caller must Close it.
func Open(dir string) (*Files, error) {
	return read(dir, func(f *Files, found *listing) {
		named, damage := readManifest(filepath.Join(dir, manifestName))
		if found.any() { // else Badger had not begun to make the database
			f.report(damage)
		}
		for _, id := range slices.Sorted(maps.Keys(named)) {
			path := tablePath(dir, id)
			if !slices.Contains(found.tables, id) {
				f.report(&Damage{File: path, Offset: -1, Reason: "the file is missing"})
				continue
			}
			f.table(path)
		}
		for _, id := range found.tables {
			if !named[id] {
				f.stray = append(f.stray, tablePath(dir, id))
			}
		}
		for i, id := range found.memtables {
			f.memtable(memtablePath(dir, id), i == len(found.memtables)-1)
		}
		f.valueLogs(found.logs)
	})
}

// Empty are the files of a directory without any.
func Empty() *Files { return &Files{} }

// read opens dir and has fill read what it lists.
func read(dir string, fill func(*Files, *listing)) (f *Files, err error) {
	f = &Files{dir: dir, entries: map[string]entry{}, ends: map[uint32]int64{}, logs: map[uint32][]byte{}}
	defer func() {
		if cause := recover(); cause != nil { // a fault of a mapped file
			f.Close()
			f, err = nil, fmt.Errorf("%s cannot be read: %v", dir, cause)
		}
	}()
	found, err := list(dir)
	if err != nil {
		return nil, err
	}
	for _, id := range found.logs {
		f.measure(id)
	}
	fill(f, found)
	f.keys = make([]string, 0, len(f.entries))
	for key, e := range f.entries {
		if !e.place.deleted {
			f.keys = append(f.keys, key)
		}
	}
	slices.Sort(f.keys)
	return f, nil
}

// Close lets go of the files. No value may be used afterwards.
func (f *Files) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, text := range f.logs {
		unmap(text)
	}
	f.logs = nil
	for _, file := range f.open {
		file.Close()
	}
}

// Damage is all that was found not to be what was written.
func (f *Files) Damage() []*Damage { return f.damage }

// CutOff are the logs of memtables that have whole records behind the first bad one: torn by a power failure,
// or damaged.
func (f *Files) CutOff() []*Damage { return f.cutOff }

// Torn are the newest value log, value logs that no key names, and the log of the newest memtable, where their heads
// are not ones: the power failed while they were made or deleted, or they are damaged. Badger does not open them, and
// reads no record of theirs.
func (f *Files) Torn() []string { return f.torn }

// Stray are tables that MANIFEST does not name: a process ended before it did. Badger deletes them when it opens.
func (f *Files) Stray() []string { return f.stray }

// MayLack is damage that may have taken a key with this prefix; nil: none may.
func (f *Files) MayLack(prefix []byte) *Damage {
	for _, d := range f.damage {
		if d.mayHold(string(prefix)) {
			return d
		}
	}
	return nil
}

// Keys yields all keys with a prefix, in order, until yield returns false.
func (f *Files) Keys(prefix []byte, yield func(key []byte) bool) {
	for i := sort.SearchStrings(f.keys, string(prefix)); i < len(f.keys) &&
		strings.HasPrefix(f.keys[i], string(prefix)); i++ {
		if !yield([]byte(f.keys[i])) {
			return
		}
	}
}

// Has tells whether there is such a key.
func (f *Files) Has(key []byte) bool {
	e, ok := f.entries[string(key)]
	return ok && !e.place.deleted
}

// Get hands the value of a key to use. Values of value logs are those of the mapped file, and valid until Close.
//
// Errors: ErrMissing, ErrDamaged, those of reading.
func (f *Files) Get(key []byte, use func(value []byte) error) error {
	e, ok := f.entries[string(key)]
	if !ok || e.place.deleted {
		return ErrMissing
	}
	if e.place.file == nil {
		value, err := f.logged(key, e)
		if err != nil {
			return err
		}
		return use(value)
	}
	value := make([]byte, e.place.length)
	if _, err := e.place.file.ReadAt(value, e.place.offset); err != nil {
		return err
	}
	return use(value)
}

func (f *Files) report(d *Damage) {
	if d != nil {
		f.damage = append(f.damage, d)
	}
}

// text reads a file, which stays open; nil: it cannot be read.
func (f *Files) text(path string) (*os.File, []byte) {
	file, err := os.Open(path)
	if err != nil {
		f.report(&Damage{File: path, Offset: -1, Reason: err.Error()})
		return nil, nil
	}
	f.open = append(f.open, file)
	text, err := readAll(file)
	if err != nil {
		f.report(&Damage{File: path, Offset: -1, Reason: err.Error()})
		return nil, nil
	}
	return file, text
}

func (f *Files) table(path string) {
	if file, text := f.text(path); file != nil {
		f.damage = append(f.damage, readTable(path, text, f.in(file))...)
	}
}

// in adds what is in a file.
func (f *Files) in(file *os.File) func(item) {
	return func(i item) {
		i.place = i.place.in(file)
		f.add(i)
	}
}

// add keeps the newest version of a key. Where the same version is in two value logs, Badger has moved it to the later.
func (f *Files) add(i item) {
	old, known := f.entries[i.key]
	if known && cmp.Or(cmp.Compare(i.version, old.version), cmp.Compare(i.place.log, old.place.log)) < 0 {
		return
	}
	f.entries[i.key] = entry{i.version, i.place}
}

// memtableText reads a memtable's log.
func (f *Files) memtableText(path string) (*os.File, []byte) {
	file, text := f.text(path)
	f.checkHead(path, text)
	return file, text
}

// memtable adds what is in a memtable's log. Only the newest may end in a record that is not whole: the others were
// synced before the next was made.
func (f *Files) memtable(path string, newest bool) {
	file, text := f.text(path)
	end := readMemtable(text, f.in(file))
	switch {
	case newest && !headed(text) && end == logHead:
		f.torn = append(f.torn, path)
	case !newest && slices.ContainsFunc(text[end:], func(b byte) bool { return b != 0 }):
		f.report(&Damage{File: path, Offset: int64(end), Reason: "a record is damaged"})
	default:
		f.checkHead(path, text)
	}
	if r, found := newSearch(text).next(end + 1); newest && found {
		f.cutOff = append(f.cutOff, &Damage{File: path, Offset: int64(end), Reason: fmt.Sprintf(
			"a record is damaged, and there are whole ones behind it, the next at byte %d", r.at)})
	}
}
