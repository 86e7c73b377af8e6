package instance

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/backup"
	"github.com/penstock-db/penstock/internal/scratch"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Whatever statements, loads, write-backs and compactions have made of a database: each backup of
// it restores what was there when it was made, by every row of every graph and by the result of
// an algorithm.
func TestBackup_Random(t *testing.T) {
	h := &backupHistory{t: t, r: testseed.Rand(t), dir: scratch.Dir(t)}
	db, err := Open(filepath.Join(h.dir, "db"))
	must(t, err)
	h.db = db
	defer func() { must(t, h.db.Close()) }()
	for range 60 {
		h.step()
	}
	h.backUp()
	for i := range h.backups {
		h.restore(i)
	}
	h.goBack()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// backupHistory is a database and the backups of it, with what it held then.
type backupHistory struct {
	t       *testing.T
	r       *rand.Rand
	dir     string
	db      *DB
	backups []madeBackup
}

type madeBackup struct{ path, held string }

func (h *backupHistory) step() {
	graph := []string{"a", "b"}[h.r.IntN(2)]
	if _, err := h.db.Graph(graph); err != nil {
		h.make(graph)
	}
	switch n := h.r.IntN(12); {
	case n <= 5:
		h.say(graph, "CREATE (:P {x: $x, text: $text})-[:R {w: $x}]->(:Q)")
	case n == 6:
		h.say(graph, "MATCH (n) WITH n LIMIT 3 SET n.y = $x, n:P")
	case n == 7:
		h.say(graph, "MATCH (n) WITH n LIMIT 1 DETACH DELETE n")
	case n == 8:
		h.say(graph, "CALL algo.wcc.write({writeProperty: 'part'})")
	case n == 9:
		_, err := h.db.Compact(h.t.Context(), graph)
		must(h.t, err)
	case n == 10:
		h.backUp()
	case h.r.IntN(4) == 0:
		must(h.t, h.db.Drop(h.t.Context(), graph))
	default:
		must(h.t, h.db.Close())
		db, err := Open(filepath.Join(h.dir, "db"))
		must(h.t, err)
		h.db = db
	}
}

func (h *backupHistory) make(graph string) {
	if h.r.IntN(2) == 0 {
		must(h.t, h.db.CreateGraph(h.t.Context(), graph))
		h.say(graph, "CREATE CONSTRAINT one FOR (s:Single) REQUIRE s.number IS UNIQUE")
		return
	}
	source, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: 6, EdgeFactor: 4, Seed: h.r.Uint64()})
	must(h.t, err)
	_, err = h.db.Generate(h.t.Context(), graph, source, LoadOptions{})
	must(h.t, err)
}

func (h *backupHistory) say(graph, statement string) {
	h.t.Helper()
	text := strings.Repeat("t", h.r.IntN(100))
	if h.r.IntN(10) == 0 {
		text = strings.Repeat("u", 3<<20) // a commit of several parts
	}
	rows(h.t, h.db, graph, statement, map[string]value.Value{"x": value.OfInt(h.r.Int64N(100)),
		"text": value.OfString(text)})
}

func rows(t *testing.T, db *DB, graph, statement string, parameters map[string]value.Value) (all []string) {
	t.Helper()
	result, err := db.Query(t.Context(), graph, statement, parameters)
	must(t, err)
	for result.Next() {
		all = append(all, value.OfList(result.Row()).Text())
	}
	must(t, result.Err())
	must(t, result.Close())
	return all
}

// held is all that a database holds.
func held(t *testing.T, db *DB) string {
	t.Helper()
	graphs, err := db.Graphs()
	must(t, err)
	var all []string
	for _, m := range graphs {
		all = append(all, m.Graph, fmt.Sprint(m.ID, m.Indexes, m.Constraints, m.Created))
		for _, statement := range []string{
			"MATCH (n) RETURN id(n), labels(n), properties(n)",
			"MATCH (a)-[r]->(b) RETURN id(r), type(r), properties(r), id(a), id(b)",
		} {
			found := rows(t, db, m.Graph, statement, nil)
			slices.Sort(found)
			all = append(all, found...)
		}
	}
	return strings.Join(all, "\n")
}

// components are the results of an algorithm. It folds changes into the graphs.
func components(t *testing.T, db *DB) (all []string) {
	t.Helper()
	graphs, err := db.Graphs()
	must(t, err)
	for _, m := range graphs {
		all = append(
			all, rows(t, db, m.Graph, "CALL algo.wcc() YIELD node, componentId RETURN id(node), componentId ORDER BY id(node)",
				nil)...)
	}
	return all
}

// backUp makes a full backup, or one that follows the last or one before.
func (h *backupHistory) backUp() {
	b := madeBackup{path: filepath.Join(h.dir, fmt.Sprint(len(h.backups), ".backup")), held: held(h.t, h.db)}
	options := BackupOptions{Compress: h.r.IntN(2) == 0}
	if n := len(h.backups); n > 0 && h.r.IntN(4) > 0 {
		options.Since = h.backups[n-1-h.r.IntN(min(n, 2))].path
	}
	must(h.t, h.db.Backup(h.t.Context(), b.path, options))
	h.backups = append(h.backups, b)
}

// restore restores a backup, and computes on the last.
func (h *backupHistory) restore(i int) {
	b := h.backups[i]
	restored := h.restoreAt(b.path, backup.Point{}, b.held)
	if i == len(h.backups)-1 {
		if got, want := components(h.t, restored), components(h.t, h.db); !slices.Equal(got, want) {
			h.t.Errorf("the components of %s: %v, not %v", b.path, got, want)
		}
	}
	must(h.t, restored.Close())
}

// goBack restores, by its time, each backup that the last follows.
func (h *backupHistory) goBack() {
	last := h.backups[len(h.backups)-1].path
	chain, err := backup.OpenChain(last)
	must(h.t, err)
	defer chain.Close()
	for _, f := range chain {
		i := slices.IndexFunc(h.backups, func(b madeBackup) bool { return b.path == f.Path })
		must(h.t, h.restoreAt(last, backup.Point{Time: f.End.Time}, h.backups[i].held).Close())
	}
}

func (h *backupHistory) restoreAt(path string, point backup.Point, want string) *DB {
	dir := filepath.Join(scratch.Dir(h.t), "restored")
	_, err := Restore(h.t.Context(), path, dir, backup.RestoreOptions{Point: point})
	must(h.t, err)
	db, err := Open(dir)
	must(h.t, err)
	if got := held(h.t, db); got != want {
		h.t.Errorf("%s, restored at %v, has\n%.2000s\nnot\n%.2000s", path, point, got, want)
	}
	return db
}

// Each commit can be gone back to, by its number and by the time after it was acknowledged.
func TestRestore_EachCommit(t *testing.T) {
	dir := t.TempDir()
	db, err := Open(filepath.Join(dir, "db"))
	must(t, err)
	defer db.Close()
	must(t, db.CreateGraph(t.Context(), "g"))
	h := &backupHistory{t: t, r: rand.New(rand.NewPCG(1, 0)), dir: dir, db: db}
	states := []string{held(t, db)}
	times := []time.Time{time.Now()}
	for i := range 6 {
		h.say("g", "CREATE (:P {x: $x, text: $text})-[:R]->(:Q)")
		states = append(states, held(t, db))
		times = append(times, time.Now())
		if i%3 == 1 {
			h.backUp()
		}
	}
	last := filepath.Join(dir, "last.backup")
	must(t, db.Backup(t.Context(), last, BackupOptions{Since: h.backups[len(h.backups)-1].path}))
	for i, state := range states {
		must(t, h.restoreAt(last, backup.Point{Commits: map[string]uint64{"g": uint64(i)}}, state).Close())
		must(t, h.restoreAt(last, backup.Point{Time: times[i]}, state).Close())
	}
}
