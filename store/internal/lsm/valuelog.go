package lsm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/dgraph-io/badger/v4/y"
)

// logged is a value in a value log, of which it reads every byte. A fault of the disk is an error.
func (f *Files) logged(key []byte, e entry) (value []byte, err error) {
	defer faults()()
	defer func() {
		if cause := recover(); cause != nil {
			value, err = nil, fmt.Errorf("%s cannot be read: %v", logPath(f.dir, e.place.log), cause)
		}
	}()
	text, err := f.log(e.place.log)
	if err != nil {
		return nil, err
	}
	if e.place.offset+e.place.length > int64(len(text)) {
		return nil, ErrDamaged
	}
	r, whole := readRecord(text[:e.place.offset+e.place.length], int(e.place.offset))
	if !whole || int64(r.size) != e.place.length || y.ParseTs(r.key) != e.version || !bytes.Equal(y.ParseKey(r.key), key) {
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

// measure learns how long a value log is.
func (f *Files) measure(id uint32) {
	info, err := os.Stat(logPath(f.dir, id))
	if err != nil {
		f.report(&Damage{File: logPath(f.dir, id), Offset: -1, Reason: err.Error()})
		return
	}
	f.ends[id] = info.Size()
}

// valueLogs looks at the head of every value log, and finds the end of the valid records of the newest, where Badger
// will cut it off. A log with another head is torn, not damaged, if it is the newest, which was being made when the
// power failed, or if no key names it: Badger had moved what was in it and deleted it, and a file system that may reuse
// blocks before it has written down that they are free (ext4 with data=writeback) shows other data in it after a power
// failure.
func (f *Files) valueLogs(ids []uint32) {
	named := f.namedLogs()
	for i, id := range ids {
		path := logPath(f.dir, id)
		newest, read := i == len(ids)-1, readHead
		if newest {
			read = func(string) ([]byte, error) { return f.log(id) }
		}
		switch text, err := read(path); {
		case err != nil:
			f.report(&Damage{File: path, Offset: -1, Reason: err.Error()})
		case !headed(text) && (newest || !named[id]):
			f.torn = append(f.torn, path)
			f.ends[id] = 0
		case newest:
			f.ends[id] = int64(validEnd(text))
		default:
			f.checkHead(path, text)
		}
	}
}

// namedLogs are the value logs that a key's newest version lies in.
func (f *Files) namedLogs() map[uint32]bool {
	named := map[uint32]bool{}
	for _, e := range f.entries {
		if e.place.file == nil && !e.place.deleted {
			named[e.place.log] = true
		}
	}
	return named
}

// headed tells whether a log begins with the number of no key, or is too short to begin with any.
func headed(text []byte) bool { return len(text) < logHead || bytes.Equal(text[:8], make([]byte, 8)) }

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

// checkHead checks the number of the key in a log's head: Badger does not open one with another.
func (f *Files) checkHead(path string, text []byte) {
	if !headed(text) {
		f.report(&Damage{File: path, Offset: 0, Reason: "its head says that it is encrypted", Lost: nothing})
	}
}

// readHead reads the head of a log, or as much of it as there is. Touched through a mapping, it would bring megabytes
// of the log on some systems.
func readHead(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head := make([]byte, logHead)
	n, err := file.ReadAt(head, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return head[:n], err
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
