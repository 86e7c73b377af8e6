package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/powercut"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// The power fails at a random write or flush of a process that commits, loads, replaces, writes back, compacts, drops,
// collects garbage and makes backups, also while it creates or recovers the database. Of what was not flushed, some
// stays (see package powercut). Then the database opens, every graph is whole, and is as it was acknowledged, or as
// what was under way at that moment makes it.
//
// PENSTOCK_POWER_ROUNDS is how often.
func TestPower(t *testing.T) {
	long.Unraced(t)
	rounds, seed := 2, testseed.New(t)
	if long.Tests() {
		rounds = 12
	}
	if n, err := strconv.Atoi(os.Getenv("PENSTOCK_POWER_ROUNDS")); err == nil {
		rounds = n
	}
	disk, err := powercut.New(scratch(t), 1<<30)
	if err != nil {
		t.Skip("needs root, /dev/fuse, a loop device and mkfs.ext4 (Debian: fuse3, e2fsprogs): ", err)
	}
	defer func() { must(t, disk.Close()) }()
	p := &powerRounds{disk: disk, r: rand.New(rand.NewPCG(seed, 0)),
		known: acknowledged{graphs: map[string]graphState{}, begun: map[string]bool{}}}
	for round := range rounds {
		p.cut(t, round, seed)
		if p.r.IntN(3) == 0 {
			p.cut(t, round, seed+1) // while it recovers
		}
		p.check(t, round)
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
	t.Logf(
		"%d power failures: %d acknowledgements, %d commits, %d backups; %d of %d unflushed writes were lost, %d times all",
		p.cuts, p.acknowledgements, p.commits, p.backups, p.lost, p.cached, p.lostAll)
}

// powerRounds are the rounds so far.
type powerRounds struct {
	disk  *powercut.Disk
	r     *rand.Rand
	known acknowledged
	since int // power failures since the last check

	cuts, acknowledgements, backups int
	commits                         int64
	cached, lost, lostAll           int
}

// acknowledged is what a process has reported.
type acknowledged struct {
	created bool
	graphs  map[string]graphState
	begun   map[string]bool // graphs that something was begun with and not acknowledged
	commits int64
	backups []string
}

type graphState struct {
	id   uint64
	mark int64 // of the property "mark"; -1: it has none
}

// mostRequests is before how many writes and flushes the power fails.
const mostRequests = 4000

// powerOptions are those of ext4: what it does with the order of data and metadata.
var powerOptions = []string{"", "", ",data=writeback", ",data=journal", ",commit=1"}

// cut has a process work until the power fails.
func (p *powerRounds) cut(t *testing.T, round int, seed uint64) {
	t.Helper()
	after := int(math.Exp(p.r.Float64() * math.Log(mostRequests)))
	options := powerOptions[p.r.IntN(len(powerOptions))]
	t.Logf("round %d: the power fails after %d requests; ext4 has options %q", round, after, options)
	failed, err := p.disk.MountToFail(options, after)
	must(t, err)
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childEnv+"=power", childDirEnv+"="+filepath.Join(p.disk.Mounted(), "db"),
		fmt.Sprintf("%s=%d", childSeed, seed+uint64(1000*round)))
	var complaint strings.Builder
	child.Stderr = &complaint
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}()
	late := time.After(20 * time.Second)
	for working := true; working; {
		select {
		case line, ok := <-lines:
			if !ok {
				t.Fatalf("round %d: the process has ended by itself: %s", round, complaint.String())
			}
			p.hear(t, line)
		case <-failed:
			working = false
		case <-late:
			p.disk.Fail()
		}
	}
	for quiet := false; !quiet; { // what was reported before the failure arrives
		select {
		case line, ok := <-lines:
			quiet = !ok
			if ok {
				p.hear(t, line)
			}
		case <-time.After(20 * time.Millisecond):
			quiet = true
		}
	}
	_ = child.Process.Kill()
	p.disk.PowerOff()
	_ = child.Wait()
	must(t, p.disk.Unmount())
	cached, whole, err := p.disk.Lose(p.r)
	must(t, err)
	t.Logf("%d of %d unflushed writes stay", whole, cached)
	p.cuts, p.since = p.cuts+1, p.since+1
	p.cached, p.lost = p.cached+cached, p.lost+cached-whole
	if whole == 0 && cached > 0 {
		p.lostAll++
	}
}

// hear takes a line of the process: "begin GRAPH", "graph GRAPH SNAPSHOT MARK", "commits NUMBER", "backup FILE" or
// "open".
func (p *powerRounds) hear(t *testing.T, line string) {
	t.Helper()
	what, rest, _ := strings.Cut(line, " ")
	if what != "begin" {
		p.acknowledgements++
	}
	var name string
	var state graphState
	switch what {
	case "open":
		p.known.created = true
	case "begin":
		p.known.begun[rest] = true
	case "graph":
		if _, err := fmt.Sscan(rest, &name, &state.id, &state.mark); err != nil {
			t.Fatal(line, err)
		}
		p.known.graphs[name] = state
		delete(p.known.begun, name)
	case "commits":
		n, err := strconv.ParseInt(rest, 10, 64)
		must(t, err)
		p.known.commits = n
		p.commits++
	case "backup":
		p.known.backups = append(p.known.backups, rest)
		p.backups++
	default:
		t.Fatal(line)
	}
}

// check opens what is left, compares it with what was acknowledged, and goes on from there.
func (p *powerRounds) check(t *testing.T, round int) {
	t.Helper()
	must(t, p.disk.Mount())
	defer func() { must(t, p.disk.Unmount()) }()
	dir := filepath.Join(p.disk.Mounted(), "db")
	db, err := Open(dir, Options{Create: !p.known.created})
	must(t, err)
	found := map[string]graphState{}
	graphs, err := db.Graphs()
	must(t, err)
	for _, m := range graphs {
		must(t, db.Verify(t.Context(), m.Graph))
		found[m.Graph] = graphState{m.ID, markOf(t, db, m.Graph)}
	}
	for _, name := range []string{"g", "old", "new"} {
		was, is := p.known.graphs[name], found[name]
		if is == was || p.known.begun[name] && (is.id == 0 || is.id > was.id) {
			continue
		}
		if name == "g" && is.id > was.id && was.id > 0 { // it compacts itself
			continue
		}
		t.Errorf("round %d: graph %q was acknowledged as %+v and is %+v", round, name, was, is)
	}
	commits := int64(0)
	if _, ok := found["g"]; ok {
		commits = committed(t, db)
	}
	if commits < p.known.commits || commits > p.known.commits+int64(p.since) {
		t.Errorf("round %d: %d commits were acknowledged, %d are there", round, p.known.commits, commits)
	}
	assertNothingUnnamed(t, db)
	must(t, db.Close())
	for _, path := range p.known.backups {
		if err := verifyBackup(t.Context(), path); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
	}
	p.known = acknowledged{created: true, graphs: found, begun: map[string]bool{}, commits: commits}
	p.since = 0
	left, err := filepath.Glob(filepath.Join(p.disk.Mounted(), "*backup*")) // also what was not finished
	must(t, err)
	for _, path := range left {
		must(t, os.Remove(path))
	}
	if round%8 == 7 {
		must(t, os.RemoveAll(dir))
		p.known = acknowledged{graphs: map[string]graphState{}, begun: map[string]bool{}}
	}
}

// markOf is the only value of a graph's property "mark"; -1: there is none.
func markOf(t *testing.T, db *DB, graph string) (mark int64) {
	t.Helper()
	s, err := db.Snapshot(graph)
	must(t, err)
	defer s.Close()
	mark = -1
	if _, ok := s.Manifest().NodeProperty("mark"); !ok {
		return mark
	}
	must(t, s.NodeProperty(t.Context(), "mark", func(_ uint64, values arrow.Array) error {
		for _, v := range values.(*array.Int64).Int64Values() {
			if mark != -1 && mark != v {
				return errors.New("half a write-back")
			}
			mark = v
		}
		return nil
	}))
	return mark
}

// makeBackup, verifyBackup and restoreBackup are package backup's, which this one cannot import.
var (
	makeBackup    func(ctx context.Context, db *DB, dir, path string) error
	verifyBackup  func(ctx context.Context, path string) error
	restoreBackup func(ctx context.Context, path, dir string) error
)

// SetBackups sets them.
func SetBackups(make func(ctx context.Context, db *DB, dir, path string) error,
	verify func(ctx context.Context, path string) error, restore func(ctx context.Context, path, dir string) error) {
	makeBackup, verifyBackup, restoreBackup = make, verify, restore
}

func init() { children["power"] = powerWork }

// powerWork works until the process is killed, and reports what it begins and what it is told is done.
func powerWork(dir string, seed uint64) error {
	db, err := Open(dir, Options{Create: true, ChangesBytes: 8 << 20})
	if err != nil {
		return err
	}
	fmt.Println("open")
	r := rand.New(rand.NewPCG(seed, 1))
	for n := 0; ; n++ {
		if err := powerStep(context.Background(), db, r, dir, n); err != nil {
			return err
		}
	}
}

func powerStep(ctx context.Context, db *DB, r *rand.Rand, dir string, n int) error {
	m, err := db.current("old")
	if unknown := (*failure.UnknownGraphError)(nil); errors.As(err, &unknown) {
		err = nil
	}
	if err != nil {
		return err
	}
	switch r.IntN(16) {
	case 0:
		return powerLoad(db, "new", r.Uint64N(1000))
	case 1:
		return powerLoad(db, "old", r.Uint64N(1000))
	case 2, 3:
		if m == nil {
			return powerLoad(db, "old", 1)
		}
		fmt.Println("begin old")
		mark := r.Int64N(1000)
		if err := crashProperty(db, mark); err != nil {
			return err
		}
		return powerReport(db, "old", mark)
	case 4:
		return powerDrop(ctx, db, "new")
	case 5:
		return db.CollectGarbage(ctx)
	case 6:
		path := filepath.Join(filepath.Dir(dir), fmt.Sprintf("backup-%d-%d", os.Getpid(), n))
		if err := makeBackup(ctx, db, dir, path); err != nil {
			return err
		}
		fmt.Println("backup", path)
		return nil
	case 7:
		_, err := db.Compact(ctx, "g")
		if unknown := (*failure.UnknownGraphError)(nil); errors.As(err, &unknown) {
			return nil
		}
		return err
	}
	return powerCommit(ctx, db, r)
}

// powerLoad loads a graph, in place of the one that there is.
func powerLoad(db *DB, graph string, seed uint64) error {
	fmt.Println("begin", graph)
	if err := crashLoad(db, graph, seed); err != nil {
		return err
	}
	return powerReport(db, graph, -1)
}

func powerReport(db *DB, graph string, mark int64) error {
	m, err := db.current(graph)
	if err == nil {
		fmt.Println("graph", graph, m.ID, mark)
	}
	return err
}

func powerDrop(ctx context.Context, db *DB, graph string) error {
	fmt.Println("begin", graph)
	err := db.Drop(ctx, graph)
	if unknown := (*failure.UnknownGraphError)(nil); errors.As(err, &unknown) {
		err = nil
	}
	if err == nil {
		fmt.Println("graph", graph, 0, 0)
	}
	return err
}

// powerCommit commits to the graph "g", which it creates if it must.
func powerCommit(ctx context.Context, db *DB, r *rand.Rand) error {
	if _, err := db.current("g"); err != nil {
		fmt.Println("begin g")
		if err := db.CreateGraph(ctx, "g"); err != nil {
			return err
		}
		return powerReport(db, "g", -1)
	}
	tx, err := db.Begin(ctx, "g", transaction.WriteAccess)
	if err != nil {
		return err
	}
	if err := crashCommit(tx, r); err != nil {
		return err
	}
	commits := tx.NodeCount() / crashRing
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	fmt.Println("commits", commits)
	return nil
}
