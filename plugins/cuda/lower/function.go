package lower

import (
	"fmt"
	"slices"
	"strings"
)

// class is the kind of a register.
type class uint8

const (
	word   class = iota // 64 bits: an int, the bits of a double, an address
	truth               // a bool
	single              // 32 bits: a number of single precision
)

var classes = [...]struct{ kind, prefix string }{word: {"b64", "w"}, truth: {"pred", "t"}, single: {"b32", "h"}}

// register is a value: it is set by one instruction.
type register struct {
	class  class
	number int // from 1 within its class
}

func (r register) String() string { return fmt.Sprintf("%%%s%d", classes[r.class].prefix, r.number) }

// instruction sets a register, if to is one, from operands: registers, literals or addresses.
type instruction struct {
	opcode   string
	to       register
	operands []string
}

// function is a function being made: a list of instructions in static single assignment, and at the end
// those that have an effect.
type function struct {
	name         string
	parameters   []string
	hasResult    bool
	instructions []instruction
	effects      []instruction
	known        map[string]register // an instruction's spelling → what it sets, to share equal ones
	registers    [len(classes)]int   // how many of each class
}

func newFunction(name string, parameters ...string) *function {
	return &function{name: name, parameters: parameters, known: map[string]register{}}
}

func (f *function) has(parameter string) bool { return slices.Contains(f.parameters, parameter) }

// set is the value of an instruction, which is added if there is none like it.
func (f *function) set(c class, opcode string, operands ...string) register {
	spelling := opcode + " " + strings.Join(operands, ", ")
	if known, ok := f.known[spelling]; ok {
		return known
	}
	f.registers[c]++
	to := register{c, f.registers[c]}
	f.instructions = append(f.instructions, instruction{opcode, to, operands})
	f.known[spelling] = to
	return to
}

func (f *function) effect(opcode string, operands ...string) {
	f.effects = append(f.effects, instruction{opcode: opcode, operands: operands})
}

func (f *function) word(opcode string, args ...register) register {
	return f.set(word, opcode, spelled(args)...)
}

func (f *function) truth(opcode string, args ...register) register {
	return f.set(truth, opcode, spelled(args)...)
}

func spelled(args []register) []string {
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = a.String()
	}
	return names
}

func (f *function) parameter(name string) register { return f.set(word, "ld.param.b64", "["+name+"]") }

func (f *function) literal(bits uint64) register {
	return f.set(word, "mov.b64", fmt.Sprintf("0x%016X", bits))
}

// choose is a where condition holds, else b, both words.
func (f *function) choose(condition, a, b register) register {
	return f.word("selp.b64", a, b, condition)
}

// call calls a function of the kernels, from one double to another.
func (f *function) call(name string, argument register) register {
	return f.set(word, "call.uni", name, argument.String())
}

// flag is whether a word is not 0, and bit the opposite way.
func (f *function) flag(w register) register { return f.truth("setp.ne.s64", w, f.literal(0)) }
func (f *function) bit(t register) register  { return f.choose(t, f.literal(1), f.literal(0)) }

// bits is a value as a word.
func (f *function) bits(value register) register {
	if value.class == truth {
		return f.bit(value)
	}
	return value
}

func (f *function) setResult(value register) {
	f.hasResult = true
	f.effect("st.param.b64", "[result]", f.bits(value).String())
}
