package pool

import (
	"slices"
	"sync"
	"time"
)

// Pool is the devices that are idle.
type Pool struct {
	idle   time.Duration // after which a device ends; 0: at once
	memory uint64        // bytes; idle devices may take half

	ending sync.WaitGroup // devices that are on their way out

	mu     sync.Mutex // protects what is below
	kept   []*Device  // oldest first
	closed bool
}

// New makes a pool that ends devices which have been idle for so long; 0: at once. Together they take at most half of
// memory.
func New(idle time.Duration, memory uint64) *Pool { return &Pool{idle: idle, memory: memory} }

// Take is a device that is warm for key, or nil. Devices with an older state of the graph
// are of no more use, and end.
func (p *Pool) Take(key Key) *Device {
	p.end(func(d *Device) bool { return d.Key.outdatedBy(key) || d.dead() })
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.kept, func(d *Device) bool { return d.Key == key })
	if i < 0 {
		return nil
	}
	d := p.kept[i]
	d.expiry.Stop()
	p.kept = slices.Delete(p.kept, i, i+1)
	return d
}

// Has tells whether a device is warm for key.
func (p *Pool) Has(key Key) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.kept, func(d *Device) bool { return d.Key == key })
}

// Idle are the devices that are kept, oldest first.
func (p *Pool) Idle() []*Device {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.kept)
}

// Keep takes a device over from a run that has ended well.
func (p *Pool) Keep(d *Device) {
	p.mu.Lock()
	p.kept = append(p.kept, d)
	this := func(other *Device) bool { return other == d }
	d.expiry = time.AfterFunc(max(p.idle, time.Millisecond), func() { p.end(this) })
	unwanted := p.closed || p.idle == 0
	p.mu.Unlock()
	if unwanted {
		p.end(this)
	}
	p.MakeRoom(0, p.memory/2)
}

// MakeRoom ends idle devices, the oldest first, until they and need bytes more take no more than room.
func (p *Pool) MakeRoom(need, room uint64) {
	p.mu.Lock()
	over := need
	for _, d := range p.kept {
		over += d.Bytes
	}
	over -= min(over, room)
	p.mu.Unlock()
	p.end(func(d *Device) bool {
		chosen := over > 0
		over -= min(over, d.Bytes)
		return chosen
	})
}

// Forget ends the idle devices that hold chunks of a graph, and those on which the store
// waits: what is to be removed lies in files that they read.
func (p *Pool) Forget(graph string) {
	p.end(func(d *Device) bool { return d.Key.graph == graph || d.Cache.Hinders() })
}

// Close ends all devices; those that are kept later end at once.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.end(func(*Device) bool { return true })
	p.ending.Wait()
}

// end ends the idle devices that are chosen; it is asked about each once, oldest first.
func (p *Pool) end(chosen func(*Device) bool) {
	p.mu.Lock()
	var ended []*Device
	p.kept = slices.DeleteFunc(p.kept, func(d *Device) bool {
		if !chosen(d) {
			return false
		}
		d.expiry.Stop()
		ended = append(ended, d)
		p.ending.Add(1)
		return true
	})
	p.mu.Unlock()
	for _, d := range ended {
		d.Close()
		p.ending.Done()
	}
}
