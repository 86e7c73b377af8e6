package schedule

import "time"

// line is how long a load takes by its bytes: so long whatever there is, and so long a byte,
// with the least squared error over what was measured.
type line struct{ n, x, y, xx, xy float64 }

// add takes in what some loads of about the same size took together.
func (l *line) add(took time.Duration, bytes uint64, loads int) {
	n := float64(loads)
	x, y := float64(bytes)/n, took.Seconds()/n
	l.n, l.x, l.y, l.xx, l.xy = l.n+n, l.x+n*x, l.y+n*y, l.xx+n*x*x, l.xy+n*x*y
}

// fade has what comes count twice as much as what there is.
func (l *line) fade() {
	*l = line{l.n / 2, l.x / 2, l.y / 2, l.xx / 2, l.xy / 2}
}

// at is how long a load of so many bytes takes, in seconds. It is 0 when nothing is known: it
// is then tried. Where the best line would have something take less than nothing, it is one
// through 0.
func (l line) at(bytes float64) float64 {
	spread := l.n*l.xx - l.x*l.x
	if slope := (l.n*l.xy - l.x*l.y) / spread; spread > 0 && slope >= 0 && l.y >= slope*l.x {
		return (l.y-slope*l.x)/l.n + slope*bytes
	}
	if l.x == 0 {
		return 0
	}
	return l.y / l.x * bytes
}
