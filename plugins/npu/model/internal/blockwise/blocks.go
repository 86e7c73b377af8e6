// Package blockwise has models of the runtime run over matrices, a block of rows after the other.
//
//	matrix.go   cells in blocks of rows that fit a processor's cache
//	blocks.go   one session, and for each block its part of the memory that the session reads and writes
//	numbers.go  numbers of any floating-point type in that memory
package blockwise

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
)

// Operand is memory that a session reads or writes. The same part of it is for all blocks, or each
// block has its own part.
type Operand struct {
	Name   string
	Kind   onnx.Type
	Shape  []int64 // of the part
	Memory []byte
	own    bool // each block has a part of its own
	Fixed  bool // it stays what it was when it was bound
	Output bool
}

// Blocks run one model over a matrix, a block of its rows after the other. What is bound is bound once.
type Blocks struct {
	threads  int
	session  *ort.Session
	Bindings []*ort.Binding
	changing []Operand // inputs to be bound before each run, of providers that copy what is bound to their own memory
}

// Setting says who runs blocks: a provider of a runtime, for so many threads.
type Setting struct {
	Runtime  *ort.Runtime
	Options  ort.Options
	Provider ort.Provider
	Threads  int
}

// New has so many blocks run a graph, each with its part of the operands.
func New(s Setting, g *onnx.Graph, count int, operands []Operand) (*Blocks, error) {
	all := &Blocks{threads: s.Threads}
	var err error
	if all.session, err = s.Runtime.NewSession(g.Model(), s.Options); err != nil {
		return nil, err
	}
	if s.Provider != ort.CPU {
		all.changing = slices.DeleteFunc(slices.Clone(operands), func(o Operand) bool { return o.Fixed || o.Output })
	}
	for range count {
		binding, err := all.session.Bind()
		if err != nil {
			all.Close()
			return nil, err
		}
		all.Bindings = append(all.Bindings, binding)
	}
	for k := range count {
		if err := all.bind(k, operands); err != nil {
			all.Close()
			return nil, err
		}
	}
	return all, nil
}

func (all *Blocks) bind(k int, operands []Operand) error {
	for _, o := range operands {
		part := o.Memory
		if o.own {
			size := len(o.Memory) / len(all.Bindings)
			part = part[k*size : (k+1)*size]
		}
		bind := all.Bindings[k].BindInput
		if o.Output {
			bind = all.Bindings[k].BindOutput
		}
		if err := bind(o.Name, o.Kind, o.Shape, part); err != nil {
			return err
		}
	}
	return nil
}

// Run does the blocks that are wanted; nil: all.
func (all *Blocks) Run(ctx context.Context, wanted func(k int) bool) error {
	return Each(ctx, all.threads, len(all.Bindings), func(ctx context.Context, k int) error {
		if wanted != nil && !wanted(k) {
			return nil
		}
		if err := all.bind(k, all.changing); err != nil {
			return err
		}
		return all.Bindings[k].Run(ctx)
	})
}

// Close frees the session.
func (all *Blocks) Close() {
	for _, binding := range all.Bindings {
		binding.Close()
	}
	all.session.Close()
}

// Each does count things, shared out among threads; the first failure ends it.
func Each(ctx context.Context, threads, count int, do func(ctx context.Context, k int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	work := func() {
		for k := int(next.Add(1) - 1); k < count; k = int(next.Add(1) - 1) {
			if err := do(ctx, k); err != nil {
				cancel(err)
				return
			}
		}
	}
	var others sync.WaitGroup
	for range min(threads, count) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	return context.Cause(ctx)
}

// Ceil is a / b, rounded up.
func Ceil(a, b int) int { return (a + b - 1) / b }
