package chunk_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

var update = flag.Bool("update", false, "write the golden files of the current version")

// golden are the chunks that every version of this package has written to testdata/vN
// and that every later version must read.
var golden = map[string]func(testing.TB, memory.Allocator) *chunk.Chunk{
	"four":   fourVertices,
	"empty":  emptyChunk,
	"sparse": sparseChunk,
	"types":  everyType,
}

func emptyChunk(t testing.TB, mem memory.Allocator) *chunk.Chunk {
	return chunktest.FromCSR(t, mem, chunk.Meta{Direction: chunk.Both}, nil, []int32{0}, nil)
}

// sparseChunk has three of a hundred vertices, one without edges.
func sparseChunk(t testing.TB, mem memory.Allocator) *chunk.Chunk {
	meta := chunk.Meta{
		Graph: "grüße", Snapshot: 1<<64 - 1, Direction: chunk.In,
		Rows: chunk.Interval{Base: 1 << 40, Count: 100}, Cols: chunk.Interval{Base: 300, Count: 1 << 32},
	}
	return chunktest.FromCSR(t, mem, meta, []uint32{7, 8, 99}, []int32{0, 2, 2, 3}, []uint32{0, 1<<32 - 1, 5})
}

// everyType has a column of each type; a type that is supported later comes last in
// columnTypes and needs a new version.
func everyType(t testing.TB, mem memory.Allocator) *chunk.Chunk {
	r := rand.New(rand.NewPCG(15, 15))
	columns := make([]chunk.EdgeColumn, len(columnTypes))
	for i, columnType := range columnTypes {
		columns[i] = chunk.EdgeColumn{Name: fmt.Sprintf("%d %s", i, columnType), Values: randomArray(r, mem, columnType, 11)}
		t.Cleanup(columns[i].Values.Release)
	}
	return chunktest.FromCSR(t, mem, chunk.Meta{Graph: "types", Rows: interval(1), Cols: interval(11)}, nil,
		[]int32{0, 11}, []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, columns...)
}

func TestGolden_EveryVersionIsRead(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	if *update {
		writeGolden(t, mem)
	}
	for version := 1; version <= chunk.Version; version++ {
		for name, build := range golden {
			buf := readGolden(t, version, name)
			requireEqual(t, chunktest.Open(t, buf), build(t, mem))
			requireArrowReads(t, mem, chunktest.Open(t, buf))
		}
	}
}

// What is written today is, byte for byte, what the current version has always been.
func TestGolden_CurrentVersionIsWritten(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	for name, build := range golden {
		if !bytes.Equal(chunktest.Encode(t, build(t, mem)), readGolden(t, chunk.Version, name)) {
			t.Errorf("%s is encoded otherwise than version %d was: raise Version", name, chunk.Version)
		}
	}
}

func goldenPath(version int, name string) string {
	return filepath.Join("testdata", fmt.Sprintf("v%d", version), name+".chunk")
}

func readGolden(t testing.TB, version int, name string) []byte {
	t.Helper()
	file, err := os.ReadFile(goldenPath(version, name))
	if err != nil {
		t.Fatal(err)
	}
	buf := chunk.Aligned(len(file))
	copy(buf, file)
	return buf
}

func writeGolden(t testing.TB, mem memory.Allocator) {
	for name, build := range golden {
		path := goldenPath(chunk.Version, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, chunktest.Encode(t, build(t, mem)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
