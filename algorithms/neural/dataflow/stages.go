package dataflow

import "slices"

// Stage is a pass over all vertices, interval by interval, in any order: what it needs of other vertices is complete
// before it begins. An interval goes through the waves one after the other, while its rows are near.
type Stage struct {
	End    End // at which its gathers add up
	Waves  []Wave
	Sums   []*Value // parameters that are added up over all rows: SumRows, Outer
	Small  []*Value // parameters that are computed of parameters when the pass has ended
	Stored []*Value // of Gathers and Rows those that another stage reads, or that are wanted
}

// Added lists what a stage adds up over rows or edges: the sums, then those of edges.
func (stage *Stage) Added() []*Value {
	list := slices.Clone(stage.Sums)
	for _, w := range stage.Waves {
		for _, v := range w.Gathers {
			if v.Op == Outer {
				list = append(list, v)
			}
		}
	}
	return list
}

// Wave is one look at the edges of an interval of vertices, and what then can be said of its rows.
type Wave struct {
	Edges   []*Value // computed for each edge, arguments first
	Gathers []*Value // and any Outer of edges
	Rows    []*Value // computed row by row, arguments first
}

// Schedule is a program as passes over the vertices.
type Schedule struct {
	Once  []Stage  // what neither parameters nor dropouts change
	Fixed []*Value // what Once stores for Epoch
	Epoch []Stage  // all else, each time
}

// NewSchedule makes the passes that compute roots, where a nil root is passed over. Each value is computed in the
// first pass that it can be computed in: a gather waits for what it needs from the far ends of edges, a row for
// parameters. What is light is of no pass: element by element of what is given, as features times a dropout, it is
// computed wherever it is needed. Of the rest, what another pass needs is stored, or made again: see store.go.
func NewSchedule(values []*Value, roots ...*Value) Schedule {
	roots = slices.DeleteFunc(slices.Clone(roots), func(v *Value) bool { return v == nil })
	values = Order(values, roots...)
	fixed, s := Fixed(values), Schedule{}
	for _, v := range values {
		if fixed[v] && v.Place == Vertices && !isLeaf(v) && (slices.Contains(roots, v) || slices.ContainsFunc(values,
			func(u *Value) bool { return (!fixed[u] || u.Place == Edges) && slices.Contains(u.Args, v) })) {
			s.Fixed = append(s.Fixed, v)
		}
	}
	s.Once = stages(values, nil, s.Fixed)
	s.Epoch = stages(values, s.Fixed, roots)
	return s
}

// isLeaf says whether v is not made of others.
func isLeaf(v *Value) bool { return len(v.Args) == 0 }

// staging is what stages knows on its way.
type staging struct {
	given map[*Value]bool // leaves, and what is stored before
	light map[*Value]bool
	pass  map[*Value]int // of what is neither; a parameter is known when it has ended
	list  []Stage
	taken []bool // the pass adds up edges, so that its End is decided
}

func stages(values, stored, roots []*Value) []Stage {
	s := &staging{given: map[*Value]bool{}, pass: map[*Value]int{}}
	for _, v := range values {
		s.given[v] = isLeaf(v) || slices.Contains(stored, v)
	}
	values = s.needed(values, roots)
	s.light = s.lightOf(values, roots)
	for _, v := range values {
		if !s.given[v] && !s.light[v] && v.Place != Edges {
			s.place(v)
		}
	}
	kept := s.stored(values, roots)
	for i := range s.list {
		s.complete(i, values, kept)
	}
	return s.list
}

// needed are the values that roots are made of, without what only given values are made of.
func (s *staging) needed(values, roots []*Value) []*Value {
	need := map[*Value]bool{}
	for _, r := range roots {
		need[r] = true
	}
	for _, v := range slices.Backward(values) {
		for _, a := range v.Args {
			need[a] = need[a] || need[v] && !s.given[v]
		}
	}
	return slices.DeleteFunc(slices.Clone(values), func(v *Value) bool { return !need[v] })
}

// lightOf finds the rows that are as easy to compute again as to read. What edges read is stored.
func (s *staging) lightOf(values, roots []*Value) map[*Value]bool {
	light := map[*Value]bool{}
	for _, v := range values {
		light[v] = v.Place == Vertices && !s.given[v] && v.Op.IsElementwise() && !slices.Contains(roots, v)
		for _, a := range v.Args {
			light[v] = light[v] && (light[a] || s.given[a])
		}
	}
	for _, v := range slices.Backward(values) { // what a value is made of that is not light may still be light
		if v.Op == Source || v.Op == Target {
			light[v.Args[0]] = false
		}
	}
	for _, v := range values {
		for _, a := range v.Args {
			light[v] = light[v] && (light[a] || s.given[a])
		}
	}
	return light
}

// reader is who reads a row.
type reader int

const (
	byRow reader = iota
	byEdge
	byFarEdge // the vertex lies at its other end
)

// reads tells visit what v is made of that has a place of its own: through edge values to vertices, and through light
// rows.
func (s *staging) reads(v *Value, end End, visit func(x *Value, by reader)) {
	for _, a := range v.Args {
		switch {
		case s.given[a]:
		case a.Op == Source || a.Op == Target:
			by := byEdge
			if (a.Op == Source) != (end == AtSource) {
				by = byFarEdge
			}
			if of := a.Args[0]; !s.given[of] {
				visit(of, by)
			}
		case a.Place == Edges || s.light[a]:
			s.reads(a, end, visit)
		default:
			visit(a, byRow)
		}
	}
}

// place finds the pass of v.
func (s *staging) place(v *Value) {
	at := 0
	s.reads(v, v.End, func(x *Value, by reader) {
		first := s.pass[x]
		if by == byFarEdge || x.Place == Parameters && v.Place != Parameters {
			first++
		}
		at = max(at, first)
	})
	edges := addsEdges(v)
	for edges && at < len(s.list) && s.taken[at] && s.list[at].End != v.End {
		at++
	}
	s.pass[v] = at
	for len(s.list) <= at {
		s.list, s.taken = append(s.list, Stage{}), append(s.taken, false)
	}
	if edges {
		s.list[at].End, s.taken[at] = v.End, true
	}
}

// complete lists what pass i computes.
func (s *staging) complete(i int, values []*Value, kept map[*Value]bool) {
	stage, wave, need := &s.list[i], map[*Value]int{}, s.neededIn(i, values, kept)
	for _, v := range values {
		if !need[v] {
			continue
		}
		if kept[v] {
			stage.Stored = append(stage.Stored, v)
		}
		s.reads(v, stage.End, func(x *Value, by reader) {
			if by != byFarEdge && s.pass[x] == i {
				wave[v] = max(wave[v], wave[x])
			}
		})
		switch {
		case addsEdges(v):
			wave[v]++
			stage.wave(wave[v]).Gathers = append(stage.wave(wave[v]).Gathers, v)
		case addsRows(v):
			stage.Sums = append(stage.Sums, v)
		case v.Place == Parameters:
			stage.Small = append(stage.Small, v)
		default:
			stage.wave(wave[v]).Rows = append(stage.wave(wave[v]).Rows, v)
		}
	}
	first := stage.wave(0)
	first.Rows = append(s.again(i, values, kept), first.Rows...)
	for k := range stage.Waves {
		stage.Waves[k].Edges = s.closure(values, stage.Waves[k].Gathers, func(v *Value) bool { return v.Place == Edges })
	}
}

// neededIn are the values of pass i that it stores or adds up, and those that it makes them of. What only other passes
// need, which make it again, is not among them.
func (s *staging) neededIn(i int, values []*Value, kept map[*Value]bool) map[*Value]bool {
	need := map[*Value]bool{}
	for _, v := range slices.Backward(values) {
		at, placed := s.pass[v]
		if need[v] = placed && at == i && (need[v] || kept[v] || v.Place == Parameters); need[v] {
			s.reads(v, s.list[i].End, func(x *Value, _ reader) { need[x] = true })
		}
	}
	return need
}

// addsEdges says whether v is added up over edges.
func addsEdges(v *Value) bool {
	return v.Op.isGather() || v.Op == Outer && v.Args[0].Place == Edges
}

// addsRows says whether v is added up over all vertices.
func addsRows(v *Value) bool {
	return (v.Op == SumRows || v.Op == Outer) && v.Args[0].Place == Vertices
}

// wave is wave k, made if it is not there yet.
func (stage *Stage) wave(k int) *Wave {
	for len(stage.Waves) <= k {
		stage.Waves = append(stage.Waves, Wave{})
	}
	return &stage.Waves[k]
}

// again are the rows that pass i makes though they are light, or of a pass before.
func (s *staging) again(i int, values []*Value, kept map[*Value]bool) []*Value {
	stage := &s.list[i]
	of := slices.Clone(stage.Sums)
	for _, w := range stage.Waves {
		of = append(append(of, w.Rows...), w.Gathers...)
	}
	return s.closure(values, of, func(v *Value) bool {
		at, placed := s.pass[v]
		return s.light[v] || placed && at < i && v.Place == Vertices && !kept[v]
	})
}

// closure lists what roots are made of by way of such values, arguments first.
func (s *staging) closure(values, roots []*Value, such func(*Value) bool) []*Value {
	need := map[*Value]bool{}
	for _, r := range roots {
		need[r] = true
	}
	var list []*Value
	for _, v := range slices.Backward(values) {
		if !need[v] {
			continue
		}
		for _, a := range v.Args {
			need[a] = need[a] || such(a)
		}
		if such(v) && !slices.Contains(roots, v) {
			list = append(list, v)
		}
	}
	slices.Reverse(list)
	return list
}
