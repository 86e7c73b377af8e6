package network

import (
	"context"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
)

// program is a pass: what is done once, and then what is done each time.
type program struct {
	plugins.NetworkPass

	steps [2][]step
	text  text
	kept  []*buffer
	shown []shown // what of each root is left
	ready bool    // what is done once has been done

	passing []*buffer // what steps leave to others
}

// shown is a root.
type shown struct {
	at     *buffer
	height height
	width  uint64
}

// newProgram makes the steps of a pass.
func newProgram(g *graph, values []*dataflow.Value, pass plugins.NetworkPass) (*program, error) {
	ordered := dataflow.Order(values, pass.Roots...)
	c := newCompiler(g, ordered, pass.Roots)
	for _, v := range ordered {
		if err := c.compute(v); err != nil {
			return nil, err
		}
	}
	p := &program{NetworkPass: pass}
	for _, root := range pass.Roots {
		at, err := c.matrix(root)
		if err != nil {
			return nil, err
		}
		p.shown = append(p.shown, shown{at, c.heightOf(root), uint64(root.Width)})
	}
	p.steps, p.text = c.steps, newText(c.codes)
	p.layOut(c)
	return p, nil
}

// edgesOf is how many edges a step looks at.
func edgesOf(s step) uint64 {
	switch s := s.(type) {
	case *gather:
		return s.edges.size
	case *gatherRows:
		if s.ofEdges {
			return s.lists.size
		}
	case *edgeOuter:
		return s.edges.size
	}
	return 0
}

// edges is how many it looks at each time.
func (p *program) edges() (count uint64) {
	for _, s := range p.steps[1] {
		count += edgesOf(s)
	}
	return count
}

// layOut finds out how long what steps leave is used.
func (p *program) layOut(c *compiler) {
	p.kept = []*buffer{p.text.at}
	seen := map[*buffer]bool{}
	for k, steps := range p.steps {
		for i, s := range steps {
			used := s.buffers()
			for _, code := range c.written[s] {
				used = append(used, code.buffers()...)
			}
			for _, b := range used {
				p.use(b, k == 0, i, seen)
			}
		}
	}
	for _, root := range p.shown {
		root.at.last = max(root.at.last, len(p.steps[1])-1)
	}
}

// use says that a step uses b. What is done once leaves what is kept.
func (p *program) use(b *buffer, once bool, step int, seen map[*buffer]bool) {
	switch {
	case b.kept || b.within != nil:
	case once:
		b.kept = true
		p.kept = append(p.kept, b)
	case !seen[b]:
		b.first, b.last, seen[b] = step, step, true
		p.passing = append(p.passing, b)
	default:
		b.last = step
	}
}

// launch puts a pass into the queue.
func (p *program) launch(ctx context.Context, s *stream.Streams, r run, dropout dataflow.Dropout) error {
	if err := p.text.send(ctx, s, &r, dropout); err != nil {
		return err
	}
	for k, steps := range p.steps {
		if k == 0 && p.ready {
			continue
		}
		for _, step := range steps {
			if err := step.launch(&r); err != nil {
				return err
			}
		}
	}
	p.ready = true
	return nil
}
