package arrays

import (
	"bytes"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// EncodeBlock makes an Arrow IPC stream of one batch with one column.
func EncodeBlock(mem memory.Allocator, field arrow.Field, values arrow.Array) ([]byte, error) {
	schema := arrow.NewSchema([]arrow.Field{field}, nil)
	record := array.NewRecord(schema, []arrow.Array{values}, int64(values.Len()))
	defer record.Release()
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(schema), ipc.WithAllocator(mem))
	if err := w.Write(record); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

// DecodeBlock is the inverse of encodeBlock; the caller releases the array.
func DecodeBlock(mem memory.Allocator, payload []byte) (arrow.Array, error) {
	r, err := ipc.NewReader(bytes.NewReader(payload), ipc.WithAllocator(mem))
	if err != nil {
		return nil, err
	}
	defer r.Release()
	if !r.Next() || r.Record().NumCols() != 1 {
		return nil, fmt.Errorf("it holds no column: %v", r.Err())
	}
	values := r.Record().Column(0)
	values.Retain()
	return values, nil
}
