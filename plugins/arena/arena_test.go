package arena_test

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/plugins/arena"
)

func create(t *testing.T, size uint64) *arena.Arena {
	t.Helper()
	a, err := arena.Create(size)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

func TestCreate_RoundsUpToPagesOfZeroes(t *testing.T) {
	page := uint64(os.Getpagesize())
	for _, size := range []uint64{1, page - 1, page, page + 1} {
		a := create(t, size)
		if a.Size() < size || a.Size() >= size+page || a.Size()%page != 0 || a.Ref().Size != a.Size() {
			t.Errorf("Create(%d) has %d bytes and announces %d", size, a.Size(), a.Ref().Size)
		}
		bytes, err := a.Bytes(arena.Range{Length: a.Size()})
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range bytes {
			if b != 0 {
				t.Fatalf("byte %d is %d", i, b)
			}
		}
	}
}

func TestCreate_ImpossibleSize(t *testing.T) {
	for _, size := range []uint64{0, math.MaxInt, math.MaxUint64} {
		var bad *arena.SizeError
		if _, err := arena.Create(size); !errors.As(err, &bad) {
			t.Errorf("Create(%d): %v; expected a SizeError", size, err)
		}
	}
}

func TestOpen_SharesEveryByte(t *testing.T) {
	a := create(t, 1<<16)
	b, err := arena.Open(a.Ref())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	whole := arena.Range{Length: a.Size()}
	here, _ := a.Uint64s(whole)
	there, _ := b.Uint64s(whole)
	for i := range here {
		here[i] = uint64(i) + 1
	}
	for i := range there {
		if there[i] != uint64(i)+1 {
			t.Fatalf("word %d is %d in the other mapping", i, there[i])
		}
	}
	there[7] = 70
	if here[7] != 70 {
		t.Error("a write through the second mapping is not seen through the first")
	}
}

func TestOpen_InAnotherProcess(t *testing.T) {
	a := create(t, 1<<16)
	words, _ := a.Uint64s(arena.Range{Length: a.Size()})
	for i := range words {
		words[i] = uint64(i) * 3
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childPath+"="+a.Ref().Path, childSize+"="+strconv.FormatUint(a.Ref().Size, 10))
	child.Stderr = os.Stderr
	out, err := child.Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(string(out)); got != "1" {
		t.Errorf("the child saw %s in the first word; expected 1", got)
	}
	for i, w := range words {
		if w != uint64(i)*3+1 {
			t.Fatalf("word %d is %d after the child's write; expected %d", i, w, i*3+1)
		}
	}
}

// The mapping of a plugin outlives the host's: it never faults while a kernel finishes.
func TestOpen_OutlivesTheCreator(t *testing.T) {
	a := create(t, 4096)
	b, err := arena.Open(a.Ref())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	words, _ := b.Int64s(arena.Range{Length: b.Size()})
	words[len(words)-1] = -1
	if words[len(words)-1] != -1 {
		t.Error("the mapping is gone")
	}
}

func TestOpen_FileShorterThanAnnounced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "short")
	if err := os.WriteFile(path, make([]byte, 100), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, size := range []uint64{0, 101, 1 << 40, math.MaxUint64} {
		var bad *arena.SizeError
		_, err := arena.Open(arena.Ref{Path: path, Size: size})
		if !errors.As(err, &bad) {
			t.Errorf("Open of %d bytes: %v; expected a SizeError", size, err)
		}
	}
	a := create(t, 4096)
	ref := a.Ref()
	ref.Size++
	var bad *arena.SizeError
	if _, err := arena.Open(ref); !errors.As(err, &bad) || bad.Have != 4096 {
		t.Errorf("Open one byte beyond the arena: %v; expected a SizeError that says 4096", err)
	}
}

func TestClose_TwiceAndNothingLeft(t *testing.T) {
	a := create(t, 4096)
	for range 2 {
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(a.Ref().Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there: %v", a.Ref().Path, err)
	}
	if _, err := arena.Open(a.Ref()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open after Close: %v; expected ErrNotExist", err)
	}
}

func TestBytes_OnlyInside(t *testing.T) {
	a := create(t, 4096)
	good := []arena.Range{{0, 0}, {0, 4096}, {64, 1}, {4032, 64}, {4096, 0}}
	for _, r := range good {
		b, err := a.Bytes(r)
		if err != nil || uint64(len(b)) != r.Length || cap(b) != len(b) {
			t.Errorf("Bytes(%v) has length %d, capacity %d, error %v", r, len(b), cap(b), err)
		}
	}
	bad := []arena.Range{{0, 4097}, {1, 8}, {32, 8}, {4032, 65}, {4160, 0}, {64, math.MaxUint64},
		{math.MaxUint64 - 63, 64}}
	for _, r := range bad {
		var outside *arena.RangeError
		if _, err := a.Bytes(r); !errors.As(err, &outside) || outside.Range != r {
			t.Errorf("Bytes(%v): %v; expected a RangeError", r, err)
		}
	}
}

func TestViews_AreTheSameMemory(t *testing.T) {
	a := create(t, 4096)
	r := arena.Range{Offset: 128, Length: 16}
	floats, err1 := a.Float64s(r)
	ints, err2 := a.Int64s(r)
	words, err3 := a.Uint64s(r)
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	floats[1] = math.Inf(-1)
	if want := math.Float64bits(math.Inf(-1)); words[1] != want || uint64(ints[1]) != want || len(ints) != 2 {
		t.Errorf("float64 -Inf reads as %x, %x", words, ints)
	}
	var odd *arena.RangeError
	if _, err := a.Float64s(arena.Range{Length: 12}); !errors.As(err, &odd) || odd.Align != 8 {
		t.Errorf("one and a half float64: %v; expected a RangeError at alignment 8", err)
	}
	if empty, err := a.Int64s(arena.Range{Offset: a.Size()}); err != nil || len(empty) != 0 {
		t.Errorf("no values at the end: %v, %v", empty, err)
	}
}
