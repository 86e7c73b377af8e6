package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func made() (bool, error) { return true, nil }

// graph is a graph with a manifest of so many bytes, about.
func graph(name string, snapshot uint64, size int) Graph {
	manifest, _ := json.Marshal(map[string]string{"text": strings.Repeat("x", size)})
	return Graph{name, snapshot, manifest}
}

// create makes a catalog with the graphs a and b, and returns its state.
func create(t testing.TB) (path string, c *Catalog, a, b Graph) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "CATALOG")
	c, err := Create(path, nil)
	check(t, err)
	a, b = graph("a", 1, 10), graph("b", 2, 20)
	check(t, c.Change(a, made))
	check(t, c.Change(b, made))
	return path, c, a, b
}

func same(t testing.TB, what string, got map[string]Graph, want ...Graph) {
	t.Helper()
	text := func(graphs []Graph) string {
		slices.SortFunc(graphs, func(a, b Graph) int { return strings.Compare(a.Name, b.Name) })
		encoded, err := json.Marshal(graphs)
		check(t, err)
		return string(encoded)
	}
	if got, want := text(append([]Graph{}, slices.Collect(maps.Values(got))...)),
		text(append([]Graph{}, want...)); got != want {
		t.Errorf("%s: %s\nwant %s", what, got, want)
	}
}

// TestChange_CutAtEachByte has a process end at each byte of the last change: that is there whole, or as if never
// begun, and changes go on from there.
func TestChange_CutAtEachByte(t *testing.T) {
	path, c, a, b := create(t)
	before := c.size
	changed := graph("a", 3, 30)
	check(t, c.Change(changed, made))
	check(t, c.Close())
	text, err := os.ReadFile(path)
	check(t, err)
	for end := before; end <= int64(len(text)); end++ {
		check(t, os.WriteFile(path, text[:end], 0o600))
		state, err := Read(path)
		check(t, err)
		if end == int64(len(text)) {
			same(t, "the state", state.Graphs, changed, b)
			same(t, "the state before", state.Before, a, b)
		} else {
			same(t, fmt.Sprintf("the state of %d bytes", end), state.Graphs, a, b)
			same(t, "the state before", state.Before, a)
		}
		c, err := Open(path, state)
		check(t, err)
		next := graph("c", 4, 1)
		check(t, c.Change(next, made))
		check(t, c.Close())
		before := slices.Collect(maps.Values(state.Graphs))
		state, err = Read(path)
		check(t, err)
		same(t, "the state after another change", state.Graphs, append(before, next)...)
	}
}

// TestChange_NotMade takes a change back that the tree has not made, and keeps one that it has, whatever else fails.
func TestChange_NotMade(t *testing.T) {
	path, c, a, b := create(t)
	failure := errors.New("no")
	inTime := func(t *testing.T) { // when the tree is told of it, the change is on the disk
		state, err := Read(path)
		check(t, err)
		same(t, "while it is made", state.Before, a, b)
		if len(state.Graphs) != 3 {
			t.Errorf("%d graphs", len(state.Graphs))
		}
	}
	err := c.Change(graph("c", 3, 1), func() (bool, error) { inTime(t); return false, failure })
	if !errors.Is(err, failure) {
		t.Error(err)
	}
	state, err := Read(path)
	check(t, err)
	same(t, "not made", state.Graphs, a, b)
	kept := graph("c", 4, 1)
	if err := c.Change(kept, func() (bool, error) { inTime(t); return true, failure }); !errors.Is(err, failure) {
		t.Error(err)
	}
	check(t, c.Change(Graph{Name: "a"}, made))
	if got := c.Snapshots(); !maps.Equal(got, map[string]uint64{"b": 2, "c": 4}) {
		t.Error(got)
	}
	check(t, c.Close())
	state, err = Read(path)
	check(t, err)
	same(t, "made", state.Graphs, b, kept)
	same(t, "before", state.Before, a, b, kept)
	if err := c.Change(a, func() (bool, error) {
		t.Error("a change is made that is not on the disk")
		return true,
			nil
	}); err == nil {
		t.Error("a closed catalog is changed")
	}
}

func TestChange_Concurrent(t *testing.T) {
	path, c, a, b := create(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for snapshot := range uint64(20) {
				if err := c.Change(graph(fmt.Sprint("g", i), snapshot+1, 1), made); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	check(t, c.Close())
	state, err := Read(path)
	check(t, err)
	want := []Graph{a, b}
	for i := range 8 {
		want = append(want, graph(fmt.Sprint("g", i), 20, 1))
	}
	same(t, "after all changes", state.Graphs, want...)
}

// TestChange_FileStaysSmall changes one graph often: the file is written anew.
func TestChange_FileStaysSmall(t *testing.T) {
	path, c, a, b := create(t)
	for i := range uint64(40) {
		check(t, c.Change(graph("c", i+1, 100_000), made))
		if info, err := os.Stat(path); err != nil || info.Size() > slack+400_000 {
			t.Fatalf("%d bytes, %v", info.Size(), err)
		}
	}
	check(t, c.Change(Graph{Name: "c"}, made))
	check(t, c.Close())
	state, err := Read(path)
	check(t, err)
	same(t, "the state", state.Graphs, a, b)
}

// TestChange_RewriteFails keeps the old file, and all that is in it, when there is no room for a new one.
func TestChange_RewriteFails(t *testing.T) {
	path, c, a, b := create(t)
	big := graph("c", 3, slack)
	check(t, c.Change(big, made))
	check(t, c.Change(graph("c", 4, 10), made))
	check(t, os.Mkdir(path+".new", 0o700)) // no file can have that name now
	if err := c.Change(graph("d", 5, 10), func() (bool, error) { t.Error("it is made"); return true, nil }); err == nil {
		t.Error("the file grows")
	}
	check(t, c.Change(Graph{Name: "c"}, made)) // is possible on a full disk
	_, err := os.Stat(path + ".new")
	if err == nil {
		check(t, os.Remove(path+".new"))
	}
	d := graph("d", 6, 10)
	check(t, c.Change(d, made))
	check(t, c.Close())
	state, err := Read(path)
	check(t, err)
	same(t, "the state", state.Graphs, a, b, d)
	if state.Size > slack {
		t.Errorf("the file has %d bytes", state.Size)
	}
}

// TestRead_Damage flips a bit of each byte. In the last change it makes the end look torn, elsewhere it is reported.
func TestRead_Damage(t *testing.T) {
	path, c, a, b := create(t)
	last := c.size
	check(t, c.Change(graph("c", 3, 5), made))
	check(t, c.Close())
	text, err := os.ReadFile(path)
	check(t, err)
	for at := range text {
		hurt := bytes.Clone(text)
		hurt[at] ^= 1 << (at % 8)
		check(t, os.WriteFile(path, hurt, 0o600))
		state, err := Read(path)
		var damage *DamagedError
		switch {
		case int64(at) >= last:
			check(t, err)
			same(t, fmt.Sprintf("byte %d", at), state.Graphs, a, b)
		case !errors.As(err, &damage) || damage.Offset > int64(at):
			t.Errorf("byte %d: %v", at, err)
		case Is(path) != (at >= len(head)):
			t.Errorf("byte %d: it is taken for a catalog, or not", at)
		}
	}
	if _, err := Read(path + "s"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// FuzzParse reads arbitrary bytes, and again what it made of them.
func FuzzParse(f *testing.F) {
	path, c, _, _ := create(f)
	check(f, c.Close())
	text, err := os.ReadFile(path)
	check(f, err)
	f.Add(text, []byte(nil))
	f.Add(text, []byte(`{"graph":"a","snapshot":7,"manifest":[1]}`))
	f.Fuzz(func(t *testing.T, text, change []byte) {
		if len(change) > 0 { // with the right checksum
			text = encode(bytes.Clone(text), change)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		state, offset, reason := parse(text)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20+1024*uint64(len(text)) {
			t.Errorf("%d bytes took %d of memory", len(text), took)
		}
		if reason != "" {
			if offset < 0 || offset > int64(len(text)) {
				t.Errorf("damage at byte %d of %d", offset, len(text))
			}
			return
		}
		if again, _, reason := parse(text[:state.Size]); reason != "" || again.Size != state.Size {
			t.Errorf("what is whole of it is not: %s", reason)
		} else {
			same(t, "read again", again.Graphs, slices.Collect(maps.Values(state.Graphs))...)
		}
	})
}
