package grid

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// Stage is a stage of a schedule, as it is computed interval by interval.
type Stage struct {
	*dataflow.Stage
	Near []*dataflow.Value   // what it reads of an interval's own rows: inputs, and what earlier stages have stored
	Far  [][]*dataflow.Value // of each wave, what its edges read of the rows at their far ends
	Rows [][]*dataflow.Value // of each wave, what is computed row by row, with what is made again; arguments first
	Kept []*dataflow.Value   // of Gathers and Rows those that a later wave needs, and all gathers of rows
}

// Stages are those of a schedule.
func Stages(stages []dataflow.Stage) []Stage {
	all := make([]Stage, len(stages))
	for i := range stages {
		all[i] = newStage(&stages[i])
	}
	return all
}

// Owns says whether an edge value is of the end whose rows the stage computes.
func Owns(end dataflow.End, v *dataflow.Value) bool {
	return (v.Op == dataflow.Source) == (end == dataflow.AtSource)
}

// Gathers says whether a wave looks at edges.
func (s *Stage) Gathers(wave int) bool { return len(s.Waves[wave].Gathers) > 0 }

// AddedNumbers is how many numbers the stage adds up over rows and edges.
func (s *Stage) AddedNumbers() (count int) {
	for _, v := range s.Added() {
		count += v.Rows * v.Width
	}
	return count
}

func newStage(stage *dataflow.Stage) Stage {
	s, made, again := Stage{Stage: stage}, madeIn(stage), againIn(stage)
	near := func(v *dataflow.Value) {
		if _, is := made[v]; !is && v.Place == dataflow.Vertices && v.Op != dataflow.Mask && !slices.Contains(s.Near, v) {
			s.Near = append(s.Near, v)
		}
	}
	late := map[*dataflow.Value]bool{} // needed after the wave that it is made in
	for k, w := range stage.Waves {
		var far []*dataflow.Value
		for _, e := range slices.Concat(w.Edges, w.Gathers) {
			for _, a := range e.Args {
				if e.Op != dataflow.Source && e.Op != dataflow.Target || a.Place != dataflow.Vertices {
					continue
				}
				if !Owns(stage.End, e) {
					if !slices.Contains(far, a) {
						far = append(far, a)
					}
					continue
				}
				near(a)
				late[a] = true // a wave's edges come before its rows
			}
		}
		rows := slices.DeleteFunc(slices.Clone(w.Rows), func(v *dataflow.Value) bool { return again[v] })
		of := slices.Clone(rows)
		if k == len(stage.Waves)-1 {
			of = append(of, stage.Sums...)
		}
		for _, v := range of {
			for _, a := range v.Args {
				if at, is := made[a]; is && at < k {
					late[a] = true
				}
			}
		}
		s.Far = append(s.Far, far)
		s.Rows = append(s.Rows, append(repeated(stage, again, of), rows...))
		for _, v := range s.Rows[k] {
			for _, a := range v.Args {
				near(a)
			}
		}
	}
	for _, v := range stage.Sums {
		for _, a := range v.Args {
			near(a)
		}
	}
	for k, w := range stage.Waves {
		for _, v := range w.Gathers {
			if v.Place == dataflow.Vertices {
				s.Kept = append(s.Kept, v)
			}
		}
		for _, v := range w.Rows {
			if late[v] && !again[v] && k < len(stage.Waves)-1 {
				s.Kept = append(s.Kept, v)
			}
		}
	}
	slices.SortFunc(s.Near, func(a, b *dataflow.Value) int { return a.ID - b.ID })
	return s
}

// madeIn is the wave that makes each of a stage's rows and gathers.
func madeIn(stage *dataflow.Stage) map[*dataflow.Value]int {
	made := map[*dataflow.Value]int{}
	for k, w := range stage.Waves {
		for _, v := range slices.Concat(w.Gathers, w.Rows) {
			made[v] = k
		}
	}
	return made
}

// againIn finds the rows of the first wave that are made again wherever they are needed: element by element of what is
// given. What edges read, or what is stored, is not among them.
func againIn(stage *dataflow.Stage) map[*dataflow.Value]bool {
	made, again := madeIn(stage), map[*dataflow.Value]bool{}
	for _, v := range stage.Waves[0].Rows {
		again[v] = v.Op.IsElementwise() && !slices.Contains(stage.Stored, v)
		for _, a := range v.Args {
			_, is := made[a]
			again[v] = again[v] && (!is || again[a])
		}
	}
	for _, w := range stage.Waves {
		for _, e := range w.Edges {
			for _, a := range e.Args {
				delete(again, a)
			}
		}
	}
	for _, v := range stage.Waves[0].Rows { // what is made of what is no longer among them is not either
		for _, a := range v.Args {
			if _, is := made[a]; is && !again[a] {
				delete(again, v)
			}
		}
	}
	return again
}

// repeated lists what values are made of that is made again, arguments first.
func repeated(stage *dataflow.Stage, again map[*dataflow.Value]bool, of []*dataflow.Value) (list []*dataflow.Value) {
	need := map[*dataflow.Value]bool{}
	for _, v := range of {
		for _, a := range v.Args {
			need[a] = true
		}
	}
	for _, v := range slices.Backward(stage.Waves[0].Rows) {
		if !again[v] || !need[v] {
			continue
		}
		list = append(list, v)
		for _, a := range v.Args {
			need[a] = true
		}
	}
	slices.Reverse(list)
	return list
}
