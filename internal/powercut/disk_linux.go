// Package powercut is a disk for tests that loses its power: an ext4 file system on a loop device, whose file is
// served by FUSE, so that every write and every flush of the kernel passes through here.
//
// It models a disk with a volatile cache, as the kernel assumes one:
//
//   - What was written before a flush that was answered stays.
//   - Of what was written since, any sectors (512 bytes) may stay and any may be lost, in any order. Of two writes to
//     one sector the later one wins, if it stays.
//
// It sees what the file system sends, so also stores to mapped files. It models neither a disk that lies about a
// flush, nor one that damages sectors that were not being written. A write that is on its way while a flush
// is answered is taken to have been before it.
package powercut

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

const sector = 512

// Disk is a disk. Its methods must not be called from several goroutines.
type Disk struct {
	dir    string // of the files below
	server *fuse.Server

	mu      sync.Mutex // protects the following
	backing *os.File   // has everything that was written
	size    int64
	cached  []write // since the last flush; bounded by what the kernel writes between two flushes
	left    int     // requests until the power fails; negative: it does not
	failed  chan struct{}
	off     chan struct{} // closed by PowerOff
}

type write struct {
	at          int64
	before, now []byte
}

// New makes a disk of this size with an empty file system, in files in dir. It needs root, /dev/fuse, a free
// loop device and mkfs.ext4; the error says what is missing.
func New(dir string, size int64) (*Disk, error) {
	d := &Disk{dir: dir, size: size, left: -1, failed: make(chan struct{}), off: make(chan struct{})}
	for _, folder := range []string{d.served(), d.Mounted()} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			return nil, err
		}
	}
	var err error
	if d.backing, err = os.Create(d.image()); err != nil {
		return nil, err
	}
	if err := d.backing.Truncate(size); err != nil {
		return nil, err
	}
	if err := run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard",
		d.image()); err != nil {
		return nil, err
	}
	options := &fs.Options{MountOptions: fuse.MountOptions{DirectMountStrict: true, MaxWrite: 1 << 20}}
	if d.server, err = fs.Mount(d.served(), &root{file: &file{disk: d}}, options); err != nil {
		return nil, fmt.Errorf("mounting by FUSE: %w", err)
	}
	return d, keepToItself()
}

// keepToItself keeps the connection to FUSE from processes that are started: one that has it, and waits for an
// answer, would keep it alive after this process has died, and wait forever.
func keepToItself() error {
	const open = "/proc/self/fd"
	entries, err := os.ReadDir(open)
	for _, entry := range entries {
		number, _ := strconv.Atoi(entry.Name())
		if to, err := os.Readlink(filepath.Join(open, entry.Name())); err == nil && to == "/dev/fuse" {
			unix.CloseOnExec(number)
		}
	}
	return err
}

// Close ends the disk. It unmounts what a test that has failed left mounted.
func (d *Disk) Close() error {
	d.PowerOff()
	_ = unix.Unmount(d.Mounted(), unix.MNT_DETACH)
	err := d.server.Unmount()
	for end := time.Now().Add(patience); err != nil && time.Now().Before(end); err = d.server.Unmount() {
		time.Sleep(10 * time.Millisecond)
	}
	return errors.Join(err, d.backing.Close())
}

func (d *Disk) image() string  { return filepath.Join(d.dir, "image") }
func (d *Disk) served() string { return filepath.Join(d.dir, "served") }

// Mounted is the folder that the file system is mounted on.
func (d *Disk) Mounted() string { return filepath.Join(d.dir, "mounted") }

// Mount mounts the file system with power that does not fail.
func (d *Disk) Mount() error { return run("mount", "-o", "loop", d.image(), d.Mounted()) }

// MountToFail mounts the file system with power that fails instead of request number after, counted from 0, once it is
// mounted: writes and flushes are requests. Only other processes may use files on it: this one answers the requests,
// and would wait for itself. From then on requests are not answered until PowerOff.
func (d *Disk) MountToFail(options string, after int) (failed <-chan struct{}, err error) {
	d.mu.Lock()
	d.left, d.failed, d.off, d.cached = -1, make(chan struct{}), make(chan struct{}), nil
	failed = d.failed
	d.mu.Unlock()
	err = run("mount", "-o", "loop"+options, filepath.Join(d.served(), name), d.Mounted())
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left = after
	return failed, err
}

// Fail has the power fail now, unless it has.
func (d *Disk) Fail() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail()
}

func (d *Disk) fail() {
	select {
	case <-d.failed:
	default:
		close(d.failed)
	}
}

// PowerOff lets go of whoever waits for requests that will never be answered. Whoever writes to the disk must have been
// killed.
func (d *Disk) PowerOff() {
	d.Fail()
	select {
	case <-d.off:
	default:
		close(d.off)
	}
}

// patience is for processes that were killed and have not ended yet.
const patience = 10 * time.Second

// Unmount unmounts the file system. After a power failure all that this writes is lost.
func (d *Disk) Unmount() error {
	err := unix.Unmount(d.Mounted(), 0)
	for end := time.Now().Add(patience); errors.Is(err, unix.EBUSY) &&
		time.Now().Before(end); err = unix.Unmount(d.Mounted(), 0) {
		time.Sleep(time.Millisecond)
	}
	return err
}

// Lose has the disk be what a power failure leaves of it, drawn from r: nothing that was not flushed, all
// up to a moment, or any part of it. It returns how many writes were in the cache, and how many of those stay whole.
func (d *Disk) Lose(r *rand.Rand) (cached, whole int, err error) { return d.lose(d.draw(r)) }

// LoseCache has the disk be what was flushed. It returns how many writes are lost.
func (d *Disk) LoseCache() (lost int, err error) {
	lost, _, err = d.lose(func(int) bool { return false })
	return lost, err
}

func (d *Disk) lose(stays func(i int) bool) (cached, whole int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	cached = len(d.cached)
	for i := cached - 1; i >= 0; i-- {
		if _, err := d.backing.WriteAt(d.cached[i].before, d.cached[i].at); err != nil {
			return 0, 0, err
		}
	}
	for i, w := range d.cached {
		all := true
		for at := 0; at < len(w.now); at += sector {
			if !stays(i) {
				all = false
				continue
			}
			if _, err := d.backing.WriteAt(w.now[at:min(at+sector, len(w.now))], w.at+int64(at)); err != nil {
				return 0, 0, err
			}
		}
		if all {
			whole++
		}
	}
	d.cached = nil
	return cached, whole, nil
}

// draw decides which sectors of the cached writes stay.
func (d *Disk) draw(r *rand.Rand) (stays func(i int) bool) {
	switch r.IntN(4) {
	case 0:
		return func(int) bool { return false }
	case 1:
		moment := r.IntN(len(d.cached) + 1)
		return func(i int) bool { return i < moment }
	case 2:
		part := r.Float64()
		kept := make([]bool, len(d.cached))
		for i := range kept {
			kept[i] = r.Float64() < part
		}
		return func(i int) bool { return kept[i] }
	default:
		part := r.Float64()
		return func(int) bool { return r.Float64() < part }
	}
}

// powered counts a request; false: the power has failed, and the request has no effect.
func (d *Disk) powered() bool {
	if d.left == 0 {
		d.fail()
	}
	d.left = max(-1, d.left-1)
	select {
	case <-d.failed:
	default:
		return true
	}
	d.mu.Unlock()
	<-d.off
	d.mu.Lock()
	return false
}

func run(command string, args ...string) error {
	if out, err := exec.Command(command, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", command, err, out)
	}
	return nil
}

// name is that of the only file that is served.
const name = "disk"

type root struct {
	fs.Inode
	file *file
}

func (r *root) OnAdd(ctx context.Context) {
	r.AddChild(name, r.NewPersistentInode(ctx, r.file, fs.StableAttr{Mode: fuse.S_IFREG}), false)
}

// file is the disk as the loop device sees it.
type file struct {
	fs.Inode
	disk *Disk
}

var (
	_ fs.NodeOpener    = (*file)(nil)
	_ fs.NodeGetattrer = (*file)(nil)
	_ fs.NodeReader    = (*file)(nil)
	_ fs.NodeWriter    = (*file)(nil)
	_ fs.NodeFsyncer   = (*file)(nil)
)

// Open forgets what the kernel has cached of the file before a power failure.
func (f *file) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) { return nil, 0, 0 }

func (f *file) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	out.Mode, out.Size = fuse.S_IFREG|0o600, uint64(f.disk.size)
	return 0
}

func (f *file) Read(_ context.Context, _ fs.FileHandle, to []byte, at int64) (fuse.ReadResult, syscall.Errno) {
	n, err := f.disk.backing.ReadAt(to, at)
	if err != nil && at+int64(n) < f.disk.size {
		return nil, syscall.EIO
	}
	return fuse.ReadResultData(to[:n]), 0
}

func (f *file) Write(_ context.Context, _ fs.FileHandle, data []byte, at int64) (uint32, syscall.Errno) {
	d := f.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.powered() {
		return uint32(len(data)), 0
	}
	w := write{at: at, before: make([]byte, len(data)), now: append([]byte(nil), data...)}
	if _, err := d.backing.ReadAt(w.before, at); err != nil {
		return 0, syscall.EIO
	}
	if _, err := d.backing.WriteAt(data, at); err != nil {
		return 0, syscall.EIO
	}
	d.cached = append(d.cached, w)
	return uint32(len(data)), 0
}

// Fsync is a flush.
func (f *file) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	d := f.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.powered() {
		d.cached = nil
	}
	return 0
}
