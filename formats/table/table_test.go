package table

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graphtest"
)

func schema(names ...string) *arrow.Schema {
	var fields []arrow.Field
	for _, name := range names {
		t := arrow.PrimitiveTypes.Int64
		switch strings.TrimLeft(strings.ToLower(name), ":~") {
		case "label", "labels", "type":
			t = arrow.BinaryTypes.String
		}
		fields = append(fields, arrow.Field{Name: name, Type: t})
	}
	return arrow.NewSchema(fields, nil)
}

func TestSchemas_PropertiesCannotBeMistaken(t *testing.T) {
	for _, c := range []struct{ properties, want []string }{
		{[]string{"name", "weight"}, []string{"id", "labels", "name", "weight"}},
		{[]string{"Source"}, []string{":ID", ":LABEL", "Source"}},
		{[]string{"id"}, []string{":ID", ":LABEL", "id"}},
		{[]string{"~from"}, []string{":ID", ":LABEL", "~from"}},
	} {
		nodes, _, err := Schemas(formats.Schema{Node: schema(c.properties...)})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range nodes.Fields() {
			names = append(names, f.Name)
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%v: %v", c.properties, names)
		}
		layout, ok := Find(nodes)
		if !ok || layout.IsEdges || layout.ID != 0 || layout.Labels != 1 || len(layout.Properties) != len(c.properties) {
			t.Errorf("%v: found %+v", names, layout)
		}
	}
	if _, _, err := Schemas(formats.Schema{Edge: schema(":TYPE")}); err == nil {
		t.Error("a property :TYPE was accepted")
	}
	bytes := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.BinaryTypes.Binary}}, nil)
	if _, _, err := Schemas(formats.Schema{Node: bytes}); err == nil {
		t.Error("a property of bytes was accepted")
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  Layout
		ok    bool
	}{
		{[]string{"weight", "DST", "Src"}, Layout{true, -1, -1, 2, 1, -1, []int{0}}, true},
		{[]string{"id", "source", "target", "type"}, Layout{true, -1, -1, 1, 2, 3, []int{0}}, true},
		{[]string{"~id", "~from", "~to", "~label"}, Layout{true, -1, -1, 1, 2, 3, []int{0}}, true},
		{[]string{"source", "target", ":START_ID", ":END_ID"}, Layout{true, -1, -1, 2, 3, -1, []int{0, 1}}, true},
		{[]string{"id", "from", "x"}, Layout{false, 0, -1, -1, -1, -1, []int{1, 2}}, true},
		{[]string{"label", "id"}, Layout{false, 1, 0, -1, -1, -1, nil}, true},
		{[]string{"a", "b"}, Layout{}, false},
	} {
		got, ok := Find(schema(c.names...))
		if ok != c.ok || ok && (got.IsEdges != c.want.IsEdges || got.ID != c.want.ID || got.Labels != c.want.Labels ||
			got.Source != c.want.Source || got.Target != c.want.Target || got.Type != c.want.Type ||
			!slices.Equal(got.Properties, c.want.Properties)) {
			t.Errorf("%v: got %+v", c.names, got)
		}
	}
}

// failing is a sink that fails at its first record.
type failing struct{ closed *int }

var errFull = errors.New("no space left")

func (f failing) Write(arrow.Record) error { return errFull }
func (f failing) Close() error             { *f.closed++; return nil }

func TestWrite_FailingSink(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	g := &graphtest.Graph{NodesDeclared: true, Nodes: []graphtest.Node{{ID: "1"}},
		Edges: []graphtest.Edge{{Src: "1", Dst: "1"}}}
	opened, closed := 0, 0
	err := Write(context.Background(), g.Source(mem, 1), mem, func(string, *arrow.Schema) (Sink, error) {
		opened++
		return failing{&closed}, nil
	})
	if !errors.Is(err, errFull) || opened != closed {
		t.Errorf("%v, %d opened, %d closed", err, opened, closed)
	}
}

func TestWrite_BrokenPromise(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	g := &graphtest.Graph{IntegerIDs: true, Edges: []graphtest.Edge{{Src: "1", Dst: "x"}}}
	closed := 0
	err := Write(context.Background(), g.Source(mem, 1), mem,
		func(string, *arrow.Schema) (Sink, error) { return failing{&closed}, nil })
	if !errors.Is(err, errMixedIDs) {
		t.Errorf("got %v", err)
	}
}
