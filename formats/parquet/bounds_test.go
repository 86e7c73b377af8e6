package parquet

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// allocated is how many bytes do takes, in all.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A file of a kilobyte that claims gigabytes gets an error and no memory.
func TestOpen_ClaimsMoreThanItHas(t *testing.T) {
	content := sample(t)
	footer := content[len(content)-footerTail:]
	for _, claim := range []uint32{math.MaxUint32, math.MaxInt32, uint32(len(content))} {
		binary.LittleEndian.PutUint32(footer, claim)
		path := filepath.Join(t.TempDir(), "claims.parquet")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		var err error
		if n := allocated(func() { _, err = readPaths(t, []string{path}) }); n > 16<<20 {
			t.Errorf("footer of %d bytes: %d bytes were allocated", claim, n)
		}
		if err == nil || !strings.Contains(err.Error(), "footer claims") {
			t.Errorf("footer of %d bytes: %v", claim, err)
		}
	}
}

// However a byte is changed, reading takes no more memory than pages may.
func TestOpen_FlippedBytesTakeNoMemory(t *testing.T) {
	content := sample(t)
	path := filepath.Join(t.TempDir(), "flipped.parquet")
	for i := range content {
		damaged := append([]byte(nil), content...)
		damaged[i] ^= 0xff
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if n := allocated(func() { readPaths(t, []string{path}) }); n > maxPageBytes {
			t.Errorf("byte %d flipped: %d bytes were allocated", i, n)
		}
	}
}
