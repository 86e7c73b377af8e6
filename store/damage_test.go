package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// damaged is a closed database with one graph, whose files can be put back.
type damaged struct {
	dir          string
	nodes, edges []string
	files        map[string][]byte // without the holes at the end
	size         map[string]int64
}

func newDamaged(t *testing.T) *damaged {
	d := &damaged{dir: scratch(t), files: map[string][]byte{}, size: map[string]int64{}}
	reopen(t, d.dir, func(db *DB) {
		m := randomModel(rand.New(rand.NewPCG(5, 5)), memory.DefaultAllocator, 3000, 60000)
		_, err := db.Load(context.Background(), "g", m, load.Options{ChunkBytes: 1 << 17, Order: manifest.OrderDegree})
		must(t, err)
		s, err := db.Snapshot("g")
		must(t, err)
		defer s.Close()
		d.nodes, d.edges = drain(t, s.Source(nil))
	})
	paths, err := filepath.Glob(filepath.Join(d.dir, directory.DataDir, "*"))
	must(t, err)
	for _, path := range paths {
		content, err := os.ReadFile(path)
		must(t, err)
		d.files[path], d.size[path] = trimZeros(content), int64(len(content))
	}
	return d
}

func trimZeros(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	return slices.Clone(b)
}

// restore puts every file back, and removes those that have come.
func (d *damaged) restore(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(d.dir, directory.DataDir, "*"))
	must(t, err)
	for _, path := range paths {
		must(t, os.Remove(path))
	}
	for path, content := range d.files {
		must(t, os.WriteFile(path, content, 0o600))
		must(t, os.Truncate(path, d.size[path]))
	}
}

// flip inverts one bit of a file.
func (d *damaged) flip(t *testing.T, path string, at int) {
	content := slices.Clone(d.files[path])
	content[at/8] ^= 1 << (at % 8)
	must(t, os.WriteFile(path, content, 0o600))
	must(t, os.Truncate(path, d.size[path]))
}

// A flipped bit in any file is reported, or does no harm: what is read is never wrong.
func TestVerify_FindsFlippedBits(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	d := newDamaged(t)
	r := testseed.Rand(t)
	found := 0
	for path, content := range testseed.Sorted(d.files) {
		if len(content) == 0 {
			continue
		}
		for range flips(path) {
			at := r.IntN(8 * len(content))
			d.restore(t)
			d.flip(t, path, at)
			if d.check(t, path, at) {
				found++
			}
		}
	}
	t.Logf("%d flips were reported", found)
}

// flips is how often to damage a file: the value log holds the chunks.
func flips(path string) int {
	if filepath.Ext(path) == ".vlog" {
		return 30
	}
	return 8
}

// check opens the database and tells whether damage was reported; when none was, all must be there.
func (d *damaged) check(t *testing.T, path string, at int) (reported bool) {
	t.Helper()
	db, err := Open(d.dir, Options{})
	if err != nil {
		d.expect(t, path, at, err)
		return true
	}
	defer func() { must(t, db.Close()) }()
	if err := db.Verify(context.Background(), "g"); err != nil {
		d.expect(t, path, at, err)
		return true
	}
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	nodes, edges := drain(t, s.Source(nil))
	if !slices.Equal(nodes, d.nodes) || !slices.Equal(edges, d.edges) {
		t.Errorf("bit %d of %s: wrong data without an error", at, filepath.Base(path))
	}
	return false
}

func (d *damaged) expect(t *testing.T, path string, at int, err error) {
	t.Helper()
	var damage *failure.DamagedError
	var unknown *failure.UnknownGraphError
	if !errors.As(err, &damage) && !errors.As(err, &unknown) {
		t.Errorf("bit %d of %s: %T %v", at, filepath.Base(path), err, err)
	}
}

// A record in a value log whose lengths are damaged is reported, and the database closes: Badger would keep a lock.
func TestGet_DamagedHead(t *testing.T) {
	dir := scratch(t)
	reopen(t, dir, func(db *DB) { must(t, bigLoad(db, "g")) })
	log := tree.LogPath(filepath.Join(dir, directory.DataDir), 1)
	for i := range 8 * 4 {
		at, bit := tree.VlogHeader+2+i/8, i%8 // of the lengths of key and value
		flipBit(t, log, at, bit)
		reopen(t, dir, func(db *DB) {
			if err := db.Verify(t.Context(), "g"); !errors.As(err, new(*failure.DamagedError)) {
				t.Errorf("bit %d of byte %d: %v", bit, at, err)
			}
		})
		flipBit(t, log, at, bit)
	}
	reopen(t, dir, func(db *DB) { must(t, db.Verify(t.Context(), "g")) })
}
