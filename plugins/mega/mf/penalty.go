package mf

import (
	"encoding/binary"
	"math"
	"sync/atomic"
)

// penalty is λ, which follows what the model says of ratings that it has not learned from.
type penalty struct {
	Params
	lambda atomic.Uint64 // as bits
	before float64       // Σ (p·q)² of the epoch before
}

func newPenalty(p Params) *penalty {
	all := &penalty{Params: p}
	all.lambda.Store(math.Float64bits(p.L2))
	return all
}

// What workers add up over the held-out ratings of an epoch: r' being what mean and biases leave of a rating.
const (
	agreement = iota // Σ r' p·q
	said             // Σ (p·q)²
	spread           // Σ e² (p·q)²: the square of the error of agreement
	tallies
)

// Penalties move from the epoch that so many are before on, when factors have taken shape, and until the last quarter.
const settling = 3

func (p *penalty) moves(epoch int) bool { return p.Adapt && epoch >= settling && !p.last(epoch) }

// last says whether it is the last quarter of epochs.
func (p *penalty) last(epoch int) bool { return 4*epoch >= 3*p.Epochs }

// judge moves λ when an epoch is over. Where ratings that are held out are regressed on p·q, the slope is 1 if factors
// say as much as they know. Below, they say too much, for they know their own ratings by heart: λ grows. Above, they
// could say more: λ falls. Early slopes are above 1, since factors still grow: while what they say is twice as much as
// in the epoch before, or more, λ does not fall. It would have to come back from far below when they have, which a
// quarter of the epochs is too few for. What may be chance, within two standard errors, moves nothing.
func (p *penalty) judge(epoch int, _ float64, workers [][]float64) bool {
	var sum [tallies]float64
	for _, w := range workers {
		for k := range sum {
			sum[k] += w[k]
		}
	}
	grows := sum[said] >= 2*p.before
	p.before = sum[said]
	if !p.moves(epoch) || !(sum[said] > 0) {
		return false
	}
	slope, chance := sum[agreement]/sum[said], 2*math.Sqrt(sum[spread])/sum[said]
	off := 0.0
	if most := 1 + 0.5/float64(epoch+1); slope-chance > most && !grows {
		off = slope - chance - most
	} else if slope+chance < 1 {
		off = slope + chance - 1
	}
	const fastest = 2
	lambda := math.Float64frombits(p.lambda.Load())
	p.lambda.Store(math.Float64bits(lambda * math.Exp(min(max(-2*off, -math.Log(fastest)), math.Log(fastest)))))
	return false
}

// keep has λ kept, and what it goes by.
func (p *penalty) keep(keep func([]byte)) {
	bits := binary.LittleEndian.AppendUint64(nil, p.lambda.Load())
	bits = binary.LittleEndian.AppendUint64(bits, math.Float64bits(p.before))
	keep(bits)
	p.lambda.Store(binary.LittleEndian.Uint64(bits))
	p.before = math.Float64frombits(binary.LittleEndian.Uint64(bits[8:]))
}

// now is what a worker goes by in an epoch.
type now struct {
	rate        [2]float32 // of factors and of biases
	lambda, rho float32
	learnsAll   bool // those that are held out as well
}

// sooner is how much longer than those of factors steps of biases are.
const sooner = 1.5

// at is for an epoch, with λ as it has come to be. ρ, the variance of a factor, is what it is where λ = σ² / ρ and the
// ratings' variance is that of the factors' products, k ρ², and of the noise, σ².
func (p *penalty) at(epoch int) now {
	lambda, k := math.Float64frombits(p.lambda.Load()), float64(p.Rank)
	rho := 1e-30 // above 0, so that there is always something to divide by
	if root := math.Sqrt(lambda*lambda + 4*k*p.Variance); root > lambda {
		rho = 2 * p.Variance / (root + lambda)
	}
	rate := float32(p.Rate * (1 - float64(epoch)/float64(p.Epochs)))
	return now{[2]float32{rate, sooner * rate}, float32(lambda), float32(rho), p.Late && p.last(epoch)}
}

// doubt is the variance that a factor is left with when as many ratings are known as λ is divided among to be share.
func (n now) doubt(share float32) float32 {
	return n.rho * share / (n.rho + share)
}
