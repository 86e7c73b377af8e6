package learners

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/mega/als"
	"github.com/penstock-db/penstock/plugins/mega/mf"
)

// alternating is what alternating least squares have in common, whose rows are of F while they learn.
type alternating[F float32 | float64] struct {
	Input
	rank   int
	width  int // numbers of a row
	rows   []float32
	end    []float32 // 1: the tolerance has ended it
	name   string
	l2     float64
	advice string // beside more l2, where it diverges
	running[F, F, mf.Rating]
	users, items []uint32 // the vertices of both sides
	joined       *als.Joined
}

// newAlternating has rows of factors, and of so many other numbers.
func newAlternating[F float32 | float64](in Input, others int, name, advice string) (c alternating[F], err error) {
	rank := int(in.Args.Ints["rank"])
	c = alternating[F]{Input: in, rank: rank, width: others + rank, name: name, advice: advice}
	if c.rows, err = in.Rows.Require("factors", in.N*c.width); err == nil {
		c.end, err = in.Rows.Require("end", 1)
	}
	return c, err
}

// learn goes on, and stores the rows of a run that is done. start makes the course, if there is none.
func (c *alternating[F]) learn(ctx context.Context, tell func(plugins.Event), start func() error) (uint64, error) {
	done, edges, err := c.goOn(ctx, c.Input, tell, start)
	if err != nil || !done {
		return edges, err
	}
	state, report := c.course.State(), c.course.Report()
	if told(report, tell); !c.first() {
		return edges, nil
	}
	if err = c.store(c.users, c.joined.Users, state.Right); err == nil {
		err = c.store(c.items, c.joined.Items, state.Right)
	}
	if report.Done {
		c.end[0] = 1
	}
	return edges, err
}

// store writes the rows of a side as rows of vertices. What is no number fails: nobody is to keep it as a model.
func (c *alternating[F]) store(vertices, numbers []uint32, rows []F) error {
	for i, v := range vertices {
		to := c.rows[int(v)*c.width:][:c.width]
		for k, x := range rows[int(numbers[i])*c.width:][:c.width] {
			if to[k] = float32(x); math.IsNaN(float64(x)) || math.IsInf(float64(to[k]), 0) {
				return plugins.Errorf(plugins.KindInvalid, "%s has diverged: a row has %v; give more l2 than %g%s", c.name, x,
					c.l2, c.advice)
			}
		}
	}
	return nil
}
