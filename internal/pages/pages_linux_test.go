package pages

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

func TestPhysical(t *testing.T) {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		t.Fatal(err)
	}
	if have, err := Physical(); err != nil || have == 0 || have > info.Totalram*uint64(info.Unit) {
		t.Errorf("%d bytes, %v", have, err)
	}
}

func TestParse(t *testing.T) {
	for line, want := range map[string]Mapping{
		"7f0e1c000000-7f0e1c021000 r--s 00a3f000 fe:00 1234   /a dir/file (deleted)": {From: 0x7f0e1c000000,
			To: 0x7f0e1c021000, Offset: 0xa3f000, Path: "/a dir/file (deleted)"},
		"7f0e1c000000-7f0e1c021000 rw-p 00000000 00:00 0 ":        {},
		"7ffc5a3e8000-7ffc5a409000 rw-p 00000000 00:00 0 [stack]": {},
		"7f0e1c000000 r--s 0 fe:00 1 /no/end":                     {},
		"x-y r--s 0 fe:00 1 /no/number":                           {},
		"":                                                        {},
	} {
		if m, ok := parse(line); ok != (want != Mapping{}) || ok && m != want {
			t.Errorf("%q: %+v, %v", line, m, ok)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	for b.Loop() {
		_, _ = Find(0)
	}
}

func TestFind(t *testing.T) {
	name := filepath.Join(t.TempDir(), "with a space")
	if err := os.WriteFile(name, make([]byte, 1<<16), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	mapped, err := unix.Mmap(int(file.Fd()), 1<<13, 1<<14, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(mapped)
	m, err := Find(uintptr(unsafe.Pointer(&mapped[5000])))
	if err != nil || m.Path != name || m.Offset != 1<<13 || m.To-m.From != 1<<14 ||
		m.From != uintptr(unsafe.Pointer(&mapped[0])) {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := Find(uintptr(unsafe.Pointer(new(int)))); err == nil {
		t.Error("memory of no file was found in one")
	}
}

// What will be needed is read, and what lies around it is not.
func TestWillNeed_ReadsNothingElse(t *testing.T) {
	const size, from, to = 32 << 20, 16<<20 + 100, 17<<20 - 100
	file, err := os.Create(filepath.Join(t.TempDir(), "values"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err = file.Write(make([]byte, size)); err != nil {
		t.Fatal(err)
	}
	if err = errors.Join(file.Sync(), unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)); err != nil {
		t.Fatal(err)
	}
	mapped, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Munmap(mapped) }()
	if Resident(mapped[from:to]) {
		t.Skip("the file system of TMPDIR keeps its pages in memory: set TMPDIR to a folder on a disk")
	}
	WillNeed(mapped[from:to])
	sum := byte(0)
	for i := from; i < to; i += 4096 {
		sum += mapped[i]
	}
	if sum != 0 || !Resident(mapped[from:to]) {
		t.Error("it is still not there")
	}
	for _, around := range [][]byte{mapped[from-2<<20 : from-1<<20], mapped[to+1<<20 : to+2<<20]} {
		if Resident(around) {
			t.Error("what lies around it has been read too")
		}
	}
	WillNeed(nil)
}
