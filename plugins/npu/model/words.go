package model

import (
	"math/bits"

	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
)

// words are int64 to be added up, by the bytes of their two's complement: whatever wraps around in a
// sum wraps around in that of bytes.
type words struct {
	messages, acc []int64
	count         int // of bytes that are not 0 in all of them
}

func newWords(l *sending) *words {
	var all uint64
	for _, x := range l.messages.Ints {
		all |= uint64(x)
	}
	return &words{l.messages.Ints, l.Acc.Ints, blockwise.Ceil(bits.Len64(all), 8)}
}

func (w *words) rows(int) int { return w.count }

func (w *words) encode(row func(k int) []byte) {
	for k := range w.count {
		bytes := row(k)
		for v, x := range w.messages {
			bytes[v] = byte(uint64(x) >> (8 * k))
		}
	}
}

func (*words) wants(int, int) bool { return true }

func (w *words) decode(sums func(k int, do func(from int, sums []int32, edges int64))) bool {
	clear(w.acc)
	for k := range w.count {
		sums(k, func(from int, sums []int32, edges int64) {
			for i, sum := range sums {
				w.acc[from+i] += int64(sum) * edges << (8 * k)
			}
		})
	}
	return false
}
