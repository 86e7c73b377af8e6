package launch

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// socketFolder is where a plugin listens until the host has connected to it. The host holds a lock of it: a folder
// without one is of a host that has been killed in between, and the next host removes it.
type socketFolder struct {
	path   string
	lock   *os.File     // nil: the file system has no locks, and nobody can tell whether the host lives
	remove func() error // once
}

// socketsPrefix begins the names of such folders. It is short: a socket's path has room for about 100 bytes.
const socketsPrefix = "penstock-host-"

// attempts is how many folders are made for one: who sweeps holds each for a moment at most.
const attempts = 100

// newSocketFolder makes a folder, and locks it. Until it is locked, another host that sweeps may take it for nobody's:
// then another one is made.
func newSocketFolder() (*socketFolder, error) {
	sweptFolders.sweep(os.TempDir())
	var err error
	for range attempts {
		f := new(socketFolder)
		if f.path, err = os.MkdirTemp("", socketsPrefix); err != nil {
			return nil, err
		}
		f.remove = sync.OnceValue(func() error {
			defer closeAll([]*os.File{f.lock})
			return os.RemoveAll(f.path)
		})
		if f.lock, err = lockFolder(f.path); err == nil {
			_, err = os.Stat(f.path)
		}
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, fs.ErrNotExist) {
			return f, nil // without a lock
		}
	}
	return nil, err
}

// lockFolder opens a folder of this user's, and takes its lock.
func lockFolder(path string) (*os.File, error) {
	folder, err := os.OpenFile(path, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	info, err := folder.Stat()
	if err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Geteuid() {
			err = fs.ErrPermission
		}
	}
	if err == nil {
		err = unix.Flock(int(folder.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	if err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return folder, nil
}

// sweptFolders are the folders for temporary files that this process has swept: once is enough, for it is what others
// have left before.
var sweptFolders swept

type swept struct {
	mu   sync.Mutex
	done map[string]bool
}

// sweep removes folders that hosts have left which are gone.
func (s *swept) sweep(in string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done[in] {
		return
	}
	if s.done == nil {
		s.done = map[string]bool{}
	}
	s.done[in] = true
	folder, err := os.Open(in)
	if err != nil {
		return
	}
	defer folder.Close()
	for err == nil {
		var names []string
		names, err = folder.Readdirnames(1 << 10) // there may be very many
		for _, name := range names {
			if strings.HasPrefix(name, socketsPrefix) {
				_ = removeLeft(filepath.Join(in, name)) // what is not surely left stays
			}
		}
	}
}

// removeLeft removes a folder that nobody has a lock of, if there is nothing in it but what is in such a folder:
// sockets, and the empty folder that go-plugin makes.
func removeLeft(path string) error {
	folder, err := lockFolder(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	entries, err := folder.ReadDir(-1)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for _, entry := range entries {
		if !entry.IsDir() && entry.Type() != fs.ModeSocket {
			return fs.ErrExist
		}
	}
	for _, entry := range entries {
		how := 0
		if entry.IsDir() {
			how = unix.AT_REMOVEDIR
		}
		if err := unix.Unlinkat(int(folder.Fd()), entry.Name(), how); err != nil {
			return err
		}
	}
	return unix.Rmdir(path)
}
