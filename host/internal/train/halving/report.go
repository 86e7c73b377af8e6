package halving

import "time"

// Report is what two devices have done.
type Report struct {
	Devices   [2]string  `json:"devices"`   // the first looks at edges
	Intervals int        `json:"intervals"` // of vertices
	Products  [2]uint64  `json:"products"`  // of intervals with parameters, by each device
	Together  uint64     `json:"together"`  // commands that were sent while the other device was at work
	Seconds   [2]float64 `json:"seconds"`   // that each has computed
	Overlap   float64    `json:"overlap_seconds"`
	Stages    []Stage    `json:"stages"`
}

// Stage is what one of all stages took.
type Stage struct {
	Pass     int        `json:"pass"` // 0 learns, 1 says
	Once     bool       `json:"once,omitempty"`
	Stage    int        `json:"stage"`
	Edges    int        `json:"edges"`    // halves that look at edges
	Rows     int        `json:"rows"`     // and that do not
	Products int        `json:"products"` // in those
	RowsOn   string     `json:"rows_on,omitempty"`
	Runs     [2]int     `json:"runs"`         // by each device that computed its rows
	Least    [2]float64 `json:"milliseconds"` // of a run, at least
	Seconds  [2]float64 `json:"seconds"`      // that each device has computed, in all
	Overlap  float64    `json:"overlap_seconds"`
	Together uint64     `json:"together"`
	Done     [2]uint64  `json:"done"` // products of intervals, by each device

	last int // the device that computed its rows
}

// span is when a device was at work.
type span struct{ from, to time.Time }

// add takes note of a run.
func (s *Stage) add(device int, took time.Duration, work [2][]span) {
	if milliseconds := 1e3 * took.Seconds(); s.Runs[device] == 0 || milliseconds < s.Least[device] {
		s.Least[device] = milliseconds
	}
	s.Runs[device]++
	s.last = device
	for d, spans := range work {
		for _, each := range spans {
			s.Seconds[d] += each.to.Sub(each.from).Seconds()
		}
	}
	s.Overlap += overlap(work[0], work[1]).Seconds()
}

// overlap is how long spans of both were at once. Those of one device follow each other.
func overlap(a, b []span) (sum time.Duration) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		from, to := a[i].from, a[i].to
		if b[j].from.After(from) {
			from = b[j].from
		}
		if b[j].to.Before(to) {
			to = b[j].to
		}
		sum += max(to.Sub(from), 0)
		if a[i].to.Before(b[j].to) {
			i++
		} else {
			j++
		}
	}
	return sum
}

// Report is what has been done so far.
func (r *Runner) Report() *Report {
	all := r.report
	for i, s := range r.Streams {
		all.Devices[i] = s.Device
	}
	for _, p := range r.passes {
		for _, groups := range p.groups {
			for _, g := range groups {
				s := g.spent
				if s.Rows > 0 && s.Runs != [2]int{} {
					s.RowsOn = all.Devices[s.last]
				}
				for d := range s.Done {
					all.Products[d] += s.Done[d]
					all.Seconds[d] += s.Seconds[d]
				}
				all.Overlap += s.Overlap
				all.Together += s.Together
				all.Stages = append(all.Stages, s)
			}
		}
	}
	return &all
}
