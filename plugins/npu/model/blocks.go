package model

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
)

// operand is memory that a session reads or writes. The same part of it is for all blocks, or each
// block has its own part.
type operand struct {
	name   string
	kind   onnx.Type
	shape  []int64 // of the part
	memory []byte
	own    bool // each block has a part of its own
	fixed  bool // it stays what it was when it was bound
	output bool
}

// blocks run one model over a matrix, a block of its rows after the other. What is bound is bound once.
type blocks struct {
	threads  int
	session  *ort.Session
	bindings []*ort.Binding
	changing []operand // inputs to be bound before each run, of providers that copy what is bound to their own memory
}

// setting says who runs blocks: a provider of a runtime, for so many threads.
type setting struct {
	runtime  *ort.Runtime
	options  ort.Options
	provider ort.Provider
	threads  int
}

// newBlocks has so many blocks run a graph, each with its part of the operands.
func newBlocks(s setting, g *onnx.Graph, count int, operands []operand) (*blocks, error) {
	all := &blocks{threads: s.threads}
	var err error
	if all.session, err = s.runtime.NewSession(g.Model(), s.options); err != nil {
		return nil, err
	}
	if s.provider != ort.CPU {
		all.changing = slices.DeleteFunc(slices.Clone(operands), func(o operand) bool { return o.fixed || o.output })
	}
	for range count {
		binding, err := all.session.Bind()
		if err != nil {
			all.close()
			return nil, err
		}
		all.bindings = append(all.bindings, binding)
	}
	for k := range count {
		if err := all.bind(k, operands); err != nil {
			all.close()
			return nil, err
		}
	}
	return all, nil
}

func (all *blocks) bind(k int, operands []operand) error {
	for _, o := range operands {
		part := o.memory
		if o.own {
			size := len(o.memory) / len(all.bindings)
			part = part[k*size : (k+1)*size]
		}
		bind := all.bindings[k].BindInput
		if o.output {
			bind = all.bindings[k].BindOutput
		}
		if err := bind(o.name, o.kind, o.shape, part); err != nil {
			return err
		}
	}
	return nil
}

// run does the blocks that are wanted; nil: all.
func (all *blocks) run(ctx context.Context, wanted func(k int) bool) error {
	return each(ctx, all.threads, len(all.bindings), func(ctx context.Context, k int) error {
		if wanted != nil && !wanted(k) {
			return nil
		}
		if err := all.bind(k, all.changing); err != nil {
			return err
		}
		return all.bindings[k].Run(ctx)
	})
}

func (all *blocks) close() {
	for _, binding := range all.bindings {
		binding.Close()
	}
	all.session.Close()
}

// each does count things, shared out among threads; the first failure ends it.
func each(ctx context.Context, threads, count int, do func(ctx context.Context, k int) error) error {
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

func ceil(a, b int) int { return (a + b - 1) / b }
