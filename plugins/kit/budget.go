package kit

import "github.com/penstock-db/penstock/plugins"

// SmallestChunk is what the least chunk takes at least: its schema, one row and one edge.
const SmallestChunk = 768

// Budget counts the bytes a session holds: vertex columns, scratch, resident chunks and what is made of them.
// What a session is about to allocate it charges first.
// One goroutine at a time uses it.
type Budget struct {
	Limit      uint64 // 0: no bound
	Used, Peak uint64
}

// Take charges n bytes, or fails with KindBudget and charges nothing; of more than can be added up, with KindInternal.
func (b *Budget) Take(n uint64, what string) error {
	if err := b.Allow(n, what); err != nil {
		return err
	}
	b.Used += n
	b.Peak = max(b.Peak, b.Used)
	return nil
}

// TakeTask charges what a plan calls Fixed, if the smallest chunk would fit beside it.
func (b *Budget) TakeTask(fixed uint64) error {
	if fixed > fixed+SmallestChunk {
		return impossible(fixed, "the task")
	}
	if err := b.Allow(fixed+SmallestChunk, "the task with its smallest chunk"); err != nil {
		return err
	}
	return b.Take(fixed, "the task")
}

// Allow tells whether n bytes more could be taken.
func (b *Budget) Allow(n uint64, what string) error {
	switch {
	case n > b.Used+n:
		return impossible(n, what)
	case n > b.Left():
		return plugins.Errorf(plugins.KindBudget, "%s needs %d bytes beside %d in use: have %d, need %d",
			what, n, b.Used, b.Limit, b.Used+n)
	}
	return nil
}

// impossible is a need by which a sum would overflow, to come to little.
func impossible(n uint64, what string) error {
	return plugins.Errorf(plugins.KindInternal, "%s needs %d bytes, which no machine has: the formula of what it needs "+
		"overflows, or the graph is far too large for it", what, n)
}

// Give takes back a charge of n bytes.
func (b *Budget) Give(n uint64) { b.Used -= n }

// Left is how many bytes may be taken still.
func (b *Budget) Left() uint64 {
	if b.Limit == 0 {
		return ^uint64(0)
	}
	return b.Limit - min(b.Used, b.Limit)
}
