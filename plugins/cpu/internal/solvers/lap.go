package solvers

// Lap says when to tell of an iteration, where an iteration may be any number of levels: of
// each of the first levelsApart, then of ever more at once, so that a run of many short
// levels does not spend its time on telling of them.
type Lap struct {
	Levels      int // so many may be told of together; what does not end by then is told of one by one
	levels, end int
}

const levelsApart = 256

// LapOf is where iterations may have several levels if only the last state counts, and it is
// certain that levels end: as many as there are vertices.
func LapOf(p *Problem) Lap {
	if p.Code.Asynchronous() && (p.Code.Spec.Diverged == "" || p.Worsens) {
		return Lap{Levels: p.N}
	}
	return Lap{}
}

// GoesOn follows each level, and tells whether the next belongs to the same iteration.
func (l *Lap) GoesOn() bool {
	l.levels++
	if l.levels < min(l.end, l.Levels) {
		return true
	}
	l.end = l.levels + 1 + l.levels/levelsApart
	return false
}
