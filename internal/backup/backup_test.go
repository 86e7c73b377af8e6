package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/allowlist"
	"github.com/penstock-db/penstock/internal/scratch"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sample is an open database with a loaded graph, one of statements, and users.
func sample(t testing.TB, dir string) *store.DB {
	db := small(t, dir, 8)
	commit(t, db, "made", strings.Repeat("long ", 300_000)) // in parts
	return db
}

// small is sample without what is large.
func small(t testing.TB, dir string, scale int) *store.DB {
	db, err := store.Open(dir, store.Options{Create: true})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	source, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: scale, EdgeFactor: 4})
	must(t, err)
	_, err = db.Load(context.Background(), "loaded", source, store.LoadOptions{})
	must(t, err)
	must(t, db.CreateGraph(context.Background(), "made"))
	commit(t, db, "made", "one")
	must(t, os.WriteFile(filepath.Join(dir, "users"), []byte("ann:…\n"), 0o600))
	must(t, allowlist.Enable(dir, "mine"))
	must(t, os.Mkdir(filepath.Join(dir, "models"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "models", "topics.arrow"), []byte("learned"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "models", "other.arrow.new"), []byte("half"), 0o600))
	return db
}

func commit(t testing.TB, db *store.DB, graph, text string) {
	tx, err := db.Begin(context.Background(), graph, store.WriteAccess)
	must(t, err)
	id, err := tx.CreateNode([]store.Token{tx.NewLabel("N")})
	must(t, err)
	must(t, tx.SetNodeProperty(id, tx.NewKey("text"), value.OfString(text)))
	must(t, tx.Commit(context.Background()))
}

func create(t testing.TB, db *store.DB, dir, path, since string, options Options) {
	t.Helper()
	must(t, tryCreate(db, dir, path, since, options))
}

func tryCreate(db *store.DB, dir, path, since string, options Options) error {
	return Create(context.Background(), path, since, func(w io.Writer, previous *PreviousFile) error {
		if previous != nil {
			var err error
			if options.Base, err = ReadBase(previous.Name, previous.Tail); err != nil {
				return err
			}
		}
		return Write(context.Background(), db, dir, w, options)
	})
}

// check verifies a backup and, if that finds nothing, restores it.
func check(path, dir string) error {
	chain, err := OpenChain(path)
	if err != nil {
		return err
	}
	defer chain.Close()
	if err := chain.Verify(context.Background(), nil); err != nil {
		return err
	}
	_, err = chain.Restore(context.Background(), dir, RestoreOptions{})
	return err
}

// A flipped bit, or a missing end, anywhere in a backup or in one that it follows is found before
// anything is written.
func TestVerify_FindsDamage(t *testing.T) {
	dir := scratch.Dir(t)
	db := sample(t, filepath.Join(dir, "db"))
	full, next := filepath.Join(dir, "full"), filepath.Join(dir, "next")
	create(t, db, filepath.Join(dir, "db"), full, "", Options{Compress: true})
	commit(t, db, "made", "two")
	create(t, db, filepath.Join(dir, "db"), next, full, Options{})
	must(t, check(next, filepath.Join(dir, "sound")))
	r := testseed.Rand(t)
	harmed := 0
	for _, path := range []string{full, next} {
		whole, err := os.ReadFile(path)
		must(t, err)
		for _, at := range places(t, path, len(whole), r) {
			harm := bytes.Clone(whole)
			harm[at] ^= 1 << r.IntN(8)
			refused(t, path, next, harm, fmt.Sprintf("a flipped bit at byte %d", at))
			refused(t, path, next, whole[:at], fmt.Sprintf("the end at byte %d", at))
			zeroed := bytes.Clone(whole)
			clear(zeroed[at:min(len(zeroed), at+512)])
			if !bytes.Equal(zeroed, whole) {
				refused(t, path, next, zeroed, fmt.Sprintf("zeros at byte %d", at))
			}
			harmed += 3
		}
		must(t, os.WriteFile(path, whole, 0o600))
	}
	must(t, check(next, filepath.Join(dir, "again")))
	t.Logf("%d damaged files", harmed)
}

// places are the beginnings and ends of all records and of the trailer, the bytes around them, and
// some at random.
func places(t *testing.T, path string, size int, r *rand.Rand) []int {
	f, err := Open(path)
	must(t, err)
	defer f.Close()
	all := map[int]bool{0: true, size - 1: true}
	records := f.records(int64(len(magic)), f.Size-trailerSize)
	for {
		rec, err := records.next()
		if errors.Is(err, io.EOF) {
			break
		}
		must(t, err)
		for _, at := range []int64{rec.offset - 1, rec.offset, rec.offset + 1, rec.offset + 5, rec.offset + headSize,
			records.offset - 1} {
			all[int(at)] = true
		}
	}
	for at := size - trailerSize; at < size; at += 5 {
		all[at] = true
	}
	for range 50 {
		all[r.IntN(size)] = true
	}
	return slices.Sorted(maps.Keys(all))
}

func refused(t *testing.T, path, next string, content []byte, harm string) {
	t.Helper()
	must(t, os.WriteFile(path, content, 0o600))
	parent := scratch.Dir(t)
	err := check(next, filepath.Join(parent, "db"))
	var damaged *DamagedError
	var none *NotBackupError
	if !errors.As(err, &damaged) && !errors.As(err, &none) && !errors.As(err, new(*ChainError)) {
		t.Errorf("%s of %s: %v", harm, path, err)
	}
	if damaged != nil && damaged.Path != path {
		t.Errorf("%s of %s: the error names %s", harm, path, damaged.Path)
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("%s: %v, %v is left", harm, err, left)
	}
}

// A backup of another database is not followed, also when both have the same past.
func TestWrite_RefusesAnotherPast(t *testing.T) {
	dir := scratch.Dir(t)
	db := sample(t, filepath.Join(dir, "db"))
	full := filepath.Join(dir, "full")
	create(t, db, filepath.Join(dir, "db"), full, "", Options{})
	chain, err := OpenChain(full)
	must(t, err)
	defer chain.Close()
	_, err = chain.Restore(t.Context(), filepath.Join(dir, "copy"), RestoreOptions{})
	must(t, err)
	copied, err := store.Open(filepath.Join(dir, "copy"), store.Options{})
	must(t, err)
	defer copied.Close()
	commit(t, db, "made", "here")
	commit(t, copied, "made", "there")
	here := filepath.Join(dir, "here")
	create(t, db, filepath.Join(dir, "db"), here, full, Options{})
	create(t, copied, filepath.Join(dir, "copy"), filepath.Join(dir, "there"), full, Options{})
	var diverged *DivergedError
	if err := tryCreate(copied, "", filepath.Join(dir, "mixed"), here, Options{}); !errors.As(err, &diverged) ||
		diverged.Graph != "made" {
		t.Error(err)
	}
	_, err = db.Compact(t.Context(), "made")
	must(t, err)
	create(t, db, "", filepath.Join(dir, "compacted"), here, Options{})
	if err := tryCreate(copied, "", filepath.Join(dir, "mixed"), filepath.Join(dir, "compacted"),
		Options{}); !errors.As(err, &diverged) {
		t.Error(err)
	}
	commit(t, copied, "made", "and there")
	_, err = copied.Compact(t.Context(), "made")
	must(t, err)
	if err := tryCreate(copied, "", filepath.Join(dir, "mixed"), filepath.Join(dir, "compacted"),
		Options{}); !errors.As(err, &diverged) {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "mixed")); !errors.Is(err, os.ErrNotExist) {
		t.Error("a refused backup is there:", err)
	}
}

// A backup that follows another must find it.
func TestOpenChain_MissesWhatItFollows(t *testing.T) {
	dir := scratch.Dir(t)
	db := sample(t, filepath.Join(dir, "db"))
	full, next := filepath.Join(dir, "full"), filepath.Join(dir, "next")
	create(t, db, "", full, "", Options{})
	create(t, db, "", next, full, Options{})
	var broken *ChainError
	must(t, os.Rename(full, full+".away"))
	if _, err := OpenChain(next); !errors.As(err, &broken) || broken.Previous != full {
		t.Error(err)
	}
	commit(t, db, "made", "more")
	create(t, db, "", full, "", Options{})
	if _, err := OpenChain(next); !errors.As(err, &broken) {
		t.Error(err)
	}
	moved := filepath.Join(dir, "elsewhere")
	must(t, os.Mkdir(moved, 0o755))
	must(t, os.Rename(full+".away", filepath.Join(moved, "full")))
	must(t, os.Rename(next, filepath.Join(moved, "next")))
	must(t, check(filepath.Join(moved, "next"), filepath.Join(dir, "restored")))
}

// What cannot be known is refused with what can.
func TestRestore_RefusesUnknownPoints(t *testing.T) {
	dir := scratch.Dir(t)
	db := sample(t, filepath.Join(dir, "db"))
	before := time.Now()
	_, err := db.Compact(t.Context(), "made")
	must(t, err)
	commit(t, db, "made", "three")
	full := filepath.Join(dir, "full")
	create(t, db, "", full, "", Options{})
	chain, err := OpenChain(full)
	must(t, err)
	defer chain.Close()
	for _, point := range []Point{
		{Time: before}, {Time: time.Now()}, {Commits: map[string]uint64{"made": 2}},
		{Commits: map[string]uint64{"nobody": 0}},
	} {
		var unknown *PointError
		_, err := chain.Restore(t.Context(), filepath.Join(dir, "restored"), RestoreOptions{Point: point})
		if !errors.As(err, &unknown) || point.Commits == nil && len(unknown.Windows) != 1 {
			t.Errorf("%v: %v", point, err)
		}
	}
	restored, err := chain.Restore(t.Context(), filepath.Join(dir, "restored"),
		RestoreOptions{Point: Point{Commits: map[string]uint64{"made": 0}}})
	if err != nil || len(restored.Graphs) != 2 {
		t.Error(restored, err)
	}
}

// Of one graph alone more is known than of all: what was loaded meanwhile is not in the way.
func TestOnly_KnowsMore(t *testing.T) {
	dir := scratch.Dir(t)
	db := sample(t, filepath.Join(dir, "db"))
	before := time.Now()
	commit(t, db, "made", "three")
	source, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: 4, EdgeFactor: 4})
	must(t, err)
	_, err = db.Load(t.Context(), "loaded", source, store.LoadOptions{Replace: true})
	must(t, err)
	full := filepath.Join(dir, "full")
	create(t, db, "", full, "", Options{})
	chain, err := OpenChain(full)
	must(t, err)
	defer chain.Close()
	point := RestoreOptions{Point: Point{Time: before}}
	if _, err := chain.Restore(t.Context(), filepath.Join(dir, "all"), point); !errors.As(err, new(*PointError)) {
		t.Error(err)
	}
	only, err := chain.Only("made")
	must(t, err)
	restored, err := only.Restore(t.Context(), filepath.Join(dir, "made"), point)
	if err != nil || len(restored.Graphs) != 1 || restored.Graphs[0].Commits != 2 || restored.Graphs[0].Of != 3 {
		t.Error(restored, err)
	}
	if _, err := chain.Only("made", "nobody"); !errors.As(err, new(*PointError)) {
		t.Error(err)
	}
}

// A backup has the users, the plugins that may run and the models, but for what is not written to its end, and gives
// them back to nobody else.
func TestRestore_Beside(t *testing.T) {
	dir := scratch.Dir(t)
	db := sample(t, filepath.Join(dir, "db"))
	create(t, db, filepath.Join(dir, "db"), filepath.Join(dir, "full"), "", Options{})
	must(t, check(filepath.Join(dir, "full"), filepath.Join(dir, "restored")))
	text, err := os.ReadFile(filepath.Join(dir, "restored", "users"))
	if err != nil || string(text) != "ann:…\n" {
		t.Errorf("%q %v", text, err)
	}
	if list := allowlist.Read(filepath.Join(dir, "restored")); !slices.Equal(list.Names, []string{"mine"}) {
		t.Errorf("%+v", list)
	}
	text, err = os.ReadFile(filepath.Join(dir, "restored", "models", "topics.arrow"))
	if err != nil || string(text) != "learned" {
		t.Errorf("%q %v", text, err)
	}
	if models, err := os.ReadDir(filepath.Join(dir, "restored", "models")); err != nil || len(models) != 1 {
		t.Errorf("%v %v", models, err)
	}
	for _, path := range []string{"full", "restored/users", "restored/models/topics.arrow"} {
		info, err := os.Stat(filepath.Join(dir, path))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Error(path, info.Mode(), err)
		}
	}
}

// No name leads out of the database.
func TestIsBeside(t *testing.T) {
	for _, name := range []string{"", "users2", "FORMAT", "../users", "models/../users", "models/.hidden.arrow", "models/a",
		"models/a/b.arrow", "/models/a.arrow", "models/a.arrow\n"} {
		if isBeside(name) {
			t.Errorf("%q goes with the graphs", name)
		}
	}
}

// Whatever the end of the writing, nothing is there but a whole backup.
func TestCreate_LeavesNothing(t *testing.T) {
	dir := scratch.Dir(t)
	db := sample(t, filepath.Join(dir, "db"))
	out := filepath.Join(dir, "out")
	must(t, os.Mkdir(out, 0o755))
	path := filepath.Join(out, "full")
	broken := errors.New("broken")
	half := func(w io.Writer, _ *PreviousFile) error {
		var all bytes.Buffer
		must(t, Write(t.Context(), db, "", &all, Options{}))
		_, err := w.Write(all.Bytes()[:all.Len()/2])
		return err
	}
	if err := Create(t.Context(), path, "", half); !errors.As(err, new(*DamagedError)) {
		t.Error(err)
	}
	if err := Create(t.Context(), path, "", func(io.Writer, *PreviousFile) error { return broken }); !errors.Is(err,
		broken) {
		t.Error(err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Create(canceled, path, "", func(w io.Writer,
		_ *PreviousFile) error {
		return Write(canceled, db, "", w, Options{})
	}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left, err := os.ReadDir(out); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
	create(t, db, "", path, "", Options{})
	if err := tryCreate(db, "", path, "", Options{}); !errors.As(err, new(*store.ExistsError)) {
		t.Error(err)
	}
}
