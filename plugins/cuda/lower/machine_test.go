package lower_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// machine interprets the PTX that lower gives, as NVIDIA's manual says what it means, and as strictly as
// their assembler: a register is set once, before it is used, and was declared.
type machine struct {
	t         testing.TB
	memory    []byte // address 0 is that of no one
	functions map[string]*routine
}

type routine struct {
	parameters []string
	declared   map[string]int // how many registers of a prefix
	lines      []string
}

func newMachine(t testing.TB, ptx string) processor {
	m := &machine{t: t, memory: make([]byte, 8), functions: map[string]*routine{}}
	for _, text := range strings.Split(ptx, "\n}\n") {
		if text == "" {
			continue
		}
		head, body, ok := strings.Cut(text, "\n{\n")
		name, list, found := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(head, ".func "), "(.param .b64 result) "), "(")
		if !ok || !found {
			t.Fatalf("no function: %s", text)
		}
		r := &routine{declared: map[string]int{}}
		for _, p := range strings.Split(strings.TrimSuffix(list, ")"), ", ") {
			r.parameters = append(r.parameters, strings.TrimPrefix(p, ".param .b64 "))
		}
		for _, line := range strings.Split(body, "\n") {
			line = strings.TrimSuffix(strings.TrimSpace(line), ";")
			var kind, prefix string
			var n int
			if _, err := fmt.Sscanf(strings.NewReplacer("%", "", "<", " ", ">", "").Replace(line), ".reg %s %s %d", &kind,
				&prefix, &n); err == nil {
				r.declared[prefix] = n
				continue
			}
			r.lines = append(r.lines, line)
		}
		m.functions[name] = r
	}
	return m
}

// place puts bytes somewhere and says where.
func (m *machine) place(bytes []byte) uint64 {
	at := len(m.memory)
	m.memory = append(m.memory, bytes...)
	m.memory = append(m.memory, make([]byte, -len(m.memory)&7)...)
	return uint64(at)
}

// read is what lies at an address; of machines, to be written to as well.
func (m *machine) read(at, width uint64) []byte {
	if at < 8 || at+width > uint64(len(m.memory)) || at%width != 0 {
		m.t.Fatalf("a wild address: %d", at)
	}
	return m.memory[at : at+width]
}

func (m *machine) write(at, word uint64) { binary.LittleEndian.PutUint64(m.read(at, 8), word) }

// frame is a call under way.
type frame struct {
	*machine
	routine   *routine
	line      string
	registers map[string]uint64
	params    map[string]uint64
	stored    bool
}

func (m *machine) call(name string, args ...uint64) uint64 {
	r := m.functions[name]
	if r == nil || len(args) != len(r.parameters) {
		m.t.Fatalf("no %s of %d arguments", name, len(args))
	}
	f := frame{machine: m, routine: r, registers: map[string]uint64{}, params: map[string]uint64{}}
	for i, p := range r.parameters {
		f.params[p] = args[i]
	}
	for _, f.line = range r.lines {
		f.step()
	}
	return f.params["result"]
}

func (f *frame) step() {
	opcode, rest, _ := strings.Cut(f.line, " ")
	operands := strings.Split(rest, ", ")
	switch opcode {
	case "{", "}", ".param", "ret":
	case "st.param.b64":
		f.params[strings.Trim(operands[0], "[]")] = f.register(operands[1])
	case "call.uni":
		in := math.Float64frombits(f.params["argument"])
		functions := map[string]func(float64) float64{"penstock_exp": math.Exp, "penstock_log": math.Log}
		f.params["returned"] = math.Float64bits(functions[operands[1]](in))
	case "st.global.b64", "st.global.u8":
		f.store(opcode, operands)
	default:
		f.set(operands[0], f.value(opcode, operands[1:]))
	}
}

func (f *frame) store(opcode string, operands []string) {
	f.stored = true
	value := f.register(operands[1])
	if opcode == "st.global.u8" {
		f.read(f.address(operands[0]), 1)[0] = byte(value)
		return
	}
	f.write(f.address(operands[0]), value)
}

func (f *frame) set(name string, value uint64) {
	n, err := strconv.Atoi(name[2:])
	_, known := f.registers[name]
	if err != nil || known || n < 1 || n >= f.routine.declared[name[1:2]] {
		f.t.Fatalf("%s sets what it must not", f.line)
	}
	f.registers[name] = value
}

func (f *frame) register(name string) uint64 {
	value, ok := f.registers[name]
	if !ok {
		f.t.Fatalf("%s: %s is not set", f.line, name)
	}
	return value
}

func (f *frame) address(operand string) uint64 {
	base, offset, _ := strings.Cut(strings.Trim(operand, "[]"), "+")
	n, err := strconv.ParseUint(offset, 10, 64)
	if err != nil {
		f.t.Fatalf("%s: %v", f.line, err)
	}
	return f.register(base) + n
}

func (f *frame) value(opcode string, operands []string) uint64 {
	switch opcode {
	case "ld.param.b64":
		value, ok := f.params[strings.Trim(operands[0], "[]")]
		if !ok {
			f.t.Fatalf("%s: no such parameter", f.line)
		}
		return value
	case "mov.b64":
		value, err := strconv.ParseUint(operands[0], 0, 64)
		if err != nil {
			f.t.Fatalf("%s: %v", f.line, err)
		}
		return value
	case "ld.global.b64", "ld.global.nc.b64", "ld.global.u8":
		if f.stored {
			f.t.Fatalf("%s after a store", f.line)
		}
		if opcode == "ld.global.u8" {
			return uint64(f.read(f.address(operands[0]), 1)[0])
		}
		return binary.LittleEndian.Uint64(f.read(f.address(operands[0]), 8))
	}
	var a [3]uint64
	for i, operand := range operands {
		a[i] = f.register(operand)
	}
	return f.compute(opcode, a[0], a[1], a[2])
}

func (f *frame) compute(opcode string, a, b, c uint64) uint64 {
	if test, ok := strings.CutPrefix(opcode, "setp."); ok {
		return f.test(test, a, b)
	}
	i, j := int64(a), int64(b)
	x, y := math.Float64frombits(a), math.Float64frombits(b)
	ints := map[string]func() int64{
		"add.s64": func() int64 { return i + j }, "sub.s64": func() int64 { return i - j },
		"mul.lo.s64": func() int64 { return i * j },
		"neg.s64":    func() int64 { return -i }, "min.s64": func() int64 { return min(i, j) },
		"max.s64": func() int64 { return max(i, j) },
		"div.s64": func() int64 { return i / f.divisor(j) }, "rem.s64": func() int64 { return i % f.divisor(j) },
		"cvt.rzi.s64.f64": func() int64 { return toInt(x) },
	}
	floats := map[string]func() float64{
		"add.rn.f64": func() float64 { return x + y }, "sub.rn.f64": func() float64 { return x - y },
		"mul.rn.f64": func() float64 { return x * y }, "div.rn.f64": func() float64 { return x / y },
		"neg.f64": func() float64 { return -x }, "abs.f64": func() float64 { return math.Abs(x) },
		"sqrt.rn.f64":    func() float64 { return math.Sqrt(x) },
		"min.f64":        func() float64 { return numeric(math.Min, x, y) },
		"max.f64":        func() float64 { return numeric(math.Max, x, y) },
		"cvt.rn.f64.s64": func() float64 { return float64(i) },
	}
	words := map[string]func() uint64{
		"and.pred": func() uint64 { return a & b }, "or.pred": func() uint64 { return a | b },
		"xor.pred": func() uint64 { return a ^ b },
		"not.pred": func() uint64 { return a ^ 1 }, "selp.b64": func() uint64 { return b ^ (a^b)*c },
		"cvt.rn.f32.f64": func() uint64 { return uint64(math.Float32bits(float32(x))) },
		"cvt.f64.f32":    func() uint64 { return math.Float64bits(float64(math.Float32frombits(uint32(a)))) },
	}
	if do, ok := ints[opcode]; ok {
		return uint64(do())
	}
	if do, ok := floats[opcode]; ok {
		return math.Float64bits(do())
	}
	if do, ok := words[opcode]; ok {
		return do()
	}
	f.t.Fatalf("%s: unknown", f.line)
	return 0
}

// divisor: what PTX gives for others is undefined.
func (f *frame) divisor(by int64) int64 {
	if by == 0 || by == -1 {
		f.t.Fatalf("%s: division by %d", f.line, by)
	}
	return by
}

func (f *frame) test(test string, a, b uint64) uint64 {
	var order int
	comparison, kind, _ := strings.Cut(test, ".")
	x, y := math.Float64frombits(a), math.Float64frombits(b)
	unordered := kind == "f64" && (x != x || y != y)
	switch {
	case kind == "f64" && x < y, kind == "s64" && int64(a) < int64(b):
		order = -1
	case kind == "f64" && x > y, kind == "s64" && int64(a) > int64(b):
		order = 1
	}
	holds, ok := map[string]bool{"lt": order < 0, "le": order <= 0, "gt": order > 0, "ge": order >= 0,
		"eq": order == 0}[comparison]
	switch {
	case ok:
		holds = holds && !unordered
	case comparison == "ne" && kind == "s64":
		holds = order != 0
	case comparison == "neu" && kind == "f64":
		holds = order != 0 || unordered
	case comparison == "nan" && kind == "f64":
		holds = unordered
	default:
		f.t.Fatalf("%s: unknown", f.line)
	}
	if holds {
		return 1
	}
	return 0
}

// numeric is PTX's min or max, by which a number comes before NaN.
func numeric(of func(x, y float64) float64, x, y float64) float64 {
	switch {
	case x != x:
		return y
	case y != y:
		return x
	}
	return of(x, y)
}

// toInt is PTX's conversion: NaN becomes the least int64.
func toInt(x float64) int64 {
	switch {
	case x != x:
		return math.MinInt64
	case x >= math.MaxInt64:
		return math.MaxInt64
	case x <= math.MinInt64:
		return math.MinInt64
	}
	return int64(x)
}
