package store

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// A bit flips in the log that the only session wrote to: Open cuts nothing off, the
// graph that it belongs to is damaged, the others are sound; and all are once it is
// put back.
func TestClose_FinishesTheLog(t *testing.T) {
	long.Unraced(t)
	dir := scratch(t)
	graphs := []string{"a", "b", "c"}
	inside := map[string][]byte{} // the middle of the graph's first chunk
	reopen(t, dir, func(db *DB) {
		for i, graph := range graphs {
			m := randomModel(rand.New(rand.NewPCG(5, uint64(i))), memory.DefaultAllocator, 1000, 20000)
			_, err := db.Load(context.Background(), graph, m, load.Options{ChunkBytes: 1 << 17})
			must(t, err)
			inside[graph] = middleOfChunk(t, db, graph)
		}
	})
	logs, err := filepath.Glob(filepath.Join(dir, directory.DataDir, "*.vlog"))
	must(t, err)
	if len(logs) != 2 {
		t.Fatalf("%d value logs instead of one with data and the one after it: %v", len(logs), logs)
	}
	content, err := os.ReadFile(logs[0])
	must(t, err)
	for _, graph := range graphs {
		at := bytes.Index(content, inside[graph])
		if at < 0 {
			t.Fatal("no chunk of graph", graph)
		}
		flipAt(t, logs[0], at)
		if hit := verifyAll(t, dir, graphs); hit != graph {
			t.Errorf("a bit of graph %q flipped, and %q is damaged", graph, hit)
		}
		flipAt(t, logs[0], at)
		if hit := verifyAll(t, dir, graphs); hit != "" {
			t.Errorf("the bit is put back, and graph %q is damaged", hit)
		}
	}
	flipAnywhere(t, dir, logs[0], graphs)
	if after, err := os.ReadFile(logs[0]); err != nil || !bytes.Equal(after, content) {
		t.Errorf("the log has %d bytes instead of %d, or others: %v", len(after), len(content), err)
	}
}

// flipAnywhere: wherever the bit is, one graph is damaged at most.
func flipAnywhere(t *testing.T, dir, log string, graphs []string) {
	r := testseed.Rand(t)
	info, err := os.Stat(log)
	must(t, err)
	for range 20 {
		at := tree.VlogHeader + r.IntN(int(info.Size())-tree.VlogHeader)
		flipAt(t, log, at)
		verifyAll(t, dir, graphs)
		flipAt(t, log, at)
	}
}

// verifyAll names the graph that is damaged, "" for none; of several, or of another
// error than damage by a flipped bit, it complains.
func verifyAll(t *testing.T, dir string, graphs []string) (hit string) {
	t.Helper()
	reopen(t, dir, func(db *DB) {
		for _, graph := range graphs {
			err := db.Verify(context.Background(), graph)
			if err == nil {
				continue
			}
			if damaged := (*failure.DamagedError)(nil); hit != "" || !errors.As(err, &damaged) {
				t.Errorf("%q is damaged, and: %v", hit, err)
			}
			hit = graph
		}
	})
	return hit
}

func flipAt(t *testing.T, path string, at int) {
	t.Helper()
	flipBit(t, path, at, at%8)
}

func flipBit(t *testing.T, path string, at, bit int) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	var b [1]byte
	_, err = f.ReadAt(b[:], int64(at))
	must(t, err)
	b[0] ^= 1 << bit
	_, err = f.WriteAt(b[:], int64(at))
	must(t, errors.Join(err, f.Close()))
}

// middleOfChunk is a part of a stored chunk, long enough to be found again.
func middleOfChunk(t *testing.T, db *DB, graph string) (part []byte) {
	t.Helper()
	s, err := db.Snapshot(graph)
	must(t, err)
	defer s.Close()
	info := s.Chunks(chunk.Out)[0]
	must(t, db.view(func(tr tree.Tree) error {
		return tr.Read(info.Piece().Key(info.Number), func(value []byte) error {
			if len(value) < tree.ValueThreshold {
				t.Fatal("the chunk is too small for the value log")
			}
			part = bytes.Clone(value[len(value)/2:][:4096])
			return nil
		})
	}))
	return part
}
