package dataflow

import "slices"

// Program is a dataflow with what is wanted of it.
type Program struct {
	Values     []*Value // all that is needed, arguments first
	Parameters []*Value // what is learned
	Loss       *Value   // 1 × 1
	Gradients  []*Value // of Parameters; nil where the loss does not depend on one
	Output     *Value   // what the model says of each vertex
}

// Compile makes the program that learns parameters so that loss falls, and says output. It makes the gradients. What is
// kept besides can be asked for as well.
func Compile(b *Builder, loss, output *Value, parameters []*Value, kept ...*Value) *Program {
	p := &Program{Parameters: parameters, Loss: loss, Output: output, Gradients: Gradient(b, loss, parameters)}
	p.Values = Order(b.Values(), slices.Concat([]*Value{loss, output}, parameters, p.Gradients, kept)...)
	return p
}

// Held is the program with all edge values held, and what has become of others that are kept.
func (p *Program) Held(kept []*Value) (*Program, []*Value) {
	now := Held(p.Values)
	each := func(of []*Value) (list []*Value) {
		for _, v := range of {
			list = append(list, now[v])
		}
		return list
	}
	held := &Program{Parameters: p.Parameters, Loss: now[p.Loss], Gradients: each(p.Gradients), Output: now[p.Output]}
	var all []*Value
	for _, v := range p.Values {
		if at := now[v]; at.Op == Hold {
			all = append(all, at.Args[0])
		}
		all = append(all, now[v])
	}
	kept = each(kept)
	held.Values = Order(all, slices.Concat([]*Value{held.Loss, held.Output}, held.Parameters, held.Gradients, kept)...)
	return held, kept
}

// Order lists the values that roots are made of, and roots, as in values. A nil root is passed over.
func Order(values []*Value, roots ...*Value) []*Value {
	needed := make(map[*Value]bool, len(values))
	for _, r := range roots {
		needed[r] = true
	}
	var list []*Value
	for _, v := range slices.Backward(values) {
		if !needed[v] {
			continue
		}
		list = append(list, v)
		for _, a := range v.Args {
			needed[a] = true
		}
	}
	slices.Reverse(list)
	return list
}

// Fixed says which of values stay as they are while parameters are learned: what depends neither on a parameter, nor
// on an input that varies, nor on a dropout. They are computed once.
func Fixed(values []*Value) map[*Value]bool {
	fixed := map[*Value]bool{}
	for _, v := range values {
		fixed[v] = v.Op != Parameter && v.Op != Mask && !v.Varies
		for _, a := range v.Args {
			fixed[v] = fixed[v] && fixed[a]
		}
	}
	return fixed
}

// EdgeProperties are the properties of edges that values read, each once.
func EdgeProperties(values []*Value) []string {
	names := []string{}
	for _, v := range values {
		if v.Op == Property && !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
	}
	return names
}
