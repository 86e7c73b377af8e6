package mega

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"unsafe"
)

// Save writes what the run has come to, from which Restore goes on, into room, and says how many bytes that takes. It
// is for a run that Continue has interrupted, and is read by the same program on a machine of the same kind alone:
//
//	epochs, first that no worker begins, found, clock of workers │ losses of epochs │ left rows │ right masters │ context
//	│ what Program.Keep passes │ edges, if Program.KeepsEdges │ by worker: random numbers, order, what its mirrors have for themselves
//
// Each part has its length before it, in bytes.
//
// Errors: *Error where rows are no plain values, or room is too small.
func (c *Course[U, V, E]) Save(room []byte) (int, error) {
	if err := c.run.plain(); err != nil {
		return 0, err
	}
	s := saving{room: room}
	c.run.parts(&s)
	if s.short {
		return 0, &Error{c.run.program.Name, fmt.Sprintf("what is kept takes %d bytes, and there is room for %d", s.at,
			len(room)), "give more room"}
	}
	return s.at, nil
}

// Restore begins with what Save has written, of a run of the same program, graph and options. It is for a run that has
// not begun. Options.Epoch is told of the epochs before once more.
//
// Errors: *Error where this is no such run; it cannot be gone on with then.
func (c *Course[U, V, E]) Restore(kept []byte) error {
	if err := c.run.plain(); err != nil {
		return err
	}
	s := restoring{kept: kept}
	c.run.parts(&s)
	r := c.run
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
	e.many, e.begun = r.from, r.from
	for k := range r.workers {
		r.clocks.finished[k] = r.workers[k].Clock
	}
	for epoch := range r.from {
		e.told[epoch].workers = e.workers
		if e.tell != nil {
			e.tell(epoch, e.sums[epoch])
		}
	}
	return nil
}

// headWidth is how many numbers come first.
const headWidth = 4

// parts goes along all that a run consists of, between two epochs.
func (r *run[U, V, E]) parts(p part) {
	e := r.epochs
	found := uint64(0)
	if e.found {
		found = 1
	}
	head := [headWidth]uint64{uint64(r.from), uint64(e.end), found, uint64(r.workers[0].Clock)}
	pass(p, "its epochs", head[:])
	r.from, e.end, e.found = int(head[0]), int(head[1]), head[2] != 0
	pass(p, "losses", e.sums)
	pass(p, "left rows", r.left)
	if r.lefts != nil {
		pass(p, "left rows", r.lefts.values)
	}
	pass(p, "right rows", r.right.values)
	pass(p, "the context", r.context.values)
	if r.program.Keep != nil {
		r.program.Keep(func(own []byte) { p.bytes("the program's own", own) })
	}
	if r.program.KeepsEdges {
		pass(p, "edges", r.workers[0].part.edges)
	}
	for _, w := range r.workers {
		w.Clock = int(head[3])
		w.passRandom(p)
		if r.program.Shuffle {
			w.shuffled()
			pass(p, "the order of left vertices", w.order)
		}
		w.mirrors.passOwn(p)
		w.context.passOwn(p)
		if w.lefts != nil {
			w.lefts.passOwn(p)
		}
	}
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
	refuse(what string)
}

// pass has p keep values, or fill them.
func pass[T any](p part, what string, values []T) {
	p.bytes(what, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(*new(T)))))
}

// saving writes parts one behind the other.
type saving struct {
	room  []byte
	at    int
	short bool // there is not enough room: it only counts
}

func (s *saving) bytes(_ string, all []byte) {
	if s.short = s.short || s.at+8+len(all) > len(s.room); !s.short {
		binary.LittleEndian.PutUint64(s.room[s.at:], uint64(len(all)))
		copy(s.room[s.at+8:], all)
	}
	s.at += 8 + len(all)
}

func (s *saving) refuse(string) {}

// restoring reads parts.
type restoring struct {
	kept  []byte
	wrong string // the first thing
}

func (s *restoring) bytes(what string, all []byte) {
	if s.wrong != "" {
		return
	}
	n := uint64(math.MaxUint64)
	if len(s.kept) >= 8 {
		n = binary.LittleEndian.Uint64(s.kept)
	}
	if n != uint64(len(all)) || len(s.kept)-8 < len(all) {
		s.refuse(fmt.Sprintf("%s take %d bytes", what, len(all)))
		return
	}
	copy(all, s.kept[8:])
	s.kept = s.kept[8+len(all):]
}

func (s *restoring) refuse(what string) {
	if s.wrong == "" {
		s.wrong = what
	}
}

// plain refuses rows whose bytes are not all that they are.
func (r *run[U, V, E]) plain() error {
	types := []reflect.Type{reflect.TypeFor[U]()}
	if r.program.KeepsEdges {
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
