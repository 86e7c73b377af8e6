package handover

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func pair(t *testing.T) (*Giver, *Taker) {
	t.Helper()
	giver, other, err := Pair()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { giver.Close(); other.Close() })
	return giver, newTaker(int(other.Fd()))
}

// file is one with this content, opened to read, whose name is gone.
func file(t *testing.T, content string) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func mustGive(t *testing.T, g *Giver, name, content string) {
	t.Helper()
	f := file(t, content)
	if err := g.Give(name, f); err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// opened is the content of what was given under a name.
func opened(t *testing.T, taker *Taker, name string) string {
	t.Helper()
	f, err := taker.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	if f == nil {
		return "none"
	}
	defer f.Close()
	content, err := io.ReadAll(io.NewSectionReader(f, 0, 100))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// What is given arrives under its name, in any order; the last under a name counts.
func TestOpen_WhatWasGivenLast(t *testing.T) {
	giver, taker := pair(t)
	long := "/" + strings.Repeat("x", maxName-1)
	for _, name := range []string{"a", "b", long, "a"} {
		mustGive(t, giver, name, "of "+name[:1])
	}
	mustGive(t, giver, "a", "another")
	for name, want := range map[string]string{"b": "of b", "a": "another", long: "of /", "c": "none"} {
		for range 2 { // it stays
			if got := opened(t, taker, name); got != want {
				t.Errorf("%.10s: %q, want %q", name, got, want)
			}
		}
	}
	if err := taker.Drop("a"); err != nil || opened(t, taker, "a") != "none" {
		t.Errorf("after Drop: %q, %v", opened(t, taker, "a"), err)
	}
}

// What was opened to read cannot be written at the other end, nor mapped to be written.
func TestGive_PassesNoMoreThanItHas(t *testing.T) {
	giver, taker := pair(t)
	mustGive(t, giver, "a", "some bytes")
	f, err := taker.Open("a")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte("x"), 0); !errors.Is(err, unix.EBADF) {
		t.Errorf("write: %v", err)
	}
	if _, err := unix.Mmap(int(f.Fd()), 0, 10, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); !errors.Is(err,
		unix.EACCES) {
		t.Errorf("mapped to write: %v", err)
	}
}

func TestGive_RefusesNames(t *testing.T) {
	giver, _ := pair(t)
	for _, name := range []string{"", strings.Repeat("x", maxName+1)} {
		if giver.Give(name, file(t, "")) == nil {
			t.Errorf("a name of %d bytes is taken", len(name))
		}
	}
}

// A host that is gone is no error: the end of the plugin is near, and what it has been given it has.
func TestOpen_WhenTheHostIsGone(t *testing.T) {
	giver, taker := pair(t)
	mustGive(t, giver, "a", "1")
	giver.Close()
	if opened(t, taker, "a") != "1" || opened(t, taker, "b") != "none" {
		t.Error("what was given is lost")
	}
}

func TestTaker_OfNothing(t *testing.T) {
	var none *Taker
	if f, err := none.Open("a"); f != nil || err != nil || none.Drop("a") != nil {
		t.Errorf("%v, %v", f, err)
	}
}
