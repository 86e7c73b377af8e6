package chunk_test

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk"
)

// A graph of four vertices, written and read back.
func Example() {
	buf := encodeFour()
	c, err := chunk.Open(buf)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Release()
	weights, _ := c.Float64s("weight")
	for v := range c.Rows() {
		for e := c.Offsets()[v]; e < c.Offsets()[v+1]; e++ {
			fmt.Printf("%d→%d weighs %v\n", v, c.Neighbors()[e], weights[e])
		}
	}
	// Output:
	// 0→1 weighs 0.5
	// 0→2 weighs 2
	// 1→2 weighs 1
	// 3→0 weighs 0.25
}

func ExampleChunk_Project() {
	c, _ := chunk.Open(encodeFour())
	defer c.Release()
	bare, err := c.Project()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer bare.Release()
	fmt.Println(c.EncodedSize(), bare.EncodedSize())
	_, err = c.Project("wait")
	fmt.Println(err)
	// Output:
	// 1024 832
	// chunk has no edge column "wait"; it has weight
}

func ExampleChunk_Verify() {
	buf := encodeFour()
	buf[896] ^= 1
	c, _ := chunk.Open(buf) // looks at the structure only
	defer c.Release()
	err := c.Verify()
	var damaged *chunk.CorruptError
	fmt.Println(errors.As(err, &damaged), damaged.Part)
	// Output:
	// true edges.item.weight
}

// Any Arrow reader opens a chunk.
func ExampleChunk_EncodeTo_arrow() {
	reader, err := ipc.NewReader(bytes.NewReader(encodeFour()))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reader.Release()
	for reader.Next() {
		fmt.Println(reader.Record().Schema().Field(0).Type)
		fmt.Println(reader.Record().Column(0))
	}
	// Output:
	// list<item: struct<neighbor: uint32, weight: float64>>
	// [{[1 2] [0.5 2]} {[2] [1]} {[] []} {[0] [0.25]}]
}

func encodeFour() []byte {
	builder := array.NewFloat64Builder(memory.DefaultAllocator)
	defer builder.Release()
	builder.AppendValues([]float64{0.5, 2, 1, 0.25}, nil)
	weights := builder.NewArray()
	defer weights.Release()
	all := chunk.Interval{Count: 4}
	c, err := chunk.FromCSR(memory.DefaultAllocator, chunk.Meta{Graph: "four", Rows: all, Cols: all},
		nil, []int32{0, 2, 3, 3, 4}, []uint32{1, 2, 2, 0}, []chunk.EdgeColumn{{Name: "weight", Values: weights}})
	if err != nil {
		fmt.Println(err)
		return nil
	}
	defer c.Release()
	buf := chunk.Aligned(c.EncodedSize())
	if _, err := c.EncodeTo(buf); err != nil {
		fmt.Println(err)
	}
	return buf
}
