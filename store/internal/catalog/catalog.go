// Package catalog keeps the second copy of the list of graphs: a file beside Badger's, which says
// how many graphs there are, with the manifest of each. Badger's copy and this one are written
// independently, so that neither an empty tree nor an empty file passes for an empty database.
//
//	penstock catalog 1\n
//	length 4 | CRC-32C 4 | change as JSON     for each change, numbers big-endian
//
// A change is appended and synced before Badger is told of it. So the two copies agree, or the
// last change is one that Badger never got: the process ended in between. A bad record at the end of
// the file is such a change too, torn; one before the end is damage.
package catalog

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/penstock-db/penstock/internal/durable"
)

const (
	head       = "penstock catalog 1\n"
	recordHead = 8
	slack      = 1 << 20 // the file is written anew when it is twice what is in use, and this
)

// Graph is what the catalog has of a graph.
type Graph struct {
	Name     string          `json:"graph"`
	Snapshot uint64          `json:"snapshot,omitempty"` // 0: the graph was dropped
	Manifest json.RawMessage `json:"manifest,omitempty"`
}

// State is the graphs of a catalog, by name.
type State struct {
	Graphs map[string]Graph
	// Before are the graphs before the last change, which Badger may never have got.
	Before map[string]Graph
	// Size is where the last whole change ends.
	Size int64
}

// DamagedError says that a catalog is not what was written.
type DamagedError struct {
	File   string
	Offset int64 // -1: the file as a whole
	Reason string
}

func (e *DamagedError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("%s: %s", filepath.Base(e.File), e.Reason)
	}
	return fmt.Sprintf("%s at byte %d: %s", filepath.Base(e.File), e.Offset, e.Reason)
}

// Read reads a catalog. The state is of all changes before the damage, if there is any.
//
// Errors: *DamagedError, fs.ErrNotExist.
func Read(path string) (State, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return State{Graphs: map[string]Graph{}, Before: map[string]Graph{}}, err
	}
	state, offset, reason := parse(text)
	if reason != "" {
		return state, &DamagedError{path, offset, reason}
	}
	return state, nil
}

// Is tells whether the file begins as a catalog does.
func Is(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	text := make([]byte, len(head))
	_, err = io.ReadFull(file, text)
	return err == nil && string(text) == head
}

// parse reads all changes; reason is empty where nothing but the end may be torn.
func parse(text []byte) (s State, offset int64, reason string) {
	s = State{Graphs: map[string]Graph{}, Before: map[string]Graph{}}
	if len(text) < len(head) || string(text[:len(head)]) != head {
		return s, 0, "it does not begin as a catalog does"
	}
	at := len(head)
	var last Graph // the change that is not in Graphs yet
	for at < len(text) {
		change, size, ok := record(text[at:])
		if !ok {
			break
		}
		apply(s.Graphs, last)
		last = change
		at += size
	}
	s.Before = maps.Clone(s.Graphs)
	apply(s.Graphs, last)
	s.Size = int64(at)
	for next := at + 1; next < len(text); next++ {
		if _, _, ok := record(text[next:]); ok {
			return s, s.Size, fmt.Sprintf("a change is damaged, and a whole one follows at byte %d", next)
		}
	}
	return s, 0, ""
}

// record reads the change that text begins with.
func record(text []byte) (change Graph, size int, ok bool) {
	if len(text) < recordHead {
		return Graph{}, 0, false
	}
	n := binary.BigEndian.Uint32(text)
	if n == 0 || uint64(n) > uint64(len(text)-recordHead) {
		return Graph{}, 0, false
	}
	payload := text[recordHead : recordHead+int(n)]
	if payload[0] != '{' || crc32.Checksum(payload, castagnoli) != binary.BigEndian.Uint32(text[4:]) {
		return Graph{}, 0, false
	}
	return change, recordHead + int(n), json.Unmarshal(payload, &change) == nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func apply(graphs map[string]Graph, change Graph) {
	if change.Snapshot == 0 {
		delete(graphs, change.Name)
		return
	}
	graphs[change.Name] = change
}

// Catalog is a catalog that is open for changes. Its methods may be called from several goroutines.
type Catalog struct {
	mu    sync.Mutex
	path  string
	file  *os.File
	size  int64 // of the file: all of it is whole changes
	live  int64 // of the graphs there are
	state map[string]Graph
}

// Open opens a catalog that Read has found whole. What is torn at its end is cut off.
func Open(path string, state State) (*Catalog, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	c := &Catalog{path: path, file: file, size: state.Size, state: maps.Clone(state.Graphs)}
	for _, g := range c.state {
		c.live += weigh(g)
	}
	if err := file.Truncate(c.size); err != nil {
		file.Close()
		return nil, err
	}
	return c, nil
}

// Create writes a catalog of graphs, in place of any that is there.
func Create(path string, graphs map[string]Graph) (*Catalog, error) {
	c := &Catalog{path: path, state: maps.Clone(graphs)}
	if c.state == nil {
		c.state = map[string]Graph{}
	}
	return c, c.rewrite()
}

// Close closes the file.
func (c *Catalog) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.file.Close()
}

// Snapshots are the snapshot of each graph.
func (c *Catalog) Snapshots() map[string]uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make(map[string]uint64, len(c.state))
	for name, g := range c.state {
		all[name] = g.Snapshot
	}
	return all
}

// Change syncs the change to the disk and then has commit make it in the tree. Where commit has not made it, the change
// is taken back. A file that has grown too large is written anew before; not for a graph that is dropped, which must be
// possible on a full disk.
func (c *Catalog) Change(change Graph, commit func() (made bool, err error)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	payload, err := json.Marshal(change)
	if err != nil {
		return err
	}
	if change.Snapshot != 0 && c.size > 2*c.live+slack {
		if err := c.rewrite(); err != nil {
			return err
		}
	}
	before := c.size
	if err := c.append(payload); err != nil {
		return errors.Join(err, c.cut(before))
	}
	made, err := commit()
	if !made {
		return errors.Join(err, c.cut(before))
	}
	c.live += weigh(change) - weigh(c.state[change.Name])
	apply(c.state, change)
	return err
}

func weigh(g Graph) int64 { return int64(len(g.Manifest)) }

// append writes a change and syncs it.
func (c *Catalog) append(payload []byte) error {
	text := encode(nil, payload)
	if _, err := c.file.WriteAt(text, c.size); err != nil {
		return err
	}
	if err := c.file.Sync(); err != nil {
		return err
	}
	c.size += int64(len(text))
	return nil
}

func encode(dst, payload []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(payload)))
	dst = binary.BigEndian.AppendUint32(dst, crc32.Checksum(payload, castagnoli))
	return append(dst, payload...)
}

// cut takes back what follows size. Should that fail, the next Open finds a change that Badger never got.
func (c *Catalog) cut(size int64) error {
	c.size = size
	return errors.Join(c.file.Truncate(size), c.file.Sync())
}

// rewrite writes the graphs to a new file, which takes the place of the old one. Should it fail, the file that is there
// then goes on, whichever that is. If that cannot be opened, every change fails from then on.
func (c *Catalog) rewrite() error {
	text := []byte(head)
	live := int64(0)
	for _, name := range slices.Sorted(maps.Keys(c.state)) {
		payload, err := json.Marshal(c.state[name])
		if err != nil {
			return err
		}
		text = encode(text, payload)
		live += weigh(c.state[name])
	}
	if c.file != nil {
		c.file.Close()
	}
	failed := durable.Replace(c.path, text, 0o644)
	file, err := os.OpenFile(c.path, os.O_RDWR, 0)
	if err != nil {
		return errors.Join(failed, err)
	}
	c.file = file
	info, err := file.Stat()
	if err != nil {
		return errors.Join(failed, err, file.Close())
	}
	c.live, c.size = live, info.Size()
	return failed
}
