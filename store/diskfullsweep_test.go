//go:build linux

package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store/internal/space"
	"golang.org/x/sys/unix"
)

// A disk becomes full at every moment of what writes: a load, a replacement, a write-back, commits, a compaction, the
// collection of garbage, the making and dropping of a graph, a backup, a restore, and the opening of a database that
// was killed. How much space each takes is measured first; then a process does it with less and less. It is told that
// the disk is full, or has done it; its readers read on. On the full disk every graph can be read as it was
// acknowledged, and once a graph is dropped there, commits and loads succeed. With space everything is as it was
// acknowledged.
//
// A short test draws some of these moments. PENSTOCK_DISKFULL_STEPS is how many amounts of space each is given.
func TestDiskFull_EveryStep(t *testing.T) {
	long.Unraced(t)
	d := newFullDisk(t)
	amounts := 1
	if long.Tests() {
		amounts = 2
	}
	if n, err := strconv.Atoi(os.Getenv("PENSTOCK_DISKFULL_STEPS")); err == nil {
		amounts = n
	}
	for _, what := range long.Draw(t, slices.Sorted(maps.Keys(diskSteps)), 2) {
		peak := d.measure(t, what)
		outcomes := map[string]int{}
		for i := range amounts {
			left := amount(peak, (float64(i)+0.5)/float64(amounts))
			outcome := d.try(t, what, left, false)
			outcomes[outcome]++
			if t.Failed() {
				t.Fatalf("%s with %d bytes left: %s", what, left, outcome)
			}
		}
		if outcomes[died] > 0 {
			t.Errorf("%s dies on a full disk", what)
		}
		t.Logf("%-8s takes %5.1f MiB: %v", what, float64(peak)/(1<<20), outcomes)
	}
}

// Others fill the disk while a process writes. Nothing can be reserved against that: the process may die of a store to
// a mapped file. Everything is as it was acknowledged all the same. After a death in drop there may be too little space
// to go on, so this runs only where PENSTOCK_DISKFULL_STEPS says how often.
func TestDiskFull_OthersFillIt(t *testing.T) {
	times, err := strconv.Atoi(os.Getenv("PENSTOCK_DISKFULL_STEPS"))
	if err != nil {
		t.Skip("takes minutes: PENSTOCK_DISKFULL_STEPS=3 runs it, three times for each moment")
	}
	d := newFullDisk(t)
	for _, what := range []string{"load", "commit", "compact", "garbage", "drop"} {
		d.measure(t, what)
		outcomes := map[string]int{}
		for range times {
			outcomes[d.try(t, what, 0, true)]++
			if t.Failed() {
				t.Fatal(what)
			}
		}
		t.Logf("%-8s %v", what, outcomes)
	}
}

// amount is how much space is left at f, from 0 to 1: up to the half amounts below what every write leaves free, each a
// multiple of the one before; then that and more and more of what the step takes.
func amount(peak int64, f float64) int64 {
	const least = 1 << 16
	if f < 0.5 {
		return int64(least * math.Pow(space.WriteReserve/least, 2*f))
	}
	return space.WriteReserve + int64(float64(peak)*(2*f-1))
}

// fullDisk is a file system in memory whose size changes, and databases to be put there.
type fullDisk struct {
	path         string
	whole, dirty string               // as it was closed, and as it was killed
	states       map[string]diskState // of the two
	r            *rand.Rand
	duration     map[string]time.Duration
}

// newFullDisk makes the databases.
func newFullDisk(t *testing.T) *fullDisk {
	t.Helper()
	seed := testseed.New(t)
	templates := scratch(t)
	d := &fullDisk{
		path: smallDisk(t, "1g"), whole: filepath.Join(templates, "whole"), dirty: filepath.Join(templates, "dirty"),
		r: rand.New(rand.NewPCG(seed, 0)), duration: map[string]time.Duration{},
	}
	dir := filepath.Join(d.whole, "db")
	must(t, os.Mkdir(d.whole, 0o755))
	reopen(t, dir, func(db *DB) {
		must(t, crashLoad(db, "old", 1))
		must(t, crashProperty(db, oldMark))
		for _, graph := range append([]string{"g"}, togetherGraphs...) {
			must(t, db.CreateGraph(t.Context(), graph))
		}
		for range 8 {
			must(t, oneCommit(t.Context(), db, d.r))
		}
		must(t, makeBackup(t.Context(), db, dir, filepath.Join(d.whole, "earlier")))
	})
	reopen(t, dir, func(db *DB) { must(t, spareLoad(t.Context(), db)) })
	reopen(t, dir, func(db *DB) {
		must(t, bigLoad(db, "replaced")) // this is the garbage
		_, err := db.Load(t.Context(), "replaced", edgeModel([2]int{1, 2}), LoadOptions{Replace: true})
		must(t, err)
	})
	copyAll(t, d.whole, d.dirty)
	reported := commitAndKill(t, filepath.Join(d.dirty, "db"), seed, 300*time.Millisecond)
	d.states = map[string]diskState{d.whole: readDisk(t, dir), d.dirty: readDisk(t, filepath.Join(d.dirty, "db"))}
	if has := d.states[d.dirty].commits - d.states[d.whole].commits; has < reported || has > reported+1 {
		t.Fatalf("%d commits were acknowledged before the kill, %d are there", reported, has)
	}
	return d
}

// copyAll copies a folder, and keeps holes in files.
func copyAll(t *testing.T, from, to string) {
	t.Helper()
	if out, err := exec.Command("cp", "-a", from+"/.", to).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// leave has the disk have so many bytes free.
func (d *fullDisk) leave(t *testing.T, bytes int64) {
	t.Helper()
	used := d.used(t)
	must(t, unix.Mount("", d.path, "", unix.MS_REMOUNT, fmt.Sprintf("size=%d", used+max(bytes, 1))))
}

// used is how many bytes the disk holds.
func (d *fullDisk) used(t *testing.T) int64 {
	var fs unix.Statfs_t
	must(t, unix.Statfs(d.path, &fs))
	return int64(fs.Blocks-fs.Bfree) * fs.Bsize
}

// begin puts the database on the disk, which has space, and tells what is in it.
func (d *fullDisk) begin(t *testing.T, what string) diskState {
	t.Helper()
	entries, err := os.ReadDir(d.path)
	must(t, err)
	for _, e := range entries {
		must(t, os.RemoveAll(filepath.Join(d.path, e.Name())))
	}
	must(t, unix.Mount("", d.path, "", unix.MS_REMOUNT, "size=1g"))
	template := d.whole
	if what == "recover" {
		template = d.dirty
	}
	copyAll(t, template, d.path)
	return d.states[template]
}

// measure is how much space a step takes at most, with enough of it.
func (d *fullDisk) measure(t *testing.T, what string) (peak int64) {
	t.Helper()
	d.begin(t, what)
	before := d.used(t)
	ended := make(chan error)
	began := time.Now()
	go func() {
		_, err := d.run("full "+what, nil)
		ended <- err
	}()
	for {
		select {
		case err := <-ended:
			must(t, err)
			d.duration[what] = time.Since(began)
			return peak
		case <-time.After(time.Millisecond):
			peak = max(peak, d.used(t)-before)
		}
	}
}

// run has a process do what on the disk and tells what it reports.
func (d *fullDisk) run(what string, meanwhile func()) (reported string, err error) {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childEnv+"="+what, childDirEnv+"="+filepath.Join(d.path, "db"), childSeed+"=7")
	var complaint bytes.Buffer
	child.Stderr = &complaint
	out, err := child.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := child.Start(); err != nil {
		return "", err
	}
	if meanwhile != nil {
		go meanwhile()
	}
	text, readErr := io.ReadAll(out)
	if err := child.Wait(); err != nil {
		return string(text), fmt.Errorf("%w: %s", err, complaint.String())
	}
	return string(text), readErr
}

const (
	done    = "done"
	refused = "refused"
	died    = "died"
)

// outcomeOf is how a step has ended; empty: as none should.
func outcomeOf(err error) string {
	exit := (*exec.ExitError)(nil)
	switch {
	case err == nil:
		return done
	case strings.Contains(err.Error(), readerFails):
		return ""
	case errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).ExitStatus() == 2 &&
		strings.Contains(err.Error(), "SIGBUS"):
		return died
	case strings.Contains(err.Error(), "disk full"):
		return refused
	}
	return ""
}

// try has a process do a step with so many bytes left, or while others leave none, and checks what is there then.
func (d *fullDisk) try(t *testing.T, what string, left int64, meanwhile bool) (outcome string) {
	t.Helper()
	before := d.begin(t, what)
	fills := func() {}
	filled := make(chan struct{})
	if meanwhile {
		after := time.Duration(d.r.Float64() * float64(d.duration[what]))
		fills = func() {
			time.Sleep(after)
			d.leave(t, 0)
			close(filled)
		}
	} else {
		d.leave(t, left)
		close(filled)
	}
	reported, err := d.run("full "+what, fills)
	<-filled
	if outcome = outcomeOf(err); outcome == "" {
		t.Errorf("%s with %d bytes left: %v", what, left, err)
		return outcome
	}
	if outcome == died {
		t.Logf("%s with %d bytes left: %.3000s", what, left, err.Error())
	}
	onFull := readDisk(t, filepath.Join(d.path, "db"))
	d.compare(t, what, before, onFull, reported)

	wentOn, err := d.run("full go on", nil)
	if err != nil {
		t.Errorf("after a drop on the full disk: %v", err)
	}
	must(t, unix.Mount("", d.path, "", unix.MS_REMOUNT, "size=1g"))
	reopen(t, filepath.Join(d.path, "db"), func(db *DB) { assertNothingUnnamed(t, db) })
	end := readDisk(t, filepath.Join(d.path, "db"))
	for _, name := range []string{"old", "new", "made", "a", "b", "c"} {
		if end.graphs[name] != onFull.graphs[name] || end.nodes[name] != onFull.nodes[name] {
			t.Errorf("graph %q was %d on the full disk and is %d", name, onFull.graphs[name], end.graphs[name])
		}
	}
	if end.mark != onFull.mark || end.commits != onFull.commits+int64(strings.Count(wentOn, "committed\n")) ||
		end.graphs["spare"] != 0 || end.graphs["small"] == 0 {
		t.Errorf("after %q on the full disk %+v is %+v", wentOn, onFull, end)
	}
	return outcome
}

// diskState is what is compared.
type diskState struct {
	graphs  map[string]uint64 // snapshots
	nodes   map[string]uint64
	mark    int64
	commits int64
}

// readDisk reads everything in the database at dir, without writing.
func readDisk(t *testing.T, dir string) diskState {
	t.Helper()
	db, err := Open(dir, Options{ReadOnly: true})
	must(t, err)
	graphs, err := db.Graphs()
	must(t, err)
	s := diskState{graphs: map[string]uint64{}, nodes: map[string]uint64{}, mark: markOf(t, db, "old"),
		commits: committed(t, db)}
	for _, m := range graphs {
		must(t, db.Verify(t.Context(), m.Graph))
		s.graphs[m.Graph] = m.ID
		tx, err := db.Begin(t.Context(), m.Graph, ReadAccess)
		must(t, err)
		s.nodes[m.Graph] = tx.NodeCount()
		tx.Rollback()
	}
	must(t, db.Close())
	return s
}

// touched are the graphs that steps change.
var touched = map[string]string{
	"load": "new", "replace": "old", "property": "old", "commit": "g", "compact": "g", "create": "made", "drop": "spare",
}

// compare compares what is there with what was there before a step and what the step has reported.
func (d *fullDisk) compare(t *testing.T, what string, before, now diskState, reported string) {
	t.Helper()
	acknowledged := strings.Contains(reported, "done\n")
	for _, name := range []string{"old", "new", "g", "made", "spare", "a", "b", "c"} {
		switch {
		case name != touched[what] && now.graphs[name] != before.graphs[name]:
			t.Errorf("%s has changed graph %q", what, name)
		case name == touched[what] && acknowledged && now.graphs[name] == before.graphs[name]:
			t.Errorf("%s of %q was acknowledged and is not there", what, name)
		}
	}
	for _, name := range togetherGraphs {
		if now.nodes[name] == 0 && strings.Contains(reported, "graph "+name+"\n") || now.nodes[name] != 0 &&
			what != "together" {
			t.Errorf("graph %q has %d nodes", name, now.nodes[name])
		}
	}
	mark := before.mark
	if now.graphs["old"] != before.graphs["old"] {
		mark = map[string]int64{"property": newMark, "replace": -1}[what]
	}
	if now.mark != mark {
		t.Errorf("the mark is %d, not %d", now.mark, mark)
	}
	commits := before.commits + int64(strings.Count(reported, "committed\n"))
	if now.commits < commits || now.commits > commits+1 || what != "commit" && now.commits > commits {
		t.Errorf("%d commits were acknowledged, %d are there", commits, now.commits)
	}
	for _, file := range []struct {
		name  string
		by    map[string]bool
		check func(path string) error
	}{
		{"backup", map[string]bool{"backup": true, "together": true},
			func(path string) error { return verifyBackup(t.Context(), path) }},
		{"restored", map[string]bool{"restore": true}, func(path string) error {
			db, err := Open(path, Options{ReadOnly: true})
			if err != nil {
				return err
			}
			return errors.Join(db.Verify(t.Context(), "old"), db.Verify(t.Context(), "g"), db.Close())
		}},
	} {
		path := filepath.Join(d.path, file.name)
		if _, err := os.Lstat(path); err == nil {
			must(t, file.check(path))
		} else if file.by[what] && acknowledged {
			t.Errorf("%s was acknowledged: %v", what, err)
		}
	}
}
