// Package stage is what a host's own program is for a moment before it becomes a plugin: it takes rights from itself,
// which it cannot get back and which the plugin inherits.
//
//	host ──exec /proc/self/exe──▶ stage: limits, capabilities, Landlock, seccomp ──exec──▶ plugin
//	 │ ── Orders, in a file ─────▶ │
//	 │ ◀─ Result of each step ───── │
//
// It runs in this package's init, and imports nothing but syscall: of the packages that the program has, hardly one is
// initialized before it. So it takes some two milliseconds, and not the 15 that the program takes until main. Whoever
// imports package launch is a stage when a host says so.
package stage

import "unsafe"

// Orders are what a stage does, in this order, and what it becomes.
type Orders struct {
	Report  uint64 // the descriptor that takes a Result of each step
	Limits  []Limit
	Files   Ruleset
	Filter  []Instruction // of seccomp; none: no filter
	OwnPID  []uint64      // numbers of instructions whose K becomes the process's own number
	Program string
	Args    []string
	Env     []string
}

// Limit is one of setrlimit's, for soft and hard.
type Limit struct{ Resource, Value uint64 }

// Ruleset is one of Landlock's: what is denied but for what is allowed. No rights: none.
type Ruleset struct {
	Files, Network, Scope uint64 // rights, by the bits of landlock(7)
	Allowed               []Path
}

// Path is what a ruleset allows of a file, or of all that is below a folder. One that is not there is left out.
type Path struct {
	Name   string
	Rights uint64
}

// Instruction is one of classic BPF's.
type Instruction struct {
	Code   uint16
	Jt, Jf uint8
	K      uint32
}

// magic begins orders, so that no other file is taken for them.
const magic = "penstock stage 1\n"

// Encode writes orders for Decode.
func (o Orders) Encode() []byte {
	e := encoder(magic)
	e.number(o.Report)
	e.number(uint64(len(o.Limits)))
	for _, l := range o.Limits {
		e.number(l.Resource)
		e.number(l.Value)
	}
	e.number(o.Files.Files)
	e.number(o.Files.Network)
	e.number(o.Files.Scope)
	e.number(uint64(len(o.Files.Allowed)))
	for _, p := range o.Files.Allowed {
		e.text(p.Name)
		e.number(p.Rights)
	}
	e.number(uint64(len(o.Filter)))
	for _, i := range o.Filter {
		e.number(uint64(i.Code)<<48 | uint64(i.Jt)<<40 | uint64(i.Jf)<<32 | uint64(i.K))
	}
	e.number(uint64(len(o.OwnPID)))
	for _, n := range o.OwnPID {
		e.number(n)
	}
	e.text(o.Program)
	e.texts(o.Args)
	e.texts(o.Env)
	return e
}

type encoder []byte

func (e *encoder) number(n uint64) {
	for range 8 {
		*e = append(*e, byte(n))
		n >>= 8
	}
}

func (e *encoder) text(s string) {
	e.number(uint64(len(s)))
	*e = append(*e, s...)
}

func (e *encoder) texts(all []string) {
	e.number(uint64(len(all)))
	for _, s := range all {
		e.text(s)
	}
}

// Decode reads what Encode has written. It is false for anything else.
func Decode(bytes []byte) (o Orders, ok bool) {
	if len(bytes) < len(magic) || string(bytes[:len(magic)]) != magic {
		return o, false
	}
	d := decoder{bytes: bytes[len(magic):]}
	o.Report = d.number()
	for range d.count() {
		o.Limits = append(o.Limits, Limit{d.number(), d.number()})
	}
	o.Files = Ruleset{Files: d.number(), Network: d.number(), Scope: d.number()}
	for range d.count() {
		o.Files.Allowed = append(o.Files.Allowed, Path{d.text(), d.number()})
	}
	for range d.count() {
		n := d.number()
		o.Filter = append(o.Filter, Instruction{uint16(n >> 48), uint8(n >> 40), uint8(n >> 32), uint32(n)})
	}
	for range d.count() {
		o.OwnPID = append(o.OwnPID, d.number())
	}
	o.Program = d.text()
	o.Args = d.texts()
	o.Env = d.texts()
	return o, !d.bad && len(d.bytes) == 0 && o.valid()
}

// valid tells whether the filter, of which the system checks the rest, has the instructions that are to be changed.
func (o Orders) valid() bool {
	for _, n := range o.OwnPID {
		if n >= uint64(len(o.Filter)) {
			return false
		}
	}
	return true
}

// decoder reads numbers and texts; what is not there is zero and bad.
type decoder struct {
	bytes []byte
	bad   bool
}

const numberBytes = int(unsafe.Sizeof(uint64(0)))

func (d *decoder) number() (n uint64) {
	if len(d.bytes) < numberBytes {
		d.bad = true
		d.bytes = nil
		return 0
	}
	for i := range numberBytes {
		n |= uint64(d.bytes[i]) << (8 * i)
	}
	d.bytes = d.bytes[numberBytes:]
	return n
}

// count is the number of entries that follow, each of which takes a number at least.
func (d *decoder) count() uint64 {
	n := d.number()
	if n > uint64(len(d.bytes)/numberBytes) {
		d.bad = true
		d.bytes = nil
		return 0
	}
	return n
}

func (d *decoder) text() string {
	n := d.number()
	if n > uint64(len(d.bytes)) {
		d.bad = true
		d.bytes = nil
		return ""
	}
	s := string(d.bytes[:n])
	d.bytes = d.bytes[n:]
	return s
}

func (d *decoder) texts() (all []string) {
	for range d.count() {
		all = append(all, d.text())
	}
	return all
}

// Step is what a stage does for one wall, or to become the plugin.
type Step string

// The steps of a stage.
const (
	StepLimits       Step = "limits"
	StepCapabilities Step = "capabilities"
	StepPrivileges   Step = "privileges" // no new ones
	StepFiles        Step = "files"      // Landlock
	StepFilter       Step = "filter"     // seccomp
	StepProgram      Step = "program"    // to become it, of which a success cannot be told
)

// Result is how a step ended.
type Result struct {
	Step  Step
	Errno uint64 // 0: well
}

// ReadResults reads what a stage has reported.
func ReadResults(text []byte) (all []Result) {
	var r Result
	number := false
	for _, c := range text {
		switch {
		case c == '\n':
			all = append(all, r)
			r, number = Result{}, false
		case c == ' ':
			number = true
		case number:
			r.Errno = 10*r.Errno + uint64(c-'0')
		default:
			r.Step += Step(c)
		}
	}
	return all
}

// encodeResult is a line that ReadResults reads.
func encodeResult(r Result) []byte {
	var digits []byte
	for n := r.Errno; ; n /= 10 {
		digits = append([]byte{byte('0' + n%10)}, digits...)
		if n < 10 {
			return append(append([]byte(string(r.Step)+" "), digits...), '\n')
		}
	}
}
