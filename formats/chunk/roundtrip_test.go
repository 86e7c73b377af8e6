package chunk_test

import (
	"bytes"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk"
)

func TestSmoke(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	b := array.NewFloat64Builder(mem)
	b.AppendValues([]float64{1, 2, 3, 4}, []bool{true, true, false, true})
	w := b.NewArray()
	b.Release()
	sb := array.NewStringBuilder(mem)
	sb.AppendValues([]string{"a", "", "ccc", "dd"}, nil)
	s := sb.NewArray()
	sb.Release()
	c, err := chunk.FromCSR(mem, chunk.Meta{Graph: "g", Rows: chunk.Interval{Count: 4}, Cols: chunk.Interval{Count: 4}}, nil, []int32{0, 2, 3, 3, 4}, []uint32{1, 2, 2, 0}, []chunk.EdgeColumn{{"weight", w}, {"s", s}})
	w.Release()
	s.Release()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Release()
	buf := chunk.Aligned(c.EncodedSize())
	if n, err := c.EncodeTo(buf); err != nil || n != len(buf) {
		t.Fatal(n, err)
	}
	o, err := chunk.Open(buf)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Release()
	if err := o.Verify(); err != nil {
		t.Fatal(err)
	}
	if err := o.Validate(); err != nil {
		t.Fatal(err)
	}
	r, err := ipc.NewReader(bytes.NewReader(buf), ipc.WithAllocator(mem))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	if !r.Next() {
		t.Fatal(r.Err())
	}
	want := o.Record()
	defer want.Release()
	if !array.RecordEqual(r.Record(), want) {
		t.Fatal(r.Record(), want)
	}
	t.Log(r.Schema(), arrow.Field{})
	if r.Next() || r.Err() != nil {
		t.Fatal(r.Err())
	}
	p, err := o.Project("s")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	buf2 := chunk.Aligned(p.EncodedSize())
	if _, err := p.EncodeTo(buf2); err != nil {
		t.Fatal(err)
	}
	q, err := chunk.Open(buf2)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Release()
	if err := q.Verify(); err != nil {
		t.Fatal(err)
	}
}
