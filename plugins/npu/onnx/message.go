package onnx

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// message is a protobuf message that grows by its fields.
type message []byte

func (m *message) varint(field protowire.Number, v uint64) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), v)
}

func (m *message) single(field protowire.Number, v float32) {
	*m = protowire.AppendFixed32(protowire.AppendTag(*m, field, protowire.Fixed32Type), math.Float32bits(v))
}

// text leaves an empty string out, as protobuf's own encoders do.
func (m *message) text(field protowire.Number, s string) {
	if s != "" {
		*m = protowire.AppendString(protowire.AppendTag(*m, field, protowire.BytesType), s)
	}
}

// texts keeps the empty ones: a node's absent input is an empty name.
func (m *message) texts(field protowire.Number, all []string) {
	for _, s := range all {
		*m = protowire.AppendString(protowire.AppendTag(*m, field, protowire.BytesType), s)
	}
}

func (m *message) message(field protowire.Number, inner []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), inner)
}
