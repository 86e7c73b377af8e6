package backup

import (
	"encoding/binary"

	"github.com/klauspost/compress/zstd"
)

// batch collects pairs until they are worth a record. It holds batchBytes, or one pair.
type batch struct {
	to      *recordWriter
	kind    kind
	packer  *zstd.Encoder // nil: records are not packed
	pending []byte
	packed  []byte
}

func newPacker() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
}

func (b *batch) add(key, value []byte) error {
	size := len(key) + len(value) + 2*binary.MaxVarintLen64
	if len(b.pending)+size > batchBytes {
		if err := b.flush(); err != nil {
			return err
		}
	}
	b.pending = appendPair(b.pending, key, value)
	return nil
}

// flush writes what is pending, packed where that saves an eighth.
func (b *batch) flush() error {
	if len(b.pending) == 0 {
		return nil
	}
	k, payload := b.kind, b.pending
	if b.packer != nil {
		b.packed = b.packer.EncodeAll(payload, b.packed[:0])
		if len(b.packed) < len(payload)/8*7 {
			k, payload = packedRecord, b.packed
		}
	}
	b.pending = b.pending[:0]
	return b.to.record(k, payload)
}
