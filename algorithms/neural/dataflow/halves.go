package dataflow

import "slices"

// Half is a part of a stage that looks at edges alone, or at rows alone, so that two devices can have one each. What
// another half reads is stored.
type Half struct {
	Stage
	Of int // the stage that it is of: its halves go through an interval one after the other
}

// Sparse says whether a half looks at edges.
func (h *Half) Sparse() bool { return len(h.Waves) > 0 && len(h.Waves[0].Gathers) > 0 }

// Products is how many matrix products a half has.
func (h *Half) Products() (count int) {
	lists := [][]*Value{h.Sums}
	for _, w := range h.Waves {
		lists = append(lists, w.Rows)
	}
	for _, v := range slices.Concat(lists...) {
		if v.Op == Product || v.Op == ProductTransposed || v.Op == Outer {
			count++
		}
	}
	return count
}

// Added are the parameters that a half adds up over rows or edges.
func (h *Half) Added() []*Value {
	list := slices.Clone(h.Sums)
	for _, w := range h.Waves {
		for _, v := range w.Gathers {
			if v.Op == Outer {
				list = append(list, v)
			}
		}
	}
	return list
}

// Results are what a half leaves for others, or for the host: rows, what it adds up, and what is made of that.
func (h *Half) Results() []*Value { return slices.Concat(h.Stored, h.Added(), h.Small) }

// Halves parts stages: each wave is what it gathers, and the rows that are made of that. Sums over rows come last, and
// the parameters that are made of them.
func Halves(stages []Stage) (halves []Half) {
	for i := range stages {
		halves = append(halves, halvesOf(&stages[i], i)...)
	}
	return halves
}

func halvesOf(s *Stage, number int) []Half {
	light := s.again()
	var halves []Half
	add := func(w Wave) *Half {
		halves = append(halves, Half{Stage{End: s.End, Waves: []Wave{w}}, number})
		return &halves[len(halves)-1]
	}
	for k, w := range s.Waves {
		if len(w.Gathers) > 0 {
			add(Wave{Edges: w.Edges, Gathers: w.Gathers})
		}
		rows := slices.DeleteFunc(slices.Clone(w.Rows), func(v *Value) bool { return light[v] })
		if sums := k == len(s.Waves)-1 && len(s.Sums) > 0; len(rows) > 0 || sums {
			last := add(Wave{Rows: rows})
			if sums {
				last.Sums = s.Sums
			}
		}
	}
	if len(s.Waves) == 0 && len(s.Sums)+len(s.Small) > 0 || len(halves) == 0 {
		add(Wave{}).Sums = s.Sums
	}
	halves[len(halves)-1].Small = s.Small
	for i := range halves {
		halves[i].complete(s, light, halves[i+1:])
	}
	return halves
}

// again finds the rows that are rather computed in each half than stored: element by element of what is given, where
// neither edges nor another stage read them.
func (s *Stage) again() map[*Value]bool {
	here, light, edges := map[*Value]bool{}, map[*Value]bool{}, map[*Value]bool{}
	for _, w := range s.Waves {
		for _, v := range slices.Concat(w.Gathers, w.Rows) {
			here[v] = true
		}
		for _, e := range slices.Concat(w.Edges, w.Gathers) {
			for _, a := range e.Args {
				edges[a] = true
			}
		}
	}
	for _, w := range s.Waves {
		for _, v := range w.Rows {
			light[v] = v.Op.IsElementwise() && !edges[v] && !slices.Contains(s.Stored, v)
			for _, a := range v.Args {
				light[v] = light[v] && (light[a] || !here[a])
			}
		}
	}
	return light
}

// complete adds what a half computes again, and lists what it stores: what the stage does, and later halves read.
func (h *Half) complete(s *Stage, light map[*Value]bool, later []Half) {
	w := &h.Waves[0]
	need := map[*Value]bool{}
	for _, v := range slices.Concat(w.Rows, h.Sums) {
		for _, a := range v.Args {
			need[a] = need[a] || light[a]
		}
	}
	var again []*Value
	for _, wave := range slices.Backward(s.Waves) {
		for _, v := range slices.Backward(wave.Rows) {
			if need[v] && light[v] {
				again = append(again, v)
				for _, a := range v.Args {
					need[a] = need[a] || light[a]
				}
			}
		}
	}
	slices.Reverse(again)
	own := slices.Concat(w.Gathers, w.Rows)
	w.Rows = append(again, w.Rows...)
	for _, v := range own {
		if v.Place == Vertices && (slices.Contains(s.Stored, v) || slices.ContainsFunc(later, func(l Half) bool {
			return l.reads(s, light, v)
		})) {
			h.Stored = append(h.Stored, v)
		}
	}
}

// reads says whether a half reads v, itself or by way of what it computes again.
func (h *Half) reads(s *Stage, light map[*Value]bool, v *Value) bool {
	var through func(u *Value) bool
	through = func(u *Value) bool {
		return slices.ContainsFunc(u.Args, func(a *Value) bool { return a == v || light[a] && through(a) })
	}
	for _, w := range h.Waves {
		if slices.ContainsFunc(slices.Concat(w.Edges, w.Gathers, w.Rows), through) {
			return true
		}
	}
	return slices.ContainsFunc(h.Sums, through)
}
