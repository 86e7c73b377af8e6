package host

import (
	"time"

	"github.com/penstock-db/penstock/internal/schedule"
)

// paces is how fast a streamed run's stages have been.
type paces struct{ read, look, cut, check, step pace }

// pace is work done and the seconds it took, lately: what was done before the last iteration counts half,
// before that a quarter, and so on.
type pace struct{ done, took float64 }

func (p *pace) add(done uint64, took time.Duration) {
	if done > 0 {
		p.done, p.took = p.done/2+float64(done), p.took/2+took.Seconds()
	}
}

// each is the seconds that a unit takes. What is known beforehand counts as much as so many
// units: a few bytes tell little, for what is done once a chunk takes most of their time.
func (p pace) each(before, units float64) float64 { return (p.took + before*units) / (p.done + units) }

// learn takes in what an iteration has cost. Devices, of which spent is the sum, have worked at the
// same time.
func (p *paces) learn(spent cost, devices int) {
	all := time.Duration(devices)
	p.read.add(spent.read-spent.looked-spent.cutOut, spent.storage-spent.looking)
	p.look.add(spent.looked, spent.looking)
	p.cut.add(spent.cutOut, spent.cutting)
	p.check.add(spent.uploaded, (spent.transfer-spent.linking)/all)
	p.step.add(spent.edges, (spent.compute-spent.applying)/all)
}

// assumed is the seconds that a byte takes in any stage before anything has been done. Only
// what it is compared with matters, so that at first less bytes are less work.
const assumed = 1e-9

// costs are what the paces foretell. Until about a chunk has been cut, cutting is taken to
// be as fast as reading, and so with the others.
func (r *run) costs() schedule.Costs {
	bytes, edges := r.ordinary()
	p := r.paces
	read := p.read.each(assumed, bytes)
	c := schedule.Costs{
		Read: read, Look: p.look.each(read, bytes), Cut: p.cut.each(read, bytes), Check: p.check.each(read, bytes),
		Step: p.step.each(read*bytes/max(1, edges), edges), Measured: p != paces{}, Readers: readers,
	}
	switch {
	case r.link.bandwidth > 0:
		c.Link = 1 / float64(r.link.bandwidth)
	case r.device.LinkBandwidth > 0: // then making chunks resident is to carry them
		c.Link, c.Check = p.check.each(1/float64(r.device.LinkBandwidth), bytes), 0
	}
	return c
}

// ordinary is what a chunk has, on average.
func (r *run) ordinary() (bytes, edges float64) {
	for _, c := range r.chunks {
		bytes, edges = bytes+float64(c.size), edges+float64(c.info.Edges)
	}
	n := float64(max(1, len(r.chunks)))
	return max(1, bytes/n), edges / n
}
