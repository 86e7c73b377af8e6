package learning

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// Documents of two topics, each of which has half of the words.
const (
	documents   = 45
	words       = 12
	topicEpochs = 150
)

// The parts that documents may be of.
const (
	learnedPart = float32(iota + 1)
	validationPart
)

// texts is a bipartite graph: documents, of one of two topics by turns, from which edges lead to four of the six words
// of that, and how often these are there. Four of five documents are learned from, and of the others each second is for
// validation, and else for nothing.
func texts(r *rand.Rand) (g *algorithms.Graph, part []float32, tokens int) {
	part = make([]float32, documents+words)
	var edges []algorithms.Edge
	for d := range documents {
		switch {
		case d%5 > 0:
			part[d] = learnedPart
		case d%10 > 0:
			part[d] = validationPart
		}
		for _, w := range r.Perm(words / 2)[:4] {
			e := drawn.NewEdge(r, d, documents+w+d%2*words/2)
			e.Weights[drawn.Weight] = float64(3 + r.IntN(5))
			tokens += int(e.Weights[drawn.Weight])
			edges = append(edges, e)
		}
	}
	ids := make([]int64, documents+words)
	for i := range ids {
		ids[i] = int64(i)
	}
	return drawn.NewGraph(true, ids, edges), part, tokens
}

// topicsOf is the lesson of lda, of so many tokens.
func topicsOf(part []float32, tokens int) lesson {
	return lesson{name: "lda", given: map[string][]float32{"part": part},
		rows: []algorithms.Rows{{Name: "part", Width: 1, Given: true}, {Name: "phi", Width: 2 * words, Once: true},
			{Name: "held", Width: 6, Once: true}},
		args: algorithms.Args{Directed: true, Strings: map[string]string{"label": drawn.Weight},
			Floats: map[string]float64{"alpha": 0.1, "beta": 0.1, "learned": 1},
			Ints: map[string]int64{"topics": 2, "words": words, "tokens": int64(tokens), "sweeps": 20, "epochs": topicEpochs,
				"workers": 2, "slack": 0, "batch": 40, "seed": 7}}}
}

// testTopics has the device find topics by Gibbs sampling. What it says of words are probabilities, by which each topic
// has the words of one half; and it foretells documents that it has not learned from better than words' frequency does.
func testTopics(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	g, part, tokens := texts(r)
	l := topicsOf(part, tokens)
	got, err := l.learn(t, r, device, g, inOne)
	if plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	checkTopics(t, got.named["phi"])
	edges, learned, known := uint64(0), uint64(0), 0.0
	for _, w := range got.work {
		edges += w.Edges
	}
	for d := range documents {
		if part[d] == learnedPart {
			learned += uint64(g.Out.Degree(d))
			for _, n := range g.Out.Columns[drawn.Weight][g.Out.Offsets[d]:g.Out.Offsets[d+1]] {
				known += n
			}
		}
	}
	if len(got.epochs) != topicEpochs || edges != topicEpochs*learned {
		t.Fatalf("%d epochs, and %d edges gone along of %d each", len(got.epochs), edges, learned)
	}
	// nobody foretells better than who knows the topic: of six words, about as frequent each
	if loss := got.epochs[topicEpochs-1].Loss / known; loss > math.Log(words/2)+0.2 || loss < math.Log(4) {
		t.Errorf("an epoch has told of %v a token", loss)
	}
	held := got.named["held"]
	if loss, unigram := float64(held[0]), float64(held[1]); held[2] <= 0 || loss > unigram-0.3 ||
		math.Abs(unigram-math.Log(words)) > 0.3 {
		t.Errorf("of validation, loss, that by words' frequency and tokens are %v", held[:3])
	}
	if held[5] != 0 {
		t.Errorf("of a test that has no documents it says %v", held[3:])
	}
	again, err := l.learn(t, r, device, g, drive.Partition{Rows: 5, Cols: 1, Whole: true})
	if err != nil || !slices.Equal(again.named["phi"], got.named["phi"]) {
		t.Errorf("other bits where chunks are cut otherwise, or %v", err)
	}
}

// checkTopics: of each of two topics the probabilities of words add up to 1, and nearly that is of one half of these,
// another for each topic.
func checkTopics(t *testing.T, phi []float32) {
	t.Helper()
	var halves [2][2]float64 // by topic
	for w := range words {
		for k := range halves {
			halves[k][w/(words/2)] += float64(phi[w*2+k])
		}
	}
	for k, h := range halves {
		if math.Abs(h[0]+h[1]-1) > 1e-4 {
			t.Errorf("topic %d: words have the probability %v in all", k, h[0]+h[1])
		}
	}
	const nearly = 0.95
	if a, b := halves[0], halves[1]; !(a[0] > nearly && b[1] > nearly || a[1] > nearly && b[0] > nearly) {
		t.Errorf("topics have %v of either half of the words", halves)
	}
}
