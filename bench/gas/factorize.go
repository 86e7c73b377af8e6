package main

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/plugins/mega/mf"
)

// A row is: 1 over the number of the vertex's ratings, the bias, the factors, and the sums of squares of gradients of
// factors and of the bias: as plugins/mega/mf has it.
const (
	share = iota
	bias
	factors
	squares = 2
)

// model is rows of both sides.
type model struct {
	mean         float64
	rank         int
	users, items []float32
	user, item   int // how wide a row is
}

// says is what a model says of a pair.
func (m model) says(u, v uint32) float64 {
	p, q := m.users[int(u)*m.user:][:factors+m.rank], m.items[int(v)*m.item:][:factors+m.rank]
	sum := m.mean + float64(p[bias]) + float64(q[bias])
	for k, x := range p[factors:] {
		sum += float64(x) * float64(q[factors+k])
	}
	return sum
}

// inMEGA factorizes as penstock train mf does, with a penalty that stays.
func inMEGA(d *data, p mf.Params) (model, error) {
	g := mega.Graph[mf.Rating]{Rights: len(d.items.offsets) - 1, Offsets: d.users.offsets,
		Targets: append([]uint32{}, d.users.targets...), Edges: make([]mf.Rating, len(d.users.values))}
	for i, r := range d.users.values {
		g.Edges[i] = mf.Of(r, false)
	}
	program := mf.Program(p)
	s, _, err := mega.Run(context.Background(), program, &g, mega.Options{Epochs: p.Epochs, Seed: p.Seed})
	if err != nil {
		return model{}, err
	}
	return model{p.Mean, p.Rank, s.Left, s.Right, program.Left.Width(), program.Right.Shared}, nil
}

// inGAS factorizes by two phases an epoch: users gather along their ratings, then items along theirs.
func inGAS(d *data, p mf.Params, sums bool) model {
	width := factors + p.Rank + squares
	users, items := start(p, 0, p.Users), start(p, 1, p.Items)
	usersCopy, itemsCopy := append([]float32{}, users...), append([]float32{}, items...)
	s := step{rank: p.Rank, bias: float32(p.BiasL2), mean: float32(p.Mean), lambda: float32(p.L2), rho: variance(p)}
	for epoch := range p.Epochs {
		s.rate = float32(p.Rate * (1 - float64(epoch)/float64(p.Epochs)))
		var of program = folding{s}
		if sums {
			of = summing{s}
		}
		for _, each := range []*phase{
			{from: users, to: usersCopy, others: itemsCopy, offsets: d.users.offsets, targets: d.users.targets,
				values: d.users.values},
			{from: items, to: itemsCopy, others: usersCopy, offsets: d.items.offsets, targets: d.items.targets,
				values: d.items.values},
		} {
			each.width, each.program, each.accumulator = width, of, make([]float32, width)
			each.run()
		}
	}
	return model{p.Mean, p.Rank, users, items, width, width}
}

// start is the rows of a side, as in MEGA.
func start(p mf.Params, side uint64, ratings []uint32) []float32 {
	width := factors + p.Rank + squares
	rows := make([]float32, len(ratings)*width)
	for v, n := range ratings {
		row := rows[v*width:][:width]
		row[share] = 1 / float32(max(n, 1))
		random := rand.New(rand.NewPCG(p.Seed, uint64(v)<<1|side))
		for k := range p.Rank {
			row[factors+k] = float32(0.1 / math.Sqrt(float64(p.Rank)) * random.NormFloat64())
		}
	}
	return rows
}

// variance is that of a factor, as MEGA takes it to be.
func variance(p mf.Params) float32 {
	root := math.Sqrt(p.L2*p.L2 + 4*float64(p.Rank)*p.Variance)
	return float32(2 * p.Variance / (root + p.L2))
}

// step is what is done with a rating.
type step struct {
	rank                          int
	rate, lambda, rho, bias, mean float32
}

// summing is what GAS asks for: gradients are added up, in whatever order, and apply takes one step.
type summing struct{ step }

func (s summing) start(gathered, _ []float32) { clear(gathered) }

func (s summing) gather(gathered, row, other []float32, value float32) {
	width := factors + s.rank
	mine, theirs, to := row[factors:width], other[factors:width], gathered[factors:width]
	pq := float32(0)
	for k, x := range mine {
		pq += x * theirs[k]
	}
	e, l := value-s.mean-row[bias]-other[bias]-pq, s.penalty(row, other)
	for k, x := range mine {
		to[k] += l*x - e*theirs[k]
	}
	gathered[bias] += s.bias*row[share]*row[bias] - e
}

func (s summing) apply(row, gathered []float32) {
	width := factors + s.rank
	mine, sums, gg := row[factors:width], row[width:width+squares], float32(0)
	for _, g := range gathered[factors:width] {
		gg += g * g
	}
	if sums[0] += gg / float32(s.rank); sums[0] > 0 {
		for k, g := range gathered[factors:width] {
			mine[k] -= s.rate / float32(math.Sqrt(float64(sums[0]))) * g
		}
	}
	g := gathered[bias]
	if sums[1] += g * g; sums[1] > 0 {
		row[bias] -= s.rate / float32(math.Sqrt(float64(sums[1]))) * g
	}
}

// penalty is that on the row's factors, of a rating.
func (s step) penalty(row, other []float32) float32 {
	far := s.lambda * other[share]
	return s.lambda*row[share] + s.rho*far/(s.rho+far)
}

// folding is more than GAS asks for: what is gathered is the row itself, each rating taken by the same step as in MEGA,
// one after the other, but for the other end, which stays.
type folding struct{ step }

func (s folding) start(gathered, row []float32) { copy(gathered, row) }

func (s folding) apply(row, gathered []float32) { copy(row, gathered) }

func (s folding) gather(row, _, other []float32, value float32) {
	width := factors + s.rank
	mine, theirs := row[factors:width], other[factors:width]
	var pp, qq, pq float32
	for k, x := range mine {
		y := theirs[k]
		pp, qq, pq = pp+x*x, qq+y*y, pq+x*y
	}
	e, l := value-s.mean-row[bias]-other[bias]-pq, s.penalty(row, other)
	sums := row[width : width+squares]
	rate := s.rate / float32(math.Sqrt(1+float64(sums[0])))
	sums[0] += (l*l*pp - 2*l*e*pq + e*e*qq) / float32(s.rank)
	for k, x := range mine {
		mine[k] = x - rate*(l*x-e*theirs[k])
	}
	g := s.bias*row[share]*row[bias] - e
	row[bias] -= s.rate / float32(math.Sqrt(1+float64(sums[1]))) * g
	sums[1] += g * g
}
