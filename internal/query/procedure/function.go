package procedure

import (
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
)

// Function is a function of expressions that asks for more than its arguments: for the graph, and for what procedures
// keep.
type Function struct {
	Name, Description, Category string
	Arguments                   []Field // those with a Default come last
	Returns                     string
	// Compute is given as many arguments as were written, and does not keep them.
	Compute func(g Graph, arguments []value.Value) (value.Value, error)
}

// Arity is how many arguments it takes, and what they are.
func (f *Function) Arity() Arity {
	a, texts := Arity{Max: len(f.Arguments)}, make([]string, len(f.Arguments))
	for i, argument := range f.Arguments {
		standard := ""
		if argument.Default != nil {
			standard = " = " + argument.Default.Text()
		} else {
			a.Min++
		}
		texts[i] = argument.Name + standard + " :: " + argument.Type
	}
	a.Text = strings.Join(texts, ", ")
	return a
}

// Signature shows how to call it.
func (f *Function) Signature() string { return f.Name + "(" + f.Arity().Text + ") :: " + f.Returns }

// AddFunctions makes functions known.
func (p *Procedures) AddFunctions(all ...*Function) {
	for _, f := range all {
		p.functions[strings.ToLower(f.Name)] = f
	}
}

// Function finds one, whatever the case of its name.
func (p *Procedures) Function(name string) (*Function, bool) {
	if p == nil {
		return nil, false
	}
	f, ok := p.functions[strings.ToLower(name)]
	return f, ok
}

// Functions are all of them, by name.
func (p *Procedures) Functions() []*Function {
	all := make([]*Function, 0, len(p.functions))
	for _, f := range p.functions {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b *Function) int { return strings.Compare(a.Name, b.Name) })
	return all
}
