package arrowipc

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graphtest"
	"github.com/penstock-db/penstock/formats/table"
)

// TestWrite_RoundTrip reads the files back with Arrow's own reader.
func TestWrite_RoundTrip(t *testing.T) { graphtest.RoundTrip(t, Write, openAll) }

// written is the graph in files that Write wrote.
type written struct {
	schema       formats.Schema
	nodes, edges *os.File
	mem          memory.Allocator
}

func openAll(_ context.Context, paths []string, opts formats.Options) (formats.Source, error) {
	w := &written{mem: opts.Mem()}
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(path, Files[0]) {
			w.nodes, w.schema.NodesDeclared = file, true
			w.schema.Node, err = w.properties(file)
		} else {
			w.edges = file
			w.schema.Edge, err = w.properties(file)
		}
		if err != nil {
			return nil, err
		}
	}
	return w, nil
}

func (w *written) properties(file *os.File) (schema *arrow.Schema, err error) {
	r, err := ipc.NewFileReader(file, ipc.WithAllocator(w.mem))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	layout, _ := table.Find(r.Schema())
	return layout.PropertySchema(r.Schema()), nil
}

func (w *written) Schema() formats.Schema { return w.schema }

func (w *written) Close() error {
	if w.nodes != nil {
		w.nodes.Close()
	}
	return w.edges.Close()
}

func (w *written) records(file *os.File, yield func(*table.Layout, arrow.Record) error) error {
	if file == nil {
		return nil
	}
	r, err := ipc.NewFileReader(file, ipc.WithAllocator(w.mem))
	if err != nil {
		return err
	}
	defer r.Close()
	layout, _ := table.Find(r.Schema())
	for i := range r.NumRecords() {
		record, err := r.Record(i)
		if err == nil {
			err = yield(layout, record)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *written) Nodes(_ context.Context, yield func(*formats.NodeBatch) error) error {
	return w.records(w.nodes, func(l *table.Layout, record arrow.Record) error {
		b, err := l.Nodes(record, "")
		if err != nil {
			return err
		}
		if b.Props != nil {
			defer b.Props.Release()
		}
		return yield(b)
	})
}

func (w *written) Edges(_ context.Context, yield func(*formats.EdgeBatch) error) error {
	return w.records(w.edges, func(l *table.Layout, record arrow.Record) error {
		b, err := l.Edges(record, "")
		if err != nil {
			return err
		}
		if b.Props != nil {
			defer b.Props.Release()
		}
		return yield(b)
	})
}
