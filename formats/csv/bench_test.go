package csv

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/formats"
)

// BenchmarkOpen_Edges reads relationships with a type and a weight.
func BenchmarkOpen_Edges(b *testing.B) {
	var text strings.Builder
	text.WriteString(":START_ID,:END_ID,:TYPE,weight:double\n")
	for i := range 200_000 {
		fmt.Fprintf(&text, "%d,%d,KNOWS,0.%d\n", i*7%100_000, i*13%100_000, i)
	}
	path := filepath.Join(b.TempDir(), "edges.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		src, err := open(context.Background(), []string{path}, formats.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if err := src.Edges(context.Background(), func(*formats.EdgeBatch) error { return nil }); err != nil {
			b.Fatal(err)
		}
		src.Close()
	}
}
