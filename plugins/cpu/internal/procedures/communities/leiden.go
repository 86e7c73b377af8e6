package communities

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// leiden merges parts of communities, pass by pass. (Traag, Waltman, van Eck 2019.)
type leiden struct {
	*run
	theta float64
}

func init() {
	procedures.Register("leiden", func(f procedures.Input) (procedures.Procedure, error) {
		r, err := newRun("leiden", f)
		return leiden{r, f.Args.Floats["theta"]}, err
	})
}

// Call reports progress as if each pass took half of what is left.
func (l leiden) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	if err := l.begin(); err != nil {
		return 0, err
	}
	if err := l.read(ctx, chunks, procedures.Progress{From: 0, To: 0.1, Tell: tell}); err != nil {
		return 0, err
	}
	community := make([]uint32, l.N)
	l.naming.begin(community)
	renumber(community)
	left := 0.8
	for pass := int64(0); pass < l.Args.Ints["iterations"] && !l.full(); pass++ {
		gained, err := l.pass(ctx, community, uint64(pass)<<32)
		if err != nil {
			return 0, err
		}
		left /= 2
		tell(0.9 - left)
		if gained <= l.Args.Floats["tolerance"] {
			break
		}
	}
	l.connect(community)
	if err := l.again(ctx, community); err != nil {
		return 0, err
	}
	return csr.Entries(chunks), l.end(ctx, community, procedures.Progress{From: 0.9, To: 1, Tell: tell})
}

// pass makes better communities of communities, and returns by how much modularity they are better.
func (l leiden) pass(ctx context.Context, result []uint32, seed uint64) (gained float64, err error) {
	l.alone()
	net, community := l.base, make([]uint32, l.N)
	copy(community, result)
	for level := uint64(0); !l.full(); level++ {
		m := l.newMoving(net, community, seed+2*level)
		moved, err := m.move(ctx, math.MaxInt64, math.Inf(-1))
		if err != nil {
			return gained, err
		}
		gained += m.all
		count := renumber(community)
		for v, u := range l.node {
			result[v] = community[u]
		}
		if moved || l.ran == 0 && count < net.vertices() {
			if err := l.level(ctx, result); err != nil {
				return gained, err
			}
		}
		if count == net.vertices() {
			break
		}
		part, err := l.refine(ctx, net, community, count, seed+2*level+1)
		if err != nil {
			return gained, err
		}
		parts := renumber(part)
		if parts == net.vertices() {
			break
		}
		next := make([]uint32, parts)
		for v, p := range part {
			next[p] = community[v]
		}
		for v, u := range l.node {
			l.node[v] = part[u]
		}
		if net, err = l.merge(ctx, net, part, parts); err != nil {
			return gained, err
		}
		community = next
	}
	return gained, nil
}

// connect takes communities apart into what edges connect within them. Those that refinement has ended with are
// connected; where levels are bounded, or chance puts nothing between vertices, others may be left.
func (l leiden) connect(community []uint32) {
	part, stack := l.node, make([]uint32, 0, l.N)
	for v := range part {
		part[v] = none
	}
	for root := range part {
		if part[root] != none {
			continue
		}
		part[root] = uint32(root)
		for stack = append(stack, uint32(root)); len(stack) > 0; {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			neighbors, _ := l.base.of(v)
			for _, u := range neighbors {
				if part[u] == none && community[u] == community[v] {
					part[u] = uint32(root)
					stack = append(stack, u)
				}
			}
		}
	}
	copy(community, part)
}
