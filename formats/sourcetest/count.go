package sourcetest

import (
	"context"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

// CountFile is ReadFile for large files: it only counts.
func (r Reader) CountFile(t testing.TB, path string) (nodes, edges int, schema formats.Schema) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	file, err := input.Open(path, nil, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src, err := r(file, formats.Options{Allocator: mem})
	if err != nil {
		t.Fatal(err)
	}
	nodes, edges, err = Count(src)
	if err != nil {
		t.Fatal(err)
	}
	return nodes, edges, src.Schema()
}

// Count drains src and closes it.
func Count(src formats.Source) (nodes, edges int, err error) {
	defer src.Close()
	err = src.Nodes(context.Background(), func(b *formats.NodeBatch) error {
		nodes += b.ID.Len()
		return nil
	})
	if err != nil {
		return nodes, edges, err
	}
	err = src.Edges(context.Background(), func(b *formats.EdgeBatch) error {
		edges += b.Src.Len()
		return nil
	})
	return nodes, edges, err
}
