package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/store/internal/directory"
	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// The fault matrix. A database is damaged in one file; then it is read, written to, loaded into, closed and opened
// again.
//
//   - A graph is what it was, or an error names it; no graph is gone without an error.
//   - Where Open refuses, it has changed no byte, and the database can be read: each graph whole, or an error.
//   - Without the damage, all is there again.
//
// PENSTOCK_FAULTS is how many cases to draw, PENSTOCK_FAULT_SEED what they are drawn from; without it they are
// always the same.
func TestFaults(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	cases, seed := 8, uint64(13)
	if long.Tests() {
		cases = 60
	}
	if n, err := strconv.Atoi(os.Getenv("PENSTOCK_FAULTS")); err == nil {
		cases = n
	}
	if n, err := strconv.ParseUint(os.Getenv("PENSTOCK_FAULT_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	victims := []*victim{newVictim(t, true), newVictim(t, false)}
	outcomes := map[string]int{}
	for i := range cases {
		v := victims[i%2]
		f := v.draw(r, i)
		outcome := v.suffer(t, f)
		outcomes[fmt.Sprintf("%-11s %-8s %s", f.kindOfFile(), f.kind, outcome)]++
		if t.Failed() {
			t.Fatalf("case %d of seed %d: %v", i, seed, f)
		}
	}
	for _, line := range slices.Sorted(maps.Keys(outcomes)) {
		t.Logf("%4d %s", outcomes[line], line)
	}
}

// victim is a database with its files, as they are when it was closed or when its process was killed.
type victim struct {
	closed bool
	dir    string
	files  map[string]image
	names  []string // of files, ascending
	want   map[string]content
}

// image is a file without the holes behind its end.
type image struct {
	data []byte
	size int64
}

// content is a graph: its snapshot as text, and the payloads of commits since.
type content struct {
	lines   []string
	commits [][]byte
}

func newVictim(t *testing.T, closed bool) *victim {
	t.Helper()
	v := &victim{closed: closed, dir: filepath.Join(scratch(t), "db"), files: map[string]image{},
		want: map[string]content{}}
	db, err := Open(v.dir, Options{Create: true})
	must(t, err)
	defer db.Close()
	load := func(name string, seed uint64) {
		m := randomModel(rand.New(rand.NewPCG(seed, 1)), memory.DefaultAllocator, 2000, 30000)
		_, err := db.Load(t.Context(), name, m, load.Options{ChunkBytes: 1 << 17, Replace: true})
		must(t, err)
	}
	load("loaded", 1)
	must(t, db.CreateGraph(t.Context(), "written"))
	commitNodes(t, db, 3, 100)
	if !closed { // some of it is in tables, the rest in logs
		must(t, db.Close())
		db, err = Open(v.dir, Options{})
		must(t, err)
		defer db.Close()
	}
	load("second", 2)
	commitNodes(t, db, 4, 100)
	commitNodes(t, db, 1, 100_000)
	commitNodes(t, db, 2, 10)
	for _, name := range []string{"loaded", "second", "written"} {
		v.want[name], err = contentOf(t.Context(), db, name)
		must(t, err)
	}
	if closed {
		must(t, db.Close())
	}
	v.files = images(t, v.dir)
	for name, file := range v.files {
		if len(file.data) > 0 && name != directory.LockFile && name != directory.DataDir+"/LOCK" && name != "BALLAST" {
			v.names = append(v.names, name)
		}
	}
	slices.Sort(v.names)
	v.dir = filepath.Join(scratch(t), "db")
	return v
}

// commitNodes commits nodes to the graph "written", each with a text of so many bytes.
func commitNodes(t *testing.T, db *DB, commits, size int) {
	t.Helper()
	for i := range commits {
		must(t, commitNode(t.Context(), db, fmt.Sprint(i, strings.Repeat("x", size))))
	}
}

func commitNode(ctx context.Context, db *DB, text string) error {
	tx, err := db.Begin(ctx, "written", transaction.WriteAccess)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	id, err := tx.CreateNode([]base.Token{tx.NewLabel("L")})
	if err != nil {
		return err
	}
	if err := tx.SetNodeProperty(id, tx.NewKey("text"), value.OfString(text)); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// contentOf reads all of a graph.
func contentOf(ctx context.Context, db *DB, graph string) (c content, err error) {
	if err := db.Verify(ctx, graph); err != nil {
		return c, err
	}
	s, err := db.Snapshot(graph)
	if err != nil {
		return c, err
	}
	defer s.Close()
	src := s.Source(nil)
	defer src.Close()
	err = src.Nodes(ctx, func(b *formats.NodeBatch) error {
		for i := range b.ID.Len() {
			c.lines = append(c.lines, fmt.Sprint(b.ID.Text(i), spell(b.Props, i)))
		}
		return nil
	})
	if err == nil {
		err = src.Edges(ctx, func(b *formats.EdgeBatch) error {
			for i := range b.Src.Len() {
				c.lines = append(c.lines, fmt.Sprint(b.Src.Text(i), " ", b.Dst.Text(i), spell(b.Props, i)))
			}
			return nil
		})
	}
	if err == nil {
		err = db.log.Each(ctx, graph, s.Manifest().LogID(), func(_ uint64, changes []byte) error {
			c.commits = append(c.commits, bytes.Clone(changes))
			return nil
		})
	}
	return c, err
}

// is tells whether c is want with so many commits more.
func (c content) is(want content, more int) bool {
	return slices.Equal(c.lines, want.lines) && len(c.commits) == len(want.commits)+more &&
		slices.EqualFunc(c.commits[:len(want.commits)], want.commits, bytes.Equal)
}

// images reads all files below dir, as they are while another process may write to them.
func images(t *testing.T, dir string) map[string]image {
	t.Helper()
	all := map[string]image{}
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return err
		}
		end := int64(0)
		for {
			data, err := unix.Seek(int(file.Fd()), end, unix.SEEK_DATA)
			if err != nil {
				break
			}
			if end, err = unix.Seek(int(file.Fd()), data, unix.SEEK_HOLE); err != nil {
				return err
			}
		}
		text := make([]byte, end)
		if _, err := file.ReadAt(text, 0); err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		all[name] = image{trimZeros(text), info.Size()}
		return nil
	}))
	return all
}

// fault is what happens to a file.
type fault struct {
	file string
	kind string // flip, truncate, zero, delete
	at   int64  // the byte; of a sector the first
	bit  uint8
	size int64 // of the sector
}

func (f fault) kindOfFile() string {
	if ext := filepath.Ext(f.file); ext != "" {
		return ext[1:]
	}
	return filepath.Base(f.file)
}

// draw draws a fault: half of the flips hit the beginning or the end of the file, where its structures are.
func (v *victim) draw(r *rand.Rand, i int) fault {
	f := fault{file: v.names[r.IntN(len(v.names))], kind: []string{"flip", "flip", "truncate", "zero", "delete"}[i/2%5]}
	size := int64(len(v.files[f.file].data))
	switch r.IntN(4) {
	case 0:
		f.at = r.Int64N(min(size, 96))
	case 1:
		f.at = size - 1 - r.Int64N(min(size, 96))
	default:
		f.at = r.Int64N(size)
	}
	f.bit = uint8(r.IntN(8))
	if f.kind == "zero" {
		f.size = []int64{512, 4096}[r.IntN(2)]
		f.at = f.at / f.size * f.size
	}
	return f
}

// apply damages a file.
func (f fault) apply(file image) image {
	text := slices.Clone(file.data)
	switch f.kind {
	case "flip":
		text[f.at] ^= 1 << f.bit
	case "truncate":
		return image{text[:f.at], f.at}
	case "zero":
		clear(text[f.at:min(f.at+f.size, int64(len(text)))])
	}
	return image{text, file.size}
}

// lay writes files to the directory, in place of what is there.
func (v *victim) lay(t *testing.T, files map[string]image) {
	t.Helper()
	must(t, os.RemoveAll(v.dir))
	for name, file := range files {
		path := filepath.Join(v.dir, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, file.data, 0o644))
		must(t, os.Truncate(path, file.size))
	}
	must(t, os.MkdirAll(filepath.Join(v.dir, directory.DataDir), 0o755))
}

// suffer damages the database and tells how that ended.
func (v *victim) suffer(t *testing.T, f fault) (outcome string) {
	hurt := maps.Clone(v.files)
	if f.kind == "delete" {
		delete(hurt, f.file)
	} else {
		hurt[f.file] = f.apply(hurt[f.file])
	}
	v.lay(t, hurt)
	db, err := Open(v.dir, Options{})
	if err != nil {
		return fmt.Sprintf("refused, %d of %d graphs can be read", v.refused(t, hurt, err), len(v.want))
	}
	reported := v.read(t, db, 0)
	wrote := 0
	if err := commitNode(t.Context(), db, "after"); err == nil {
		wrote = 1
	} else if !isDamage(err) {
		t.Errorf("a commit: %v", err)
	}
	m := randomModel(rand.New(rand.NewPCG(3, 1)), memory.DefaultAllocator, 1000, 5000)
	if _, err := db.Load(t.Context(), "new", m, load.Options{}); err != nil {
		t.Errorf("a load: %v", err)
	}
	v.read(t, db, wrote)
	must(t, db.Close())
	if db, err = Open(v.dir, Options{}); err != nil {
		t.Errorf("after writes it is refused: %v", err)
		return "broken"
	}
	v.read(t, db, wrote)
	if err := db.Verify(t.Context(), "new"); err != nil {
		t.Errorf("what was loaded: %v", err)
	}
	must(t, db.Close())
	if reported == 0 {
		return "harmless"
	}
	v.undone(t, f, wrote)
	return "reported"
}

// read reads all graphs, and counts errors. more is how many commits have come.
func (v *victim) read(t *testing.T, db *DB, more int) (reported int) {
	t.Helper()
	for name, want := range v.want {
		got, err := contentOf(t.Context(), db, name)
		commits := 0
		if name == "written" {
			commits = more
		}
		var unknown *failure.UnknownGraphError
		switch {
		case errors.As(err, &unknown):
			t.Errorf("graph %s is gone", name)
		case err != nil && !isDamage(err):
			t.Errorf("graph %s: %v", name, err)
		case err != nil:
			reported++
		case !got.is(want, commits):
			t.Errorf("graph %s is another, with %d commits", name, len(got.commits))
		}
	}
	return reported
}

func isDamage(err error) bool {
	var graph *failure.DamagedError
	var database *failure.DamagedDatabaseError
	return errors.As(err, &graph) || errors.As(err, &database)
}

// refused checks a database that Open has refused: it is as it was, can be read, and without the damage is whole.
func (v *victim) refused(t *testing.T, hurt map[string]image, err error) (whole int) {
	t.Helper()
	var not *failure.NotDatabaseError
	var version *VersionError
	unknown := errors.As(err, &not) || errors.As(err, &version) // FORMAT is damaged
	if !unknown && !isDamage(err) {
		t.Errorf("it is refused for %v", err)
	}
	if db, err := Open(v.dir, Options{ReadOnly: true}); err == nil {
		whole = len(v.want) - v.read(t, db, 0)
		if len(db.Damage()) == 0 {
			t.Error("damage was found, and is not when it is opened to be read")
		}
		must(t, db.Close())
		v.repaired(t, whole)
	} else if !unknown {
		t.Errorf("it cannot be read: %v", err)
	}
	for name, now := range images(t, v.dir) {
		if was, ok := hurt[name]; !ok || now.size != was.size || !bytes.Equal(now.data, trimZeros(was.data)) {
			t.Errorf("%s was changed", name)
		}
	}
	v.lay(t, v.files)
	db, err := Open(v.dir, Options{})
	must(t, err)
	if v.read(t, db, 0) > 0 {
		t.Error("the files that were put back are damaged")
	}
	must(t, db.Close())
	return whole
}

// repaired repairs the database: what can be read is saved, and nothing is saved as whole that is not.
func (v *victim) repaired(t *testing.T, readable int) {
	t.Helper()
	to := filepath.Join(filepath.Dir(v.dir), "repaired")
	must(t, os.RemoveAll(to))
	done, err := Repair(t.Context(), v.dir, to)
	if err != nil {
		t.Errorf("it cannot be repaired: %v", err)
		return
	}
	reopen(t, to, func(db *DB) {
		whole := 0
		for _, g := range done.Graphs {
			if g.Snapshot == 0 {
				continue
			}
			got, err := contentOf(t.Context(), db, g.Graph)
			must(t, err)
			want := v.want[g.Graph]
			want.commits = want.commits[:min(len(want.commits), len(got.commits))]
			if !got.is(want, 0) {
				t.Errorf("graph %s was saved as another", g.Graph)
			}
			if g.Lost == nil {
				whole++
				if !got.is(v.want[g.Graph], 0) {
					t.Errorf("graph %s was saved in part, and the report says that it is whole", g.Graph)
				}
			}
		}
		if whole < readable {
			t.Errorf("%d graphs could be read, %d were saved as whole: %+v", readable, whole, done.Graphs)
		}
		if len(done.Graphs) != len(v.want) {
			t.Errorf("the report has %d graphs", len(done.Graphs))
		}
	})
}

// undone takes the damage back, after writes, where the file is still there: then all is whole.
func (v *victim) undone(t *testing.T, f fault, wrote int) {
	t.Helper()
	if f.kind != "flip" && f.kind != "zero" {
		return
	}
	path, was := filepath.Join(v.dir, f.file), v.files[f.file].data
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	end := min(f.at+max(f.size, 1), int64(len(was)))
	_, err = file.WriteAt(was[f.at:end], f.at)
	must(t, errors.Join(err, file.Close()))
	db, err := Open(v.dir, Options{})
	must(t, err)
	if v.read(t, db, wrote) > 0 {
		t.Error("without the damage not all is whole")
	}
	must(t, db.Close())
}
