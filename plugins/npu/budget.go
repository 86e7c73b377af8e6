package npu

import "github.com/penstock-db/penstock/plugins"

// smallestChunk is what the least chunk takes at least: its schema, one row and one edge.
const smallestChunk = 1 << 10

// budget counts the bytes a session holds: vertex columns, matrices, scratch and resident
// chunks. Only the goroutine in Compile or Execute uses it.
type budget struct {
	limit      uint64 // 0: no bound
	used, peak uint64
}

// take charges n bytes, or fails with KindBudget and charges nothing.
func (b *budget) take(n uint64, what string) error {
	if err := b.allow(n, what); err != nil {
		return err
	}
	b.used += n
	b.peak = max(b.peak, b.used)
	return nil
}

// allow tells whether n bytes more could be taken.
func (b *budget) allow(n uint64, what string) error {
	if n > b.left() {
		return plugins.Errorf(plugins.KindBudget, "%s needs %d bytes beside %d in use: have %d, need %d",
			what, n, b.used, b.limit, b.used+n)
	}
	return nil
}

// left is how many bytes may be taken still.
func (b *budget) left() uint64 {
	if b.limit == 0 {
		return ^uint64(0)
	}
	return b.limit - min(b.used, b.limit)
}

func (b *budget) give(n uint64) { b.used -= n }
