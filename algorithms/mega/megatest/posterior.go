package megatest

import "testing"

// Posterior fails unless a sampler has drawn, of a corpus of three tokens, each assignment of two topics as often as
// its joint probability says: by chi-square. The tokens have words 0 and 1 in a document, and 0 in another, of two
// words. seen counts assignments: the topic of token i is bit i.
func Posterior(t testing.TB, alpha, beta float64, seen [8]float64) {
	t.Helper()
	var joint [8]float64
	samples, total := 0.0, 0.0
	for z := range joint {
		joint[z] = probability(alpha, beta, []int{z & 1, z >> 1 & 1, z >> 2})
		total += joint[z]
		samples += seen[z]
	}
	chi := 0.0
	for z, n := range seen {
		want := samples * joint[z] / total
		chi += (n - want) * (n - want) / want
	}
	if samples == 0 || chi > 40 { // 7 degrees of freedom: one in a million
		t.Errorf("chi-square %v: %v", chi, seen)
	}
}

// probability of topics of the tokens, by the chain rule of Pólya's urns.
func probability(alpha, beta float64, z []int) float64 {
	words, documents := []int{0, 1, 0}, []int{0, 0, 1}
	is := 1.0
	for i := range z {
		ofDocument, inDocument, ofTopic, ofWord := 0.0, 0.0, 0.0, 0.0
		for j := range i {
			same := z[i] == z[j]
			if documents[i] == documents[j] {
				inDocument++
				if same {
					ofDocument++
				}
			}
			if same {
				ofTopic++
				if words[i] == words[j] {
					ofWord++
				}
			}
		}
		is *= (ofDocument + alpha) / (inDocument + 2*alpha) * (ofWord + beta) / (ofTopic + 2*beta)
	}
	return is
}
