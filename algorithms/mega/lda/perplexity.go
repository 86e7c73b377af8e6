package lda

import (
	"math"
	"math/rand/v2"
)

// Perplexity says how well φ (see Phi) foretells documents that nothing was learned from. Half of the tokens of
// each, chosen at random, are seen: topics are drawn for them by so many sweeps with φ fixed, and θ is its mean
// over the second half of the sweeps. Of the other tokens it is
//
//	exp(−mean of log Σ_k θ_dk φ_kw)
func Perplexity(phi []float64, held [][]uint32, p Params, sweeps int) float64 {
	random, sum, tokens := rand.New(rand.NewPCG(p.Seed, 1)), 0.0, 0
	for _, document := range held {
		words := append([]uint32{}, document...)
		random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		half := (len(words) + 1) / 2
		theta := mixture(phi, words[:half], p, sweeps, random)
		for _, w := range words[half:] {
			probability := 0.0
			for z, t := range theta {
				probability += t * phi[int(w)*p.Topics+z]
			}
			sum -= math.Log(probability)
			tokens++
		}
	}
	return math.Exp(sum / float64(tokens))
}

// mixture is θ of a document of which these words are seen.
func mixture(phi []float64, words []uint32, p Params, sweeps int, random *rand.Rand) []float64 {
	topics, counts := make([]int, len(words)), make([]float64, p.Topics)
	for i := range words {
		topics[i] = random.IntN(p.Topics)
		counts[topics[i]]++
	}
	theta, sums := make([]float64, p.Topics), make([]float64, p.Topics)
	for sweep := range sweeps {
		for i, w := range words {
			counts[topics[i]]--
			sum := 0.0
			for z, n := range counts {
				sum += (n + p.Alpha) * phi[int(w)*p.Topics+z]
				sums[z] = sum
			}
			topics[i] = int(draw(random, sums))
			counts[topics[i]]++
		}
		if sweep < sweeps/2 {
			continue
		}
		for z, n := range counts {
			theta[z] += (n + p.Alpha) / (float64(len(words)) + p.Alpha*float64(p.Topics)) / float64(sweeps-sweeps/2)
		}
	}
	return theta
}
