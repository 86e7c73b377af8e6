package snapshot

import "sync"

// FilesInUse counts who has value logs mapped beside Badger, as a device has in whose
// process chunks are read in place. Badger empties a log before it removes it, and who
// reads there then is killed; so nothing is collected while anybody is counted. What was
// put off the last one does when it leaves, and until then nobody new comes in.
type FilesInUse struct {
	// Last collects what was put off, when the last one leaves; false: it has to be done later. It may leave so many
	// bytes.
	Last func(spare int64) (done bool)

	mu     sync.Mutex // protects the fields below; held while Badger collects
	count  int
	owed   bool  // a collection was put off
	spare  int64 // what it may leave
	closed bool
}

// KeptFiles is one use of the files of a database: none of them becomes shorter than what
// is stored there until Release.
type KeptFiles struct {
	files *FilesInUse
	once  sync.Once
}

// KeepFiles has the files of the database stay as they are; nil while Badger needs to
// change them. Every use must be released, but a database may be closed before.
func (s *Snapshot) KeepFiles() *KeptFiles {
	f := s.files
	if !f.mu.TryLock() {
		return nil
	}
	defer f.mu.Unlock()
	if f.owed || f.closed {
		return nil
	}
	f.count++
	return &KeptFiles{files: f}
}

// Wanted tells whether space waits for the release to be given back to the file system.
func (k *KeptFiles) Wanted() bool {
	k.files.mu.Lock()
	defer k.files.mu.Unlock()
	return k.files.owed
}

// Release ends the use. The last one may take as long as Badger takes to collect.
func (k *KeptFiles) Release() { k.once.Do(k.files.leave) }

func (f *FilesInUse) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count--
	if f.count > 0 || !f.owed || f.closed {
		return
	}
	f.owed = !f.Last(f.spare)
}

// Collect gives back the space of value logs, or leaves that to the last who uses them. collect tells whether it is
// done.
func (f *FilesInUse) Collect(spare int64, collect func() (done bool, err error)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.owed, f.spare = true, spare
	if f.count > 0 {
		return nil
	}
	done, err := collect()
	f.owed = !done
	return err
}

// Close waits for a collection under way; none begins afterwards.
func (f *FilesInUse) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
}
