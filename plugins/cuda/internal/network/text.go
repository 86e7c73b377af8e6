package network

import (
	"context"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

const instructionBytes = uint64(unsafe.Sizeof(kernels.Instruction{}))

// text is the codes of some steps, as the card has them, one after the other.
type text struct {
	codes []*code
	at    *buffer
}

// newText gives codes their places.
func newText(codes []*code) text {
	var bytes uint64
	for _, code := range codes {
		code.place = bytes
		bytes += instructionBytes * uint64(len(code.instructions))
	}
	return text{codes, kept(bytes)}
}

// send copies the codes to the card, for the steps of a run.
func (t *text) send(ctx context.Context, s *stream.Streams, r *run, dropout dataflow.Dropout) error {
	all := make([]kernels.Instruction, t.at.bytes/instructionBytes)
	for _, code := range t.codes {
		code.encode(all[code.place/instructionBytes:], uint64(r.base), dropout)
	}
	r.codes = r.at(t.at)
	return s.CopyIn(ctx, r.stream, r.codes, bytesOf(all))
}
