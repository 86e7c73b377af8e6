package registry

import (
	"io/fs"
	"os"
	"sync"
	"time"
)

// unchanged is the lock file as it was read last, which every run asks: it is read again when the file is another one,
// or has another size or time.
type unchanged struct {
	mu   sync.Mutex // protects the fields below
	file fs.FileInfo
	lock *Lock // nobody writes to it
}

// settled is how old a file must be for its time to tell whether it has been written since: clocks of file systems have
// ticks (git's index has the same trouble, "racy git").
const settled = time.Second

// known is the lock file's content, for reading only.
func (r *Registry) known() (*Lock, error) {
	file, err := os.Stat(r.lockPath())
	if err != nil {
		return r.readLock()
	}
	r.last.mu.Lock()
	defer r.last.mu.Unlock()
	if l := &r.last; l.lock != nil && os.SameFile(l.file, file) && l.file.Size() == file.Size() &&
		l.file.ModTime().Equal(file.ModTime()) {
		return l.lock, nil
	}
	r.last.lock = nil
	lock, err := r.readLock()
	if err == nil && time.Since(file.ModTime()) > settled {
		r.last.file, r.last.lock = file, lock
	}
	return lock, err
}
