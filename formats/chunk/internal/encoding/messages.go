package encoding

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v15/arrow"
	flatbuffers "github.com/google/flatbuffers/go"
)

// Constants of Arrow's Message.fbs and of the stream's framing.
const (
	metadataV5   = 4
	schemaTag    = 1
	batchTag     = 3
	continuation = 0xFFFFFFFF // before each message's length; with length 0: the end of the stream
	FrameSize    = 8
)

// encodeHeader is, in that version, the schema message and the record batch message, each in its frame,
// padded so that the body after them starts at a multiple of 64. Its length depends
// on everything but the values of sums. Scalars are written even where they equal the
// default, so that the reader needs no defaults.
func encodeHeader(version uint32, schema *arrow.Schema, b Batch, sums []uint64) []byte {
	header := appendFrame(nil, schemaMessage(schema, checked(version, b.Sizes, sums)), 8)
	return appendFrame(header, batchMessage(b), Alignment)
}

// appendFrame appends a message with its length, padded to a multiple of boundary.
func appendFrame(header, message []byte, boundary int) []byte {
	end := (len(header) + FrameSize + len(message) + boundary - 1) &^ (boundary - 1)
	header = binary.LittleEndian.AppendUint32(header, continuation)
	header = binary.LittleEndian.AppendUint32(header, uint32(end-len(header)-4))
	header = append(header, message...)
	return append(header, make([]byte, end-len(header))...)
}

func finishMessage(b *flatbuffers.Builder, tag byte, header flatbuffers.UOffsetT, body int) []byte {
	b.StartObject(5)
	b.PrependInt64(int64(body))
	b.Slot(3)
	b.PrependUOffsetTSlot(2, header, 0)
	b.PrependByte(tag)
	b.Slot(1)
	b.PrependInt16(metadataV5)
	b.Slot(0)
	b.Finish(b.EndObject())
	return b.FinishedBytes()
}

func schemaMessage(schema *arrow.Schema, sums []uint64) []byte {
	b := flatbuffers.NewBuilder(2048)
	metadata := writeMetadata(b, schema.Metadata(), sums)
	fields := writeFields(b, schema.Fields())
	b.StartObject(4)
	b.PrependUOffsetTSlot(2, metadata, 0)
	b.PrependUOffsetTSlot(1, fields, 0)
	b.PrependInt16(0) // little-endian
	b.Slot(0)
	return finishMessage(b, schemaTag, b.EndObject(), 0)
}

func writeMetadata(b *flatbuffers.Builder, metadata arrow.Metadata, sums []uint64) flatbuffers.UOffsetT {
	pairs := make([]flatbuffers.UOffsetT, 0, metadata.Len()+1)
	for i, key := range metadata.Keys() {
		pairs = append(pairs, writePair(b, key, metadata.Values()[i]))
	}
	pairs = append(pairs, writePair(b, checksumsKey, formatChecksums(sums)))
	return b.CreateVectorOfTables(pairs)
}

func writePair(b *flatbuffers.Builder, key, value string) flatbuffers.UOffsetT {
	k, v := b.CreateString(key), b.CreateString(value)
	b.StartObject(2)
	b.PrependUOffsetTSlot(1, v, 0)
	b.PrependUOffsetTSlot(0, k, 0)
	return b.EndObject()
}

func writeFields(b *flatbuffers.Builder, fields []arrow.Field) flatbuffers.UOffsetT {
	tables := make([]flatbuffers.UOffsetT, len(fields))
	for i, f := range fields {
		tables[i] = writeField(b, f)
	}
	return b.CreateVectorOfTables(tables)
}

func writeField(b *flatbuffers.Builder, f arrow.Field) flatbuffers.UOffsetT {
	children := writeFields(b, ShapeOf(f.Type).Fields)
	name := b.CreateString(f.Name)
	tag, dataType := writeType(b, f.Type)
	b.StartObject(7)
	b.PrependUOffsetTSlot(5, children, 0)
	b.PrependUOffsetTSlot(3, dataType, 0)
	b.PrependByte(tag)
	b.Slot(2)
	b.PrependBool(f.Nullable)
	b.Slot(1)
	b.PrependUOffsetTSlot(0, name, 0)
	return b.EndObject()
}

// writeType writes the table of a type: its scalars, then a timestamp's zone if there is one.
func writeType(b *flatbuffers.Builder, t arrow.DataType) (tag byte, at flatbuffers.UOffsetT) {
	f, _ := formOf(t)
	var zone flatbuffers.UOffsetT
	if stamp, ok := t.(*arrow.TimestampType); ok && stamp.TimeZone != "" {
		zone = b.CreateString(stamp.TimeZone)
	}
	b.StartObject(3)
	b.PrependUOffsetTSlot(1, zone, 0)
	writeScalar(b, 1, widths[f.tag][1], f.b)
	writeScalar(b, 0, widths[f.tag][0], f.a)
	return f.tag, b.EndObject()
}

func writeScalar(b *flatbuffers.Builder, slot, width int, value int32) {
	switch width {
	case 0:
		return
	case 1:
		b.PrependByte(byte(value))
	case 2:
		b.PrependInt16(int16(value))
	case 4:
		b.PrependInt32(value)
	}
	b.Slot(slot)
}

// batchMessage tells where the buffers of a batch lie in the body.
func batchMessage(batch Batch) []byte {
	b := flatbuffers.NewBuilder(1024)
	spans := make([][2]int64, len(batch.Sizes))
	var at int
	for i, size := range batch.Sizes {
		spans[i] = [2]int64{int64(at), int64(size)}
		at += Align(size)
	}
	nodes := make([][2]int64, len(batch.Nodes))
	for i, n := range batch.Nodes {
		nodes[i] = [2]int64{int64(n.Length), int64(n.Nulls)}
	}
	spansAt, nodesAt := writeStructs(b, spans), writeStructs(b, nodes)
	b.StartObject(4)
	b.PrependUOffsetTSlot(2, spansAt, 0)
	b.PrependUOffsetTSlot(1, nodesAt, 0)
	b.PrependInt64(int64(batch.Nodes[0].Length))
	b.Slot(0)
	return finishMessage(b, batchTag, b.EndObject(), at)
}

// writeStructs writes a vector of structs of two int64; a Builder writes back to front.
func writeStructs(b *flatbuffers.Builder, pairs [][2]int64) flatbuffers.UOffsetT {
	b.StartVector(16, len(pairs), 8)
	for i := len(pairs) - 1; i >= 0; i-- {
		b.PrependInt64(pairs[i][1])
		b.PrependInt64(pairs[i][0])
	}
	return b.EndVector(len(pairs))
}
