package kit

import (
	"context"
	"maps"
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// residency is the chunks that a session holds, and what it takes to make one resident.
type residency struct {
	job         plugins.Job
	budget      *Budget
	known       *Known // nil: every chunk is validated
	validator   validator
	wanted      []chunk.Direction
	edgeColumns []string
	admitter    Admitter // nil: the device makes nothing of a chunk
	chunks      map[uint32]*Chunk
}

// validator runs the checks of a chunk (Setup.Validator).
type validator = func(ctx context.Context, n int, check func(i int)) error

// upload makes a chunk resident, where it lies.
func (r *residency) upload(ctx context.Context, c plugins.Command) error {
	if r.chunks[c.Chunk] != nil {
		return plugins.Errorf(plugins.KindInvalid, "it is resident already")
	}
	opened, err := OpenChunk(r.job, c, r.wanted, r.edgeColumns)
	if err != nil {
		return err
	}
	if err := r.admit(ctx, opened); err != nil {
		opened.Release()
		return err
	}
	r.chunks[c.Chunk] = opened
	return nil
}

// admit validates a chunk, charges it and has the device make it ready.
func (r *residency) admit(ctx context.Context, c *Chunk) error {
	if err := r.validate(ctx, c); err != nil {
		return err
	}
	if err := r.budget.Take(c.Bytes, "the chunk"); err != nil {
		return err
	}
	c.convert(r.edgeColumns)
	if r.admitter == nil {
		return nil
	}
	if err := r.admitter.Admit(c); err != nil {
		r.budget.Give(c.Bytes)
		return err
	}
	return nil
}

// validate looks at every edge of a chunk, unless an earlier session has.
func (r *residency) validate(ctx context.Context, c *Chunk) error {
	if r.known == nil {
		return c.validate(ctx, r.validator)
	}
	if r.known.has(r.job.Arena, c.Identity) {
		return nil
	}
	if err := c.validate(ctx, r.validator); err != nil {
		return err
	}
	r.known.add(r.job.Arena, c.Identity)
	return nil
}

// evict forgets a resident chunk.
func (r *residency) evict(number uint32) error {
	c, err := r.resident(number)
	if err != nil {
		return err
	}
	delete(r.chunks, number)
	if r.admitter != nil {
		r.admitter.Evict(c)
	}
	if r.known != nil {
		r.known.forget(r.job.Arena, c.Identity)
	}
	r.budget.Give(c.Bytes)
	c.Release()
	return nil
}

// resident is a chunk by its number.
func (r *residency) resident(number uint32) (*Chunk, error) {
	if c := r.chunks[number]; c != nil {
		return c, nil
	}
	return nil, plugins.Errorf(plugins.KindInvalid, "it is not resident")
}

// inOrder are the resident chunks by number: the order of sums.
func (r *residency) inOrder() []*Chunk {
	list := make([]*Chunk, 0, len(r.chunks))
	for _, number := range slices.Sorted(maps.Keys(r.chunks)) {
		list = append(list, r.chunks[number])
	}
	return list
}

// release lets all chunks go. The arena stays the host's.
func (r *residency) release() {
	for _, c := range r.chunks {
		c.Release()
	}
	clear(r.chunks)
}
