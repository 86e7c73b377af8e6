package meter

import (
	"time"

	"github.com/penstock-db/penstock/internal/schedule"
)

// Speeds are how fast a streamed run's stages have been.
type Speeds struct {
	read, look, cut, check, step speed
	barrier                      speed // chunks that lists are cut out of
	kept                         speed // edges of chunks that stay: done, when they came, and took, in all turns
}

// speed is work done and the seconds it took, lately: what was done before the last iteration counts half,
// before that a quarter, and so on.
type speed struct{ done, took float64 }

func (s *speed) add(done uint64, took time.Duration) {
	if done > 0 {
		s.done, s.took = s.done/2+float64(done), s.took/2+took.Seconds()
	}
}

// each is the seconds that a unit takes. What is known beforehand counts as much as so many
// units: a few bytes tell little, for what is done once a chunk takes most of their time. Of a graph without edges
// nothing is done.
func (s speed) each(before, units float64) float64 {
	if s.done+units == 0 {
		return before
	}
	return (s.took + before*units) / (s.done + units)
}

// Learn takes in what an iteration has cost. Devices, of which spent is the sum, have worked at the
// same time.
func (s *Speeds) Learn(spent Cost, devices int) {
	all := time.Duration(devices)
	s.read.add(spent.Read-spent.Looked, spent.Storage-spent.FirstLook)
	s.look.add(spent.Looked, spent.FirstLook)
	s.cut.add(spent.CutOut, spent.Cutting)
	s.check.add(spent.Uploaded, (spent.Transfer-spent.Linking)/all)
	s.step.add(spent.Edges, (spent.Compute-spent.Applying)/all)
	s.barrier.add(uint64(spent.Parts), spent.Cutting)
	if q := spent.Queue; q.Processed > 0 {
		s.kept.done, s.kept.took = s.kept.done/2+float64(q.Useful), s.kept.took/2+float64(q.Processed)
	}
}

// assumed is the seconds that a byte takes in any stage before anything has been done. Only
// what it is compared with matters, so that at first less bytes are less work.
const assumed = 1e-9

// Work is what the chunks of a run have on average, and what carries them.
type Work struct {
	Bytes, Edges  float64 // of a chunk
	Readers       int     // how many read and cut at once
	LinkBandwidth uint64  // of the device's own link, in bytes a second; 0: none is known
	Simulated     uint64  // of a simulated link; 0: there is none
	Page          uint64  // bytes of a chunk that are read at once for lists; 0: all
}

// Costs are what the speeds foretell. Until about a chunk has been cut, cutting is taken to be as fast as reading, and
// so with the others.
func (s Speeds) Costs(w Work) schedule.Costs {
	read := s.read.each(assumed, w.Bytes)
	c := schedule.Costs{
		Read: read, Look: s.look.each(read, w.Bytes), Cut: s.cut.each(read, w.Bytes), Check: s.check.each(read, w.Bytes),
		Step: s.step.each(read*w.Bytes/max(1, w.Edges), w.Edges), Measured: s != Speeds{}, Readers: w.Readers,
		Page: w.Page,
	}
	if s.barrier.done > 0 {
		c.Barrier = s.barrier.took / s.barrier.done
	}
	if s.kept.done > 0 {
		c.Reuse = s.kept.took / s.kept.done
	}
	switch {
	case w.Simulated > 0:
		c.Link = 1 / float64(w.Simulated)
	case w.LinkBandwidth > 0: // then making chunks resident is to carry them
		c.Link, c.Check = s.check.each(1/float64(w.LinkBandwidth), w.Bytes), 0
	}
	return c
}
