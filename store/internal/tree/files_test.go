package tree

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// removeStubs removes empty logs and nothing else.
func TestRemoveStubs(t *testing.T) {
	for seed := range uint64(20) {
		r, dir := rand.New(rand.NewPCG(seed, 0)), t.TempDir()
		stays := map[string]bool{}
		for i := range 30 {
			ext := []string{".mem", ".vlog", ".sst", "", ".memo"}[r.IntN(5)]
			name, size := fmt.Sprintf("%05d%s", i, ext), r.IntN(3)
			must(t, os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o644))
			stays[name] = size > 0 || ext != ".mem" && ext != ".vlog"
		}
		must(t, removeStubs(dir))
		for name, want := range stays {
			_, err := os.Stat(filepath.Join(dir, name))
			if (err == nil) != want || err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("seed %d: file %s should stay: %t; %v", seed, name, want, err)
			}
		}
	}
	must(t, removeStubs(filepath.Join(t.TempDir(), "missing")))
}

// FinishLog changes no log: it begins one after the newest, if that holds anything. All logs that were there have a
// slot afterwards.
func TestFinishLog(t *testing.T) {
	for seed := range uint64(50) {
		r, dir, temp := rand.New(rand.NewPCG(seed, 1)), t.TempDir(), t.TempDir()
		before := map[uint64][]byte{}
		var discard []byte
		for number := uint64(1); number <= 1+r.Uint64N(6); number++ {
			before[number] = bytes.Repeat([]byte{byte(1 + number)}, r.IntN(3)*VlogHeader)
			must(t, os.WriteFile(LogPath(dir, number), before[number], 0o644))
			if r.IntN(2) == 0 {
				discard = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(discard, number), r.Uint64())
			}
		}
		newest := uint64(len(before))
		must(t, os.WriteFile(filepath.Join(dir, DiscardFile), append(discard, make([]byte, 10*slotSize)...), 0o644))
		must(t, FinishLog(dir, temp))
		for number, content := range before {
			after, err := os.ReadFile(LogPath(dir, number))
			if err != nil || !bytes.Equal(after, content) {
				t.Errorf("seed %d: log %d has %d bytes instead of %d: %v", seed, number, len(after), len(content), err)
			}
			preferred, err := Prefer(dir, number)
			if must(t, err); !preferred {
				t.Errorf("seed %d: log %d has no slot", seed, number)
			}
		}
		want := []uint64{newest}
		if len(before[newest]) > VlogHeader {
			want = append(want, newest+1)
		}
		if numbers, err := LogNumbers(dir); err != nil || !slices.Equal(numbers[newest-1:], want) {
			t.Errorf("seed %d: the newest logs are %v instead of %v: %v", seed, numbers[newest-1:], want, err)
		}
	}
}
