package lsm

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/dgraph-io/badger/v4/y"
)

// Errors of Get.
var (
	ErrMissing = errors.New("it is missing")
	ErrDamaged = errors.New("its record in the value log is not its")
)

// Files are the files of a Badger directory, opened for reading. Methods may be called from several goroutines.
type Files struct {
	dir    string
	damage []*Damage
	cutOff []*Damage

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
		for id := range named {
			path := tablePath(dir, id)
			if !slices.Contains(found.tables, id) {
				f.report(&Damage{File: path, Offset: -1, Reason: "the file is missing"})
				continue
			}
			f.table(path)
		}
		for _, id := range found.memtables {
			f.memtable(memtablePath(dir, id))
		}
		f.newestLog(found.logs)
	})
}

// Empty are the files of a directory without any.
func Empty() *Files { return &Files{} }

// Salvage reads all that can be read of the files in dir, whether it is named or not, and behind what is
// damaged. Versions tell which of several values is the newest. Keys that were deleted may be there again.
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

// read opens dir and has fill read what it lists.
func read(dir string, fill func(*Files, *listing)) (f *Files, err error) {
	f = &Files{dir: dir, entries: map[string]entry{}, ends: map[uint32]int64{}, logs: map[uint32][]byte{}}
	defer func() {
		if cause := recover(); cause != nil { // a fault of a mapped file, or an index with a right checksum that is none
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
	for i := sort.SearchStrings(f.keys, string(prefix)); i < len(f.keys) && strings.HasPrefix(f.keys[i], string(prefix)); i++ {
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

// logged is a value in a value log.
func (f *Files) logged(key []byte, e entry) ([]byte, error) {
	text, err := f.log(e.place.log)
	if err != nil {
		return nil, err
	}
	if e.place.offset+e.place.length > int64(len(text)) {
		return nil, ErrDamaged
	}
	r, _ := readRecord(text[:e.place.offset+e.place.length], int(e.place.offset))
	if int64(r.size) != e.place.length || y.ParseTs(r.key) != e.version || !bytes.Equal(y.ParseKey(r.key), key) {
		return nil, ErrDamaged
	}
	return r.value, nil
}

// log maps a value log, once.
func (f *Files) log(id uint32) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if text, ok := f.logs[id]; ok {
		return text, nil
	}
	text, err := mapFile(logPath(f.dir, id))
	if err != nil {
		return nil, err
	}
	f.logs[id] = text
	return text, nil
}

func (f *Files) report(d *Damage) {
	if d != nil {
		f.damage = append(f.damage, d)
	}
}

// file opens a file that stays open.
func (f *Files) file(path string) *os.File {
	file, err := os.Open(path)
	if err != nil {
		f.report(&Damage{File: path, Offset: -1, Reason: err.Error()})
		return nil
	}
	f.open = append(f.open, file)
	return file
}

func (f *Files) table(path string) {
	if file := f.file(path); file != nil {
		f.damage = append(f.damage, readTable(path, file, f.add)...)
	}
}

// add keeps the newest version of a key. The same version in two value logs is one that Badger has moved: the later log has it.
func (f *Files) add(i item) {
	old, known := f.entries[i.key]
	if known && cmp.Or(cmp.Compare(i.version, old.version), cmp.Compare(i.place.log, old.place.log)) < 0 {
		return
	}
	f.entries[i.key] = entry{i.version, i.place}
}

// memtableText is a memtable's log; nil: it cannot be read, or is empty.
func (f *Files) memtableText(path string) (*os.File, []byte) {
	file := f.file(path)
	if file == nil {
		return nil, nil
	}
	text, err := readAll(file)
	if err != nil {
		f.report(&Damage{File: path, Offset: -1, Reason: err.Error()})
		return nil, nil
	}
	f.checkHead(path, text)
	return file, text
}

func (f *Files) memtable(path string) {
	file, text := f.memtableText(path)
	end := readMemtable(text, file, f.add)
	if r, found := nextRecord(text, end+1); found {
		f.cutOff = append(f.cutOff, &Damage{File: path, Offset: int64(end), Reason: fmt.Sprintf(
			"a record is damaged, and there are whole ones behind it, the next at byte %d", r.at)})
	}
}

func (f *Files) salvageMemtable(path string) {
	file, text := f.memtableText(path)
	_, _ = walkLog(text, func(r record) error {
		if r.mark&markFinished == 0 {
			yieldRecord(r, file, f.add)
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

// measure learns how long a value log is.
func (f *Files) measure(id uint32) {
	info, err := os.Stat(logPath(f.dir, id))
	if err != nil {
		f.report(&Damage{File: logPath(f.dir, id), Offset: -1, Reason: err.Error()})
		return
	}
	f.ends[id] = info.Size()
}

// newestLog finds the end of the valid records of the newest value log, where Badger will cut it off.
func (f *Files) newestLog(ids []uint32) {
	for i, id := range ids {
		text, err := f.log(id)
		if err != nil {
			f.report(&Damage{File: logPath(f.dir, id), Offset: -1, Reason: err.Error()})
			continue
		}
		f.checkHead(logPath(f.dir, id), text)
		if i == len(ids)-1 {
			f.ends[id] = int64(validEnd(text))
		}
	}
}

func validEnd(text []byte) int {
	defer faults()()
	at := min(logHead, len(text))
	for {
		r, whole := readRecord(text, at)
		if !whole {
			return at
		}
		at += r.size
	}
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
		f.report(&Damage{File: path, Offset: int64(from), Reason: fmt.Sprintf("%d bytes are damaged", to-from), Lost: nothing})
	})
}

// checkHead checks the number of the key in a log's head: Badger does not open one with another.
func (f *Files) checkHead(path string, text []byte) {
	if len(text) >= logHead && !bytes.Equal(text[:8], make([]byte, 8)) {
		f.report(&Damage{File: path, Offset: 0, Reason: "its head says that it is encrypted", Lost: nothing})
	}
}

// Check tells whether the value of a key is where it should be: ErrMissing, or a *Damage that says which file
// ends before it. It does not read the value.
func (f *Files) Check(key []byte) error {
	e, ok := f.entries[string(key)]
	if !ok || e.place.deleted {
		return ErrMissing
	}
	if e.place.file != nil {
		return nil
	}
	end, known := f.ends[e.place.log]
	switch {
	case !known:
		return &Damage{File: logPath(f.dir, e.place.log), Offset: -1, Reason: "the file is missing"}
	case e.place.offset+e.place.length > end:
		return &Damage{File: logPath(f.dir, e.place.log), Offset: end, Reason: "its whole records end here"}
	}
	return nil
}

// listing is which files of each kind there are, ascending.
type listing struct {
	tables    []uint64
	memtables []uint64
	logs      []uint32
}

func (l *listing) any() bool { return len(l.tables)+len(l.memtables)+len(l.logs) > 0 }

func list(dir string) (*listing, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	l := &listing{}
	for _, e := range entries {
		stem, kind, _ := strings.Cut(e.Name(), ".")
		n, err := strconv.ParseUint(stem, 10, 64)
		if err != nil {
			continue
		}
		switch {
		case kind == "sst":
			l.tables = append(l.tables, n)
		case kind == "mem":
			l.memtables = append(l.memtables, n)
		case kind == "vlog" && n <= math.MaxUint32:
			l.logs = append(l.logs, uint32(n))
		}
	}
	slices.Sort(l.tables)
	slices.Sort(l.memtables)
	slices.Sort(l.logs)
	return l, nil
}

func tablePath(dir string, id uint64) string { return filepath.Join(dir, fmt.Sprintf("%06d.sst", id)) }
func memtablePath(dir string, id uint64) string {
	return filepath.Join(dir, fmt.Sprintf("%05d.mem", id))
}
func logPath(dir string, id uint32) string { return filepath.Join(dir, fmt.Sprintf("%06d.vlog", id)) }
