package edgelist

import (
	"bytes"
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

// BenchmarkEdges reads a million lines of two integer ids from a plain file.
func BenchmarkEdges(b *testing.B) {
	const edges = 1_000_000
	var text bytes.Buffer
	random := rand.New(rand.NewSource(1))
	for range edges {
		fmt.Fprintf(&text, "%d\t%d\n", random.Intn(1<<22), random.Intn(1<<22))
	}
	path := filepath.Join(b.TempDir(), "edges.txt")
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		readAll(b, path)
	}
	b.ReportMetric(float64(edges)*float64(b.N)/b.Elapsed().Seconds(), "edges/s")
}

func readAll(b *testing.B, path string) {
	file, err := input.Open(path, nil, formats.Options{})
	if err != nil {
		b.Fatal(err)
	}
	src, err := Open(file, formats.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer src.Close()
	if err := src.Edges(context.Background(), func(*formats.EdgeBatch) error { return nil }); err != nil {
		b.Fatal(err)
	}
}
