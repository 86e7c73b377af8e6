package schedule

import "time"

// line is how long a load takes by its bytes: so long whatever there is, and so long a byte,
// with the least squared error over what was measured.
type line struct {
	n, x, y, xx, xy float64
	most            float64 // bytes of the largest load
}

// add takes in what some loads of about the same size took together.
func (l *line) add(took time.Duration, bytes uint64, loads int) {
	n := float64(loads)
	x, y := float64(bytes)/n, took.Seconds()/n
	*l = line{l.n + n, l.x + n*x, l.y + n*y, l.xx + n*x*x, l.xy + n*x*y, max(l.most, x)}
}

// renew takes in what was measured later, if that was anything, and has it count twice as much as what there is.
func (l *line) renew(later line) {
	if later.n > 0 {
		*l = line{l.n/2 + later.n, l.x/2 + later.x, l.y/2 + later.y, l.xx/2 + later.xx, l.xy/2 + later.xy,
			max(l.most/2, later.most)}
	}
}

// at is how long a load of so many bytes takes, in seconds. It is 0 when nothing is known: it
// is then tried. Where the best line would have something take less than nothing, or all loads
// were as large but for rounding, it is one through 0.
func (l line) at(bytes float64) float64 {
	spread := l.n*l.xx - l.x*l.x
	if slope := (l.n*l.xy - l.x*l.y) / spread; spread > leastSpread*l.n*l.xx && slope >= 0 && l.y >= slope*l.x {
		return (l.y-slope*l.x)/l.n + slope*bytes
	}
	if l.x == 0 {
		return 0
	}
	return l.y / l.x * bytes
}

// leastSpread is below which part of it a spread is but rounding.
const leastSpread = 1e-9

// within is at, where every byte beyond the largest load takes so long as is said: small loads say little of large
// ones.
func (l line) within(bytes, each float64) float64 {
	return l.at(min(bytes, l.most)) + max(0, bytes-l.most)*each
}
