package mega

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"unsafe"
)

// Save writes what the run has come to, from which Restore goes on, into room, and says how many bytes that takes. It
// is for a run that Continue has interrupted, and is read by the same program on a machine of the same kind alone:
//
//	epochs, first that no worker begins, found, clock of workers │ losses of epochs │ left rows │ right masters │ context
//	│ what Keeps.All passes │ by worker: random numbers, order, what Keeps.Left passes of its left vertices,
//	edges, if Keeps.Edges, what its mirrors have for themselves
//
// Each part has its length before it, in bytes. Of several processes, which have one room for it, each writes what its
// workers have, and the first what all have: the others are to have saved before that is used. See Meet.
//
// Errors: *Error where rows are no plain values, or room is too small.
func (c *Course[U, V, E]) Save(room []byte) (int, error) {
	if err := c.run.plain(); err != nil {
		return 0, err
	}
	s := saving{room: room}
	if c.run.options.Processes.Number == 0 {
		c.run.passCommon(&s, &s)
	} else {
		c.run.passCommon(skipping{&s}, skipping{&s})
	}
	c.run.passWorkers(&s)
	if s.short {
		return 0, &Error{c.run.program.Name, fmt.Sprintf("what is kept takes %d bytes, and there is room for %d", s.at,
			len(room)), "give more room"}
	}
	return s.at, nil
}

// Restore begins with what Save has written, of a run of the same program, graph and options. It is for a run that has
// not begun, and what is kept is to stay as it is until that has. Options.Epoch is told of the epochs before once more.
//
// Errors: *Error where this is no such run; it cannot be gone on with then.
func (c *Course[U, V, E]) Restore(kept []byte) error {
	if err := c.run.plain(); err != nil {
		return err
	}
	s := restoring{kept: kept}
	r := c.run
	r.passCommon(&s, skipping{&s})
	r.passWorkers(&s)
	e := r.epochs
	switch {
	case s.wrong != "":
	case len(s.kept) > 0:
		s.wrong = fmt.Sprintf("%d bytes are left over", len(s.kept))
	case r.from < 1 || r.from >= r.options.Epochs || e.end <= r.from || e.end > r.options.Epochs:
		s.wrong = fmt.Sprintf("it has ended %d of %d epochs", r.from, e.end)
	}
	if s.wrong != "" {
		return &Error{r.program.Name, "what was kept is of another run: " + s.wrong, "begin anew"}
	}
	e.restored(r.from)
	r.kept = kept
	return nil
}

// share brings what was kept, if anything was, to what all processes share, which all have filled by now: the first
// does, and the others wait.
func (r *run[U, V, E]) share(ctx context.Context) error {
	if r.kept == nil {
		return nil
	}
	if r.options.Processes.Number == 0 {
		s := restoring{kept: r.kept}
		r.passCommon(skipping{&s}, &s)
		*r.epochs.begun = int64(r.from)
		for k := range r.clocks.finished {
			r.epochs.finished[k], r.clocks.finished[k] = int64(r.from), int64(r.workers[0].Clock)
		}
	}
	r.kept = nil
	return r.barrier.Meet(ctx)
}

// headWidth is how many numbers come first.
const headWidth = 4

// passCommon goes along what all workers have in common, between two epochs: what each process has with p, what they
// share with shared.
func (r *run[U, V, E]) passCommon(p, shared part) {
	e := r.epochs
	found := uint64(0)
	if e.found {
		found = 1
	}
	head := [headWidth]uint64{uint64(r.from), uint64(e.end), found, uint64(r.workers[0].Clock)}
	pass(p, "its epochs", head[:])
	r.from, e.end, e.found = int(head[0]), int(head[1]), head[2] != 0
	for _, w := range r.workers {
		w.Clock = int(head[3])
	}
	pass(p, "losses", e.sums)
	pass(shared, "left rows", r.left)
	if r.lefts != nil {
		pass(shared, "left rows", r.lefts.values)
	}
	pass(shared, "right rows", r.right.values)
	pass(shared, "the context", r.context.values)
	if r.program.Keeps.All != nil {
		r.program.Keeps.All(func(own []byte) { p.bytes("the program's own", own) })
	}
}

// passWorkers goes along what each worker alone has, past those of other processes.
func (r *run[U, V, E]) passWorkers(p part) {
	own := r.workers
	for k, each := range r.parts {
		if !r.options.Processes.has(k, r.options.Workers) {
			for _, bytes := range aloneBytes(r.program, each, r.options.Cut) {
				p.skip("parts of a worker", bytes)
			}
			continue
		}
		own[0].pass(p)
		own = own[1:]
	}
}

// pass goes along what the worker alone has: as aloneBytes says.
func (w *worker[U, V, E]) pass(p part) {
	w.passRandom(p)
	program := w.run.program
	if program.Shuffle {
		w.shuffled()
		pass(p, "the order of left vertices", w.order)
	}
	if program.Keeps.Left != nil {
		program.Keeps.Left(w.part.first, w.part.first+w.part.size(), func(own []byte) { p.bytes("the program's own", own) })
	}
	if program.Keeps.Edges {
		pass(p, "edges", w.part.edges[w.part.from:w.part.to])
	}
	w.mirrors.passOwn(p)
	w.context.passOwn(p)
	if w.lefts != nil {
		w.lefts.passOwn(p)
	}
}

// aloneBytes are the parts of what a worker alone has, one after the other.
func aloneBytes[U any, V Number, E, G any](p *Program[U, V, E], part *partition[G], c Cut) (all []int) {
	add := func(bytes uint64) { all = append(all, int(bytes)) }
	random, _ := rand.NewPCG(0, 0).MarshalBinary() // it never fails, says its documentation
	add(uint64(len(random)))
	if p.Shuffle {
		add(bytesOf[int](part.size()))
	}
	if p.Keeps.Left != nil {
		p.Keeps.Left(part.first, part.first+part.size(), func(own []byte) { add(uint64(len(own))) })
	}
	if p.Keeps.Edges {
		add(bytesOf[E](int(part.to - part.from)))
	}
	mirrors := func(rows Rows, n int) {
		if rows.Mirror > 0 {
			add(bytesOf[V](rows.Mirror * n))
		}
	}
	mirrors(p.Right, len(part.mirrors))
	mirrors(p.Context, 1)
	if c.Splits() {
		mirrors(p.Left, len(part.lefts))
	}
	return all
}

// passOwn passes what mirrors have for themselves.
func (r *mirrors[V]) passOwn(p part) {
	shared, width := r.of.rows.Shared, r.of.rows.Mirror
	if width == 0 {
		return
	}
	own := make([]V, len(r.ids)*width)
	for i := range r.ids {
		copy(own[i*width:], r.row(uint32(i))[shared:])
	}
	pass(p, "rows of mirrors", own)
	for i := range r.ids {
		copy(r.row(uint32(i))[shared:], own[i*width:])
	}
}

// passRandom passes the state of random numbers.
func (w *worker[U, V, E]) passRandom(p part) {
	state, err := w.source.MarshalBinary()
	if err != nil {
		panic(err) // it never fails, says its documentation
	}
	pass(p, "random numbers", state)
	if err := w.source.UnmarshalBinary(state); err != nil {
		p.refuse("random numbers that are none")
	}
}

// part is what is done with each part of a run.
type part interface {
	bytes(what string, all []byte) // fills them, or keeps them
	skip(what string, bytes int)   // goes past what another process has
	refuse(what string)
}

// pass has p keep values, or fill them.
func pass[T any](p part, what string, values []T) {
	p.bytes(what, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(*new(T)))))
}

// skipping goes past all.
type skipping struct{ part }

func (s skipping) bytes(what string, all []byte) { s.skip(what, len(all)) }

// saving writes parts one behind the other.
type saving struct {
	room  []byte
	at    int
	short bool // there is not enough room: it only counts
}

func (s *saving) bytes(what string, all []byte) {
	at := s.at
	if s.skip(what, len(all)); !s.short {
		binary.LittleEndian.PutUint64(s.room[at:], uint64(len(all)))
		copy(s.room[at+8:], all)
	}
}

func (s *saving) skip(_ string, bytes int) {
	s.at += 8 + bytes
	s.short = s.short || s.at > len(s.room)
}

func (s *saving) refuse(string) {}

// restoring reads parts.
type restoring struct {
	kept  []byte
	wrong string // the first thing
}

func (s *restoring) bytes(what string, all []byte) { copy(all, s.next(what, len(all))) }

func (s *restoring) skip(what string, bytes int) { s.next(what, bytes) }

// next is the next part, of so many bytes.
func (s *restoring) next(what string, bytes int) (part []byte) {
	if s.wrong != "" {
		return nil
	}
	n := uint64(math.MaxUint64)
	if len(s.kept) >= 8 {
		n = binary.LittleEndian.Uint64(s.kept)
	}
	if n != uint64(bytes) || len(s.kept)-8 < bytes {
		s.refuse(fmt.Sprintf("%s take %d bytes", what, bytes))
		return nil
	}
	part, s.kept = s.kept[8:8+bytes], s.kept[8+bytes:]
	return part
}

func (s *restoring) refuse(what string) {
	if s.wrong == "" {
		s.wrong = what
	}
}

// plain refuses rows whose bytes are not all that they are.
func (r *run[U, V, E]) plain() error {
	types := []reflect.Type{reflect.TypeFor[U]()}
	if r.program.Keeps.Edges {
		types = append(types, reflect.TypeFor[E]())
	}
	for _, t := range types {
		if !isPlain(t) {
			return &Error{r.program.Name, fmt.Sprintf("rows of %s cannot be kept", t), "have them be numbers, or structs of numbers"}
		}
	}
	return nil
}

func isPlain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return isPlain(t.Elem())
	case reflect.Struct:
		return !slices.ContainsFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool { return !isPlain(f.Type) })
	}
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128
}
