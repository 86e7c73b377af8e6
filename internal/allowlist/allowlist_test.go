package allowlist

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Without a list everything runs; from the first change on only what is enabled, whichever change that was.
func TestList_Check(t *testing.T) {
	dir := t.TempDir()
	check := func(device string, ok bool) {
		t.Helper()
		err := Read(dir).Check(device)
		var refused *NotEnabledError
		if (err == nil) != ok || !ok && (!errors.As(err, &refused) || refused.Plugin != device || refused.Database != dir) {
			t.Errorf("%s: %v", device, err)
		}
	}
	check("a", true)
	check("./a", true)
	must(t, Enable(dir, "b", "a", "b"))
	check("a", true)
	check("b", true)
	check("c", false)
	check("./a", false)
	must(t, Disable(dir, "a", "c"))
	check("a", false)
	check("b", true)

	dir = t.TempDir()
	must(t, Disable(dir, "a"))
	check("a", false)
	check("b", false)
	if l := Read(dir); !l.Exists() || len(l.Names) != 0 {
		t.Errorf("%+v", l)
	}
}

// Whatever becomes of the file, nothing runs that was not enabled, and no change hides that.
func TestRead_FailsClosed(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, File)
	must(t, Enable(dir, "mine", "yours"))
	whole, err := os.ReadFile(file)
	must(t, err)
	refuse := func(what string, text []byte) {
		t.Helper()
		must(t, os.WriteFile(file, text, 0o644))
		var unreadable *UnreadableError
		l := Read(dir)
		if err := l.Check("mine"); !errors.As(err, &unreadable) || !l.Exists() {
			t.Fatalf("%s: %v", what, err)
		}
		if err := Enable(dir, "other"); !errors.As(err, &unreadable) {
			t.Fatalf("%s: enabled: %v", what, err)
		}
	}
	for i := range len(whole) {
		for bit := range 8 {
			changed := slices.Clone(whole)
			changed[i] ^= 1 << bit
			refuse(fmt.Sprintf("bit %d of byte %d", bit, i), changed)
		}
		refuse(fmt.Sprintf("%d bytes", i), whole[:i])
	}
	refuse("more", append(slices.Clone(whole), '\n'))
	refuse("a later version", []byte(strings.Replace(format([]string{"mine"}), "plugins 1", "plugins 2", 1)))
	must(t, os.Remove(file))
	must(t, os.Mkdir(file, 0o755))
	if err := Read(dir).Check("mine"); !errors.As(err, new(*UnreadableError)) {
		t.Error("a folder in its place: ", err)
	}

	must(t, os.Remove(file))
	refuse("nothing", nil)
	must(t, Clear(dir))
	if err := Read(dir).Check("mine"); !errors.As(err, new(*NotEnabledError)) {
		t.Error("begun anew: ", err)
	}
	must(t, Enable(dir, "mine"))
}

// Of changes at once none is lost.
func TestEnable_AtOnce(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if err := Enable(dir, fmt.Sprintf("p%02d", i)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if l := Read(dir); len(l.Names) != 20 || !slices.IsSorted(l.Names) {
		t.Errorf("%q", l.Names)
	}
}

// What a process leaves that is killed before the new list is in its place is neither read nor in the way.
func TestEnable_Killed(t *testing.T) {
	dir := t.TempDir()
	must(t, Enable(dir, "mine"))
	must(t, os.WriteFile(filepath.Join(dir, File+".new"), []byte(heading+"\nyou"), 0o644))
	if err := Read(dir).Check("mine"); err != nil {
		t.Error(err)
	}
	must(t, Enable(dir, "yours"))
	if l := Read(dir); !slices.Equal(l.Names, []string{"mine", "yours"}) {
		t.Errorf("%+v", l)
	}
}
