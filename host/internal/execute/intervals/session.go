package intervals

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// session is the state that a device has of two intervals.
type session struct {
	layout plugins.Layout
	cell   [][]byte // columns, as those of all vertices, and more behind them
	set    []uint64 // who is active
	moved  uint64   // bytes of state that came, and went
	chosen []uint64 // of a cell's sources those that send
	places []uint32 // where they are in the session
}

// newSession maps it.
func newSession(layout plugins.Layout, memory *arena.Arena) (s *session, err error) {
	s = &session{layout: layout}
	for _, c := range layout.Columns {
		bytes, err := memory.Bytes(c.Range)
		if err != nil {
			return nil, err
		}
		s.cell = append(s.cell, bytes)
	}
	s.set, err = memory.Uint64s(layout.Active)
	return s, err
}

// side is one of the two places of an interval in a session.
type side uint64

const (
	sources side = iota
	destinations
)

// load puts an interval of the last iteration's state where destinations are in the session. They are not active there
// unless they send among themselves.
func (o *owner) load(i chunk.Interval, send bool) {
	for _, c := range o.columns {
		c.need(c.now, i)
	}
	for k, c := range o.columns {
		o.moved += uint64(copy(o.cell[k][o.each*c.width:], c.now[i.Base*c.width:i.End()*c.width]))
	}
	clear(o.set[o.each/64 : 2*o.each/64])
	for v := uint64(0); send && v < i.Count; v++ {
		if o.sends(i.Base + v) {
			o.set[(o.each+v)/64] |= 1 << (v % 64)
		}
	}
}

// forgetSources has no vertex of the session send.
func (o *owner) forgetSources() { clear(o.set[:o.each/64]) }

// send puts what messages are made of into the session, of the chosen sources alone: the others are not active there.
// It tells the bytes.
func (o *owner) send() (bytes uint64) {
	o.forgetSources()
	for _, p := range o.places {
		o.set[p/64] |= 1 << (p % 64)
	}
	for i, c := range o.columns {
		if !c.sent {
			continue
		}
		bytes += c.width * uint64(len(o.chosen))
		cell := o.cell[i]
		if c.width == 1 {
			for k, v := range o.chosen {
				cell[o.places[k]] = c.now[v]
			}
			continue
		}
		for k, v := range o.chosen {
			copy(cell[8*uint64(o.places[k]):][:8], c.now[8*v:][:8])
		}
	}
	o.moved += bytes + o.each/8
	return bytes
}

// unload takes an interval's next state out of the destinations, and tells how many of it are active, and by how much
// the first column has changed. Those that have settled are active no more: then it is those that have changed.
func (o *owner) unload(i chunk.Interval, norm algorithms.Norm, settled bool) (active uint64, change float64) {
	words := o.next[i.Base/64 : (i.End()+63)/64]
	if o.moved += 8 * uint64(copy(words, o.set[o.each/64:])); settled {
		o.changed(i, words)
	}
	if o.always && !settled { // a device need not say so again
		for k := range words {
			words[k] = ^uint64(0)
		}
	}
	if rest := i.Count % 64; rest != 0 {
		words[len(words)-1] &= 1<<rest - 1 // places that no vertex has
	}
	if norm != algorithms.NoNorm {
		change = o.change(i, o.cell[o.inputs][o.each*o.columns[o.inputs].width:], norm)
	}
	for k, c := range o.columns[o.inputs:] {
		o.moved += uint64(copy(c.into(i), o.cell[o.inputs+k][o.each*c.width:]))
	}
	o.written(i)
	return count(words), change
}
