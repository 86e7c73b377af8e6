package host

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// parcel is what the devices are given of a chunk: a part each, or the first all of it, as it is stored.
type parcel struct {
	chunk      int
	rest, core place // of length 0: nothing
	cut        bool  // rest is not all of it
	err        error
}

// cutRoom is what the core's part of a chunk takes beside it, at most: there is a list for each of its vertices.
func (r *run) cutRoom(c piece) uint64 {
	return aligned(uint64(c.size) + 8*c.info.Rows.Count + r.partRoom())
}

// cellar is where the core's chunks are put, one below the other.
type cellar struct {
	sync.Mutex // two goroutines cut
	downward
}

func (c *cellar) place(bytes int) arena.Range {
	c.Lock()
	defer c.Unlock()
	at := c.downward.place(aligned(uint64(bytes)))
	at.Length = uint64(bytes)
	return at
}

// upload gives each device its part of the chunks, while the next are being cut.
func (s *split) upload() error {
	tasks := func(context.Context) iter.Seq[int] { return slices.Values(s.allChunks()) }
	under := &cellar{downward: downward{s.warm.columns}}
	var done uint64
	for p := range inOrder(s.ctx, tasks, func(ctx context.Context, i int) parcel { return s.pack(ctx, i, under) }) {
		if p.err != nil {
			return p.err
		}
		if p.cut {
			s.cut = append(s.cut, p.chunk)
		}
		if p.core.Length > 0 {
			s.dense.has = append(s.dense.has, p.chunk)
			s.offer(plugins.Command{Op: plugins.Upload, Chunk: uint32(p.chunk), At: p.core.Range})
		}
		if p.rest.Length > 0 {
			s.rest.has = append(s.rest.has, p.chunk)
			err := s.give(p.chunk, p.rest, func(plugins.Event) {
				done += aligned(s.chunks[p.chunk].device)
				s.events.Uploaded(done, s.fit.all)
			})
			if err != nil {
				return err
			}
		}
	}
	s.used += s.warm.columns - under.at
	return s.ctx.Err()
}

// give uploads a chunk, or a part of it, to the first device.
func (s *split) give(i int, at place, done func(plugins.Event)) error {
	s.rest.spent.sent(at.Length, s.transfer(at.Length))
	return s.rest.talk.send(plugins.Command{Op: plugins.Upload, Chunk: uint32(i), At: at.Range, File: at.file}, exchange{done: done})
}

// offer tells the second device to do something. If it is gone, that is noticed when its work is due.
func (s *split) offer(command plugins.Command) {
	if s.dense.talk.send(command, exchange{}) == nil {
		s.dense.spent.sent(command.At.Length, s.transfer(command.At.Length))
	}
}

// pack cuts a chunk, if the core has edges in it.
func (s *split) pack(ctx context.Context, i int, under *cellar) (p parcel) {
	p.chunk = i
	c := s.chunks[i]
	if set := schedule.Bitmap(s.set); set.Any(c.info.Rows) && set.Any(c.info.Cols) {
		p.err = s.cutInTwo(ctx, &p, under)
	}
	if p.err == nil && p.rest.Length == 0 && s.wants(s.rest, c) {
		l := s.load(ctx, i, c.at)
		p.rest, p.err = l.at, l.err
	}
	return p
}

// cutInTwo makes the two parts of a chunk, or neither where the core has no edge of it.
func (s *split) cutInTwo(ctx context.Context, p *parcel, under *cellar) error {
	view, _, err := s.view(ctx, p.chunk)
	if err != nil {
		return err
	}
	started := time.Now()
	inside, err := core.Cut(view, s.set, core.Core)
	if err != nil {
		return err
	}
	defer inside.Release()
	if inside.Edges() == 0 {
		return nil
	}
	if s.wants(s.dense, s.chunks[p.chunk]) {
		if p.core.Range, err = s.encode(inside, under.place(inside.EncodedSize())); err != nil {
			return err
		}
	}
	if s.wants(s.rest, s.chunks[p.chunk]) {
		err = s.cutRest(view, p)
	}
	s.meter.cut(int(p.core.Length+p.rest.Length), time.Since(started))
	s.spanBytes("cut", started, p.core.Length+p.rest.Length)
	return err
}

// cutRest puts the rest of a chunk where the chunk itself would be.
func (s *split) cutRest(view *chunk.Chunk, p *parcel) error {
	outside, err := core.Cut(view, s.set, core.Rest)
	if err != nil {
		return err
	}
	defer outside.Release()
	p.cut = true
	p.rest.Range, err = s.encode(outside, s.chunks[p.chunk].at)
	return err
}

// encode writes a chunk to a range of the arena, which shrinks to what it takes.
func (s *split) encode(c *chunk.Chunk, at arena.Range) (arena.Range, error) {
	s.arena.Populate(at)
	dst, err := s.arena.Bytes(at)
	if err != nil {
		return at, err
	}
	n, err := c.EncodeTo(dst)
	at.Length = uint64(n)
	return at, err
}
