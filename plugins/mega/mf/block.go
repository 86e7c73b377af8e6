package mf

import (
	"unsafe"

	"github.com/penstock-db/penstock/plugins/mega"
)

//go:generate go run -modfile=../../cpu/internal/vector/asm/avo.mod asm/main.go -out kernels_amd64.s -stubs kernels_amd64.go -pkg mf

// kernel goes along n ratings of u that are learned from, as exchange does. Its rows are of so many numbers; targets
// there are as many as ahead. Sums are in another order, so that the last bits differ from one processor to another.
type kernel func(c, u *float32, targets, ratings *uint32, mirrors *float32, n, ahead, width, rank int)

// constants are what a kernel goes by: four of each number, for the factors and the bias of a user and of an item.
type constants struct {
	rate, lambda, rho, bias, inverse [4]float32
	mean                             float32
	loss                             float64 // is added to
}

func (p *penalty) constants(n now) *constants {
	four := func(x float32) [4]float32 { return [4]float32{x, x, x, x} }
	factors, biases := n.rate[0], n.rate[1]
	return &constants{rate: [4]float32{factors, biases, factors, biases}, lambda: four(n.lambda), rho: four(n.rho),
		bias: four(float32(p.BiasL2)), inverse: four(1 / float32(p.Rank)), mean: float32(p.Mean)}
}

// block is exchange of all ratings of a user, by a kernel where there is one. The fewer runs of held-out ratings there
// are between others, the quicker it is.
func (p *penalty) block(w *mega.Worker[float32], u []float32, edges mega.Edges[float32, Rating]) {
	n, along := p.at(w.Epoch), kernelFor(p.Rank)
	if along == nil {
		for i, rating := range edges.Values {
			p.exchange(n, w, u, edges.Row(i), rating)
		}
		return
	}
	c := p.constants(n)
	for i := 0; i < len(edges.Values); {
		run := i
		for run < len(edges.Values) && (n.learnsAll || !edges.Values[run].Held()) {
			run++
		}
		if i == run {
			p.exchange(n, w, u, edges.Row(i), edges.Values[i])
			i++
			continue
		}
		along(&c.rate[0], unsafe.SliceData(u), &edges.Targets[i], (*uint32)(&edges.Values[i]),
			unsafe.SliceData(edges.Mirrors), run-i, cap(edges.Targets)-i, edges.Width, p.Rank)
		i = run
	}
	w.Loss += c.loss
}
