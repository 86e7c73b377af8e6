package mega

import (
	"fmt"

	"github.com/penstock-db/penstock/plugins/mega/internal/commons"
)

// Left vertices are in one partition each, with their rows in run.left; or a cut has split them, and they have masters
// and mirrors as right ones have, rows of U being rows of V.

// checkCut refuses a cut that splits what the program needs whole.
func (p *Program[U, V, E]) checkCut(c Cut) error {
	_, same := any([]U(nil)).([]V)
	bad := func(why string) error {
		return &Error{p.Name, fmt.Sprintf("the partition %s puts edges of a left vertex in several partitions, but %s", c, why),
			"give " + string(Bipartite)}
	}
	visits := false
	for _, s := range p.Stages {
		for _, s := range append([]Stage{s}, s.batch...) {
			visits = visits || s.do == visit
		}
	}
	switch {
	case p.Left.Master != 0:
		return &Error{p.Name, "a left row has values of its master", "mend the program"}
	case !c.Splits():
	case p.Left.Shared == 0:
		return bad("the program needs all of them in one")
	case !same:
		return bad(fmt.Sprintf("its rows are %T, not %T as right ones", *new(U), *new(V)))
	case visits || p.Keeps.Edges || p.Keeps.Left != nil:
		return bad("the program visits left vertices, keeps what is theirs, or changes edges")
	}
	return nil
}

// startLeft fills the rows of left vertices, of this process's workers.
func (r *run[U, V, E]) startLeft(c *commons.Memory, lefts int) {
	p := r.program
	start := p.StartLeft
	if start == nil {
		start = func(int, []U) {}
	}
	if r.options.Cut.Splits() {
		r.lefts = newMasters(c, r.options, p.Left, leftsOf(r.parts), leftOwners(r.parts, lefts),
			func(u int, row []V) { start(u, any(row).([]U)) }, nil)
		if p.Left.Mean {
			r.lefts.overlap = leftOverlap(r.parts, lefts, r.options.unheard(r.batches))
		}
		return
	}
	width := p.Left.Width()
	r.left = commons.Take[U](c, lefts*width)
	for k, part := range r.parts {
		if !r.options.Processes.has(k, r.options.Workers) {
			continue
		}
		for l := range part.size() {
			u := part.id(l)
			start(u, r.left[u*width:][:width])
		}
	}
}

// takeLeft gives a worker the rows of its left vertices.
func (w *worker[U, V, E]) takeLeft() {
	if w.run.lefts == nil {
		w.rows = w.run.left[w.part.first*w.run.program.Left.Width():]
		return
	}
	var start func(i int, own []V)
	if p := w.run.program; p.StartMirror != nil {
		start = func(i int, own []V) { p.StartMirror(own, w.run.lefts.of(w.part.lefts[i])) }
	}
	w.lefts = newMirrors(w.run.lefts, w.part.lefts, start)
	w.rows = any(w.lefts.values).([]U)
}

// leftRows are those of all left vertices. Values that are each mirror's own are 0.
func (r *run[U, V, E]) leftRows() []U {
	if r.lefts == nil {
		return r.left
	}
	width, shared, masters := r.program.Left.Width(), r.program.Left.Shared, any(r.lefts.values).([]U)
	left := make([]U, len(r.lefts.owner)*width)
	for u := range r.lefts.owner {
		copy(left[u*width:], masters[u*shared:][:shared])
	}
	return left
}
