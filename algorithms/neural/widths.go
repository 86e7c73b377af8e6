package neural

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// width is a width that is not known yet; widths that turn out equal become one. It is a node of a union-find forest.
type width struct {
	same  *width
	known int // 0: not yet
}

func (w *width) root() *width {
	for w.same != nil {
		w = w.same
	}
	return w
}

func (w *width) value() int { return w.root().known }

// join makes a and b one, or says that they cannot be.
func join(a, b *width) bool {
	a, b = a.root(), b.root()
	if a == b {
		return true
	}
	if a.known != 0 && b.known != 0 && a.known != b.known {
		return false
	}
	a.known = max(a.known, b.known)
	b.same = a
	return true
}

// use is how a learned name is used.
type use uint8

const (
	asMatrix use = iota
	asBias
	asScale
	asDot
)

// learned is a parameter while its shape is being found.
type learned struct {
	name  string
	use   use
	rows  *width
	width *width
	at    *node
	place place
}

// rule is what must hold between the widths of the arguments of n and its own.
type rule struct {
	place place
	n     *node
	f     *function
	args  []*width
	out   *width
}

// shaper finds the widths of a layer's expressions.
type shaper struct {
	heads   int
	given   map[string]int    // widths of learned names
	edges   bool              // the expression at hand is one of edges
	pairs   bool              // or what is said of pairs
	names   map[string]*width // what the expression at hand may name
	learned []*learned
	rules   []rule
}

// of is the width of n, which may be known only when rules have been solved.
func (s *shaper) of(p place, n *node) (*width, error) {
	switch {
	case n.call:
		return s.ofCall(p, n)
	case n.name == "":
		return &width{known: 1}, nil
	case isLearned(n):
		return s.row(p, n, asBias)
	}
	if w := s.names[n.name]; w != nil {
		return w, nil
	}
	var known []string
	for name := range s.names {
		known = append(known, name)
	}
	slices.Sort(known)
	return nil, p.wrong(n, "unknown name "+n.name+nearest(n.name, known)+"; what is learned begins with a capital letter")
}

// nearest is a hint at the name that was meant, or at all names.
func nearest(name string, known []string) string {
	if len(known) == 0 {
		return ""
	}
	best := slices.MinFunc(known, func(a, b string) int {
		return levenshtein.ComputeDistance(name, a) - levenshtein.ComputeDistance(name, b)
	})
	if levenshtein.ComputeDistance(name, best) <= 2 {
		return "; did you mean " + best + "?"
	}
	return "; known here: " + strings.Join(known, ", ")
}

func (s *shaper) ofCall(p place, n *node) (*width, error) {
	f := functionNamed(n.name)
	if f == nil {
		return nil, p.wrong(n, unavailable(n.name))
	}
	if len(n.args) < f.least || len(n.args) > f.most {
		return nil, p.wrong(n, fmt.Sprintf("%s takes %s, not %d", f.name, count(f), len(n.args)))
	}
	if f.name == "softmax" && !s.edges {
		return nil, p.wrong(n, "softmax is over the edges into a vertex, so it is available in edge expressions alone")
	}
	if f.name == "dropout" && s.pairs {
		return nil, p.wrong(n, "dropout is not available in output: drop what the last layer gives")
	}
	if f.kind == multiply && isLearned(n.args[1]) {
		return s.product(p, n)
	}
	if f.kind == multiply && isLearned(n.args[0]) {
		return nil, p.wrong(n.args[0], fmt.Sprintf("write x * %s: rows are multiplied with a matrix on their right",
			n.args[0].name))
	}
	r := rule{place: p, n: n, f: f, out: &width{}}
	for i, arg := range n.args {
		w, err := s.argument(p, f, i, arg)
		if err != nil {
			return nil, err
		}
		r.args = append(r.args, w)
	}
	if f.name == "leaky_relu" && len(n.args) == 2 && (n.args[1].call || n.args[1].name != "") {
		return nil, p.wrong(n.args[1], "the slope of leaky_relu must be a number")
	}
	s.rules = append(s.rules, r)
	return r.out, nil
}

func (s *shaper) argument(p place, f *function, i int, arg *node) (*width, error) {
	if i == 1 && (f.kind == scaled || f.kind == heads && isLearned(arg)) {
		if !isLearned(arg) {
			return nil, p.wrong(arg, fmt.Sprintf("the second argument of %s must be learned: a name that begins with a capital letter",
				f.name))
		}
		as := asDot
		if f.kind == scaled {
			as = asScale
		}
		return s.row(p, arg, as)
	}
	return s.of(p, arg)
}

func count(f *function) string {
	if f.least != f.most {
		return fmt.Sprintf("%d or %d arguments", f.least, f.most)
	}
	if f.least == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", f.least)
}

func unavailable(name string) string {
	if !isFunctionName.MatchString(name) {
		return "operator " + strings.ReplaceAll(name, "_", "") + " is not available in models"
	}
	return "function " + name + " is not available in models" + nearest(name, Functions())
}

var isFunctionName = regexp.MustCompile(`^[A-Za-z]\w*$`)

// product is the width of x * W.
func (s *shaper) product(p place, n *node) (*width, error) {
	x, err := s.of(p, n.args[0])
	if err != nil {
		return nil, err
	}
	w, err := s.parameter(p, n.args[1], asMatrix)
	if err != nil {
		return nil, err
	}
	if !join(w.rows, x) {
		return nil, p.wrong(n.args[1], fmt.Sprintf("%s has %d rows, but rows of %d numbers are multiplied with it",
			w.name, w.rows.value(), x.value()))
	}
	return w.width, nil
}

// row is the width of a learned name that is one row.
func (s *shaper) row(p place, n *node, as use) (*width, error) {
	l, err := s.parameter(p, n, as)
	if err != nil {
		return nil, err
	}
	return l.width, nil
}

// parameter finds or begins a learned name.
func (s *shaper) parameter(p place, n *node, as use) (*learned, error) {
	for _, l := range s.learned {
		if l.name != n.name {
			continue
		}
		if (l.use == asMatrix) != (as == asMatrix) {
			return nil, p.wrong(n, n.name+" is used as a matrix in one place and as a row in another")
		}
		return l, nil
	}
	l := &learned{name: n.name, use: as, rows: &width{}, width: &width{known: s.given[n.name]}, at: n, place: p}
	if as != asMatrix {
		l.rows.known = 1
	}
	s.learned = append(s.learned, l)
	return l, nil
}

// solve finds all widths, or says which cannot be found or do not fit.
func (s *shaper) solve() error {
	open := s.rules
	for len(open) > 0 {
		var left []rule
		for _, r := range open {
			done, err := s.apply(r)
			if err != nil {
				return err
			}
			if !done {
				left = append(left, r)
			}
		}
		if len(left) == len(open) && !guess(left) {
			break
		}
		open = left
	}
	for _, l := range s.learned {
		if l.rows.value() == 0 || l.width.value() == 0 {
			return l.place.wrong(l.at, fmt.Sprintf("the shape of %s does not follow from the expressions of this layer; "+
				"give its width, as by widths: {%s: 16}", l.name, l.name))
		}
	}
	for _, r := range open {
		return r.place.wrong(r.n, "the width of this does not follow from the expressions of this layer")
	}
	return nil
}

// guess takes two widths to be equal of which nothing says that they are not, as a + b says of most a and b. What is
// outermost comes first: a layer's width is given, and says most.
func guess(open []rule) bool {
	for _, given := range []bool{true, false} {
		for _, r := range slices.Backward(open) {
			if len(r.args) < 2 || r.f.kind != elementwise && r.f.kind != multiply || given && r.out.value() == 0 {
				continue
			}
			if a, b := r.args[0], r.args[1]; a.root() != b.root() && (a.value() == 0 || b.value() == 0) {
				return join(a, b)
			}
		}
	}
	return false
}

// apply joins what rule r says is equal; done when nothing more can come of it.
func (s *shaper) apply(r rule) (done bool, err error) {
	first := r.args[0]
	switch {
	case r.f.kind == heads:
		return s.applyHeads(r)
	case r.f.kind == side:
		return s.applySide(r)
	case r.f.kind == scaled:
		if err := s.equal(r, r.args[1], first); err != nil {
			return false, err
		}
		return true, s.equal(r, r.out, first)
	case len(r.args) == 1 || r.f.name == "leaky_relu":
		return true, s.equal(r, r.out, first)
	}
	return s.applyTwo(r)
}

// applySide finds the third of two widths and their sum.
func (s *shaper) applySide(r rule) (bool, error) {
	a, b, sum := r.args[0].value(), r.args[1].value(), r.out.value()
	switch {
	case a != 0 && b != 0:
		return true, s.equal(r, r.out, &width{known: a + b})
	case a != 0 && sum > a:
		return true, s.equal(r, r.args[1], &width{known: sum - a})
	case b != 0 && sum > b:
		return true, s.equal(r, r.args[0], &width{known: sum - b})
	case a != 0 && sum != 0, b != 0 && sum != 0:
		return false, r.place.wrong(r.n, fmt.Sprintf("this must be %d wide, but a part of it is %d wide", sum, a+b))
	}
	return false, nil
}

func (s *shaper) applyHeads(r rule) (bool, error) {
	if err := s.equal(r, r.args[1], r.args[0]); err != nil {
		return false, err
	}
	if err := s.equal(r, r.out, &width{known: s.heads}); err != nil {
		return false, err
	}
	if w := r.args[0].value(); w%s.heads != 0 {
		return false, r.place.wrong(r.n, fmt.Sprintf("%d numbers cannot be parted among %d heads", w, s.heads))
	}
	return r.args[0].value() != 0, nil
}

func (s *shaper) applyTwo(r rule) (bool, error) {
	x, y := r.args[0], r.args[1]
	a, b := x.value(), y.value()
	switch {
	case x.root() == y.root():
		return true, s.equal(r, r.out, x)
	case a != 0 && b != 0:
		if !dataflow.Fits(a, b) {
			return false, r.place.wrong(r.n, fmt.Sprintf("rows of %d and of %d numbers do not fit each other", a, b))
		}
		return true, s.equal(r, r.out, &width{known: max(a, b)})
	case a == 1, a != 0 && r.out.value() > a: // the other is the wider one
		return true, s.equal(r, r.out, y)
	case b == 1, b != 0 && r.out.value() > b:
		return true, s.equal(r, r.out, x)
	}
	return false, nil
}

func (s *shaper) equal(r rule, a, b *width) error {
	if !join(a, b) {
		return r.place.wrong(r.n, fmt.Sprintf("this is %d wide, but must be %d wide", b.value(), a.value()))
	}
	return nil
}
