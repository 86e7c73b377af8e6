package vector

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
)

// Machine runs a Program over blocks of at most Width values. It belongs to one
// goroutine at a time and holds Size bytes of registers.
type Machine struct {
	program   *Program
	registers []*Column     // of each node; nodes whose lives do not overlap share one
	uniform   []instruction // for Settle
	code      []instruction // for Eval
	size      uint64
}

// NewMachine allots registers and ties the operators to them.
func NewMachine(p *Program) *Machine {
	m := &Machine{program: p, registers: make([]*Column, len(p.nodes))}
	lastUse := p.lastUses()
	free := map[algorithms.Type][]*Column{}
	for i, n := range p.nodes {
		if lastUse[i] == 0 {
			continue // a constant that was folded into others
		}
		m.registers[i] = m.register(n, free)
		if n.op.bind == nil {
			continue
		}
		args := make([]*Column, len(n.args))
		for k, arg := range n.args {
			args[k] = m.registers[arg]
		}
		run := n.op.bind(m.registers[i], args)
		if n.uniform {
			m.uniform = append(m.uniform, run)
			continue
		}
		m.code = append(m.code, run)
		for k, arg := range n.args {
			if lastUse[arg] == i && p.nodes[arg].recycles() && !slices.Contains(n.args[:k], arg) {
				kind := p.nodes[arg].kind
				free[kind] = append(free[kind], m.registers[arg])
			}
		}
	}
	return m
}

// recycles tells whether the register of n is free after its last use; what is uniform
// stays for the next Eval.
func (n node) recycles() bool { return n.op.bind != nil && !n.uniform }

// register is a place for the value of n. A result never shares with its own
// arguments, though the loops would allow it: that keeps them simple to reason about.
func (m *Machine) register(n node, free map[algorithms.Type][]*Column) *Column {
	if n.input >= 0 {
		return &Column{} // Bind says where it lies
	}
	if n.constant != nil {
		column := Broadcast(*n.constant, Width)
		m.size += width(n.kind) * Width
		return &column
	}
	if stock := free[n.kind]; len(stock) > 0 && !n.uniform {
		free[n.kind] = stock[:len(stock)-1]
		return stock[len(stock)-1]
	}
	column := Make(n.kind, Width)
	m.size += width(n.kind) * Width
	return &column
}

// lastUses is, for each node, the last node that reads it; outputs are read at the end.
func (p *Program) lastUses() []int {
	last := make([]int, len(p.nodes))
	for i, n := range p.nodes {
		for _, arg := range n.args {
			last[arg] = i
		}
	}
	for _, out := range p.Outputs {
		last[out.node] = len(p.nodes)
	}
	return last
}

// Size is what the machine's registers take, in bytes.
func (m *Machine) Size() uint64 { return m.size }

// Bind gives input i the values of c, from now on; they are read in place.
func (m *Machine) Bind(i int, c Column) {
	*m.registers[m.program.inputs[i]] = c
}

// Settle computes what depends on uniform inputs alone; they have been bound to Width
// equal values.
func (m *Machine) Settle() {
	for _, run := range m.uniform {
		run(Width)
	}
}

// Eval computes every output for the first n values of the inputs, n ≤ Width. A Settle
// comes before, when an input is uniform.
func (m *Machine) Eval(n int) {
	for _, run := range m.code {
		run(n)
	}
}

// Output is what Eval(n) has computed for expression k; it lasts until the next Eval.
// It never shares memory with an input, and must not be written.
func (m *Machine) Output(k, n int) Column {
	return m.registers[m.program.Outputs[k].node].Slice(0, n)
}

func width(t algorithms.Type) uint64 {
	if t == algorithms.Bool {
		return 1
	}
	return 8
}
