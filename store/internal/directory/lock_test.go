//go:build linux || darwin

package directory

import (
	"testing"

	"golang.org/x/sys/unix"
)

// A lock is let go of at once, though a process that is being started still shares the open file.
func TestUnlock_WhereAnotherProcessBegins(t *testing.T) {
	dir := t.TempDir()
	f, err := Lock(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := unix.Dup(int(f.Fd())) // as fork does
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(shared)
	if _, err := Lock(dir, false); err == nil {
		t.Error("a locked database was locked again")
	}
	if err := Unlock(f); err != nil {
		t.Fatal(err)
	}
	again, err := Lock(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := Unlock(again); err != nil {
		t.Fatal(err)
	}
}
