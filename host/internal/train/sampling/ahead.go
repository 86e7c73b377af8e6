package sampling

import (
	"context"
	"iter"
)

// Staged is a batch that has been sampled, or the error that it met with.
type Staged struct {
	Batch *Batch
	Err   error
	spare chan<- *Batch
}

// Done gives the memory of a batch back, which has been brought.
func (s Staged) Done() { s.spare <- s.Batch }

// Ahead samples batches, of which seeds are told, one after the other, ahead of who takes them. It ends when ctx does.
func (b *Batches) Ahead(ctx context.Context, epoch int, seeds iter.Seq[[]uint32]) <-chan Staged {
	staged, spare := make(chan Staged), make(chan *Batch, len(b.memory))
	for i := range b.memory {
		spare <- &b.memory[i]
	}
	go func() {
		defer close(staged)
		for some := range seeds {
			next := Staged{spare: spare}
			select {
			case next.Batch = <-spare:
			case <-ctx.Done():
				return
			}
			next.Err = b.Stage(ctx, epoch, some, next.Batch)
			select {
			case staged <- next:
			case <-ctx.Done():
				return
			}
			if next.Err != nil {
				return
			}
		}
	}()
	return staged
}
