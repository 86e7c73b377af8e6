// Package regret says what a run would have taken by other schedules.
//
//	state of an iteration ──each schedule's policy──▶ loads ──▶ bytes, and seconds by the run's own measurements
//
// All are asked on the same trace: the active sets of the run. A schedule of its own would have had others, for how far
// parts settle, and which vertices wait, depends on what is sent; so these are costs of decisions, not of whole runs.
// A chunk that stays, by auto or in the queue of scaph, costs nothing until it leaves. The grid of neugraph has one
// column, and what it would have learned from its own times it does not know. Headers of what is cut are not counted.
package regret

import (
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/internal/schedule"
)

// Cost is what a schedule would have taken, up to now.
type Cost struct {
	Schedule string  `json:"schedule"`
	Bytes    uint64  `json:"bytes"`   // to the device
	Seconds  float64 `json:"seconds"` // that are predicted
}

// Simulation asks schedules what they would send, iteration by iteration.
type Simulation struct{ policies []*policy }

// policy is a schedule, and what would be where if it had chosen what was sent so far.
type policy struct {
	schedule.Schedule
	chunks []schedule.Chunk
	before []uint64
	held   []int // with a queue: the chunks that are on the device
	bytes  float64
	took   float64
}

// New simulates the schedules of these names. Errors are *schedule.ParseError.
func New(names []string) (*Simulation, error) {
	s := new(Simulation)
	for _, name := range names {
		parsed, err := schedule.Parse(name)
		if err != nil {
			return nil, err
		}
		s.policies = append(s.policies, &policy{Schedule: parsed})
	}
	return s, nil
}

// Iterate has all decide on an iteration of the run. What state says of chunks being on the device is not theirs.
func (s *Simulation) Iterate(state schedule.State) {
	for _, p := range s.policies {
		p.iterate(state)
	}
}

// Costs are those of all schedules.
func (s *Simulation) Costs() (all []Cost) {
	for _, p := range s.policies {
		all = append(all, Cost{p.Name, uint64(p.bytes + 0.5), p.took})
	}
	return all
}

func (p *policy) iterate(s schedule.State) {
	if p.chunks == nil {
		p.chunks = slices.Clone(s.Chunks)
		for i := range p.chunks {
			c := &p.chunks[i]
			c.Here, c.Seen, c.Sent = false, false, 0
			c.Stays = c.Stays && p.Needs.Pins
		}
	}
	for i := range p.chunks {
		p.chunks[i].InArena = s.Chunks[i].InArena
	}
	s.Chunks, s.Before, p.before = p.chunks, p.before, s.Demand
	if p.Needs.Grid {
		s.Grid, s.Slot, s.Took, s.Pass = schedule.Strips(s.Chunks, s.Room), s.Room, nil, 0
	}
	loads := p.Plan(s)
	p.took += s.Predict(loads).Longest()
	for _, l := range loads {
		bytes, c := s.Bytes(l), &p.chunks[l.Chunk]
		p.bytes += bytes
		switch {
		case l.Part && bytes < float64(c.Bytes): // else it was sent as it is stored
			c.Seen, c.Sent = true, c.Sent+uint64(bytes+0.5)
		case p.Needs.Queue && !c.Here:
			p.hold(s, l.Chunk)
		default:
			c.Here = c.Here || c.Stays
		}
	}
}

// hold puts a chunk into the queue, for which those leave that the fewest edges are wanted of.
func (p *policy) hold(s schedule.State, chunk int) {
	var bytes uint64
	for _, i := range append(p.held, chunk) {
		bytes += p.chunks[i].Bytes
	}
	for bytes > s.Room && len(p.held) > 0 {
		least := 0
		for at, i := range p.held {
			if s.Demand != nil && s.Demand[i] < s.Demand[p.held[least]] {
				least = at
			}
		}
		leaves := p.held[least]
		p.held, bytes = slices.Delete(p.held, least, least+1), bytes-p.chunks[leaves].Bytes
		p.chunks[leaves].Here = false
	}
	p.held, p.chunks[chunk].Here = append(p.held, chunk), true
}

// Regret is a schedule's costs over the least: 1 is none.
type Regret struct {
	Fewest  string  `json:"fewest"`  // the schedule with the fewest bytes
	Bytes   float64 `json:"bytes"`   // over its bytes
	Soonest string  `json:"soonest"` // the schedule that is predicted to take the least time
	Seconds float64 `json:"seconds"` // over its seconds
}

// UnknownError is a schedule that was not simulated.
type UnknownError struct{ Schedule string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("schedule %q was not simulated, so that there is nothing to compare", e.Schedule)
}

// Of is the regret of a schedule against all that were simulated. The error is *UnknownError if it was not.
func Of(name string, all []Cost) (Regret, error) {
	at := slices.IndexFunc(all, func(c Cost) bool { return c.Schedule == name })
	if at < 0 {
		return Regret{}, &UnknownError{name}
	}
	own, fewest, soonest := all[at], all[at], all[at]
	for _, c := range all {
		if c.Bytes < fewest.Bytes {
			fewest = c
		}
		if c.Seconds < soonest.Seconds {
			soonest = c
		}
	}
	return Regret{fewest.Schedule, over(float64(own.Bytes), float64(fewest.Bytes)), soonest.Schedule,
		over(own.Seconds, soonest.Seconds)}, nil
}

// over is a ratio; of nothing over nothing, 1.
func over(a, least float64) float64 {
	if a == least {
		return 1
	}
	return a / max(least, 1e-12)
}
