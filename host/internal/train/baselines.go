package train

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/host/internal/dataset"
)

// damping is what holds a bias back that few values tell of, and rounds how often biases are computed from each other.
const (
	damping = 5
	rounds  = 20
)

// Baseline is how well those do who look at no vectors.
type Baseline struct {
	ConstantRMSE *float64 `json:"constant_rmse,omitempty"` // who always say the mean
	ConstantMAE  *float64 `json:"constant_mae,omitempty"`
	BiasesRMSE   *float64 `json:"biases_rmse,omitempty"` // who say the mean, and how each vertex differs from it
	BiasesMAE    *float64 `json:"biases_mae,omitempty"`
	DegreesAUC   *float64 `json:"degrees_auc,omitempty"` // of links, who multiply degrees
	CommonAUC    *float64 `json:"common_neighbors_auc,omitempty"`
	// Larger is, of two classes, how many are right if all are said to be of that which more are learned from.
	Larger *float64 `json:"larger_class_accuracy,omitempty"`
	// PopularPercentile and PopularRecall are, of preferences, those of who ranks items by how often they were observed.
	PopularPercentile *float64 `json:"popular_percentile,omitempty"`
	PopularRecall     *float64 `json:"popular_recall_at_10,omitempty"`
	// Unigram is the perplexity of documents held out by how frequent words are, whatever the topics.
	Unigram *float64 `json:"unigram_perplexity,omitempty"`
}

// LargerClass is the baseline of two classes; nil: there is no test.
func LargerClass(t dataset.Targets, parts []dataset.Part) *Baseline {
	learned, tested := make([]int, len(t.Classes)), make([]int, len(t.Classes))
	n := 0
	for v, part := range parts {
		switch part {
		case dataset.Train:
			learned[int(t.Wanted[v])]++
		case dataset.Test:
			tested[int(t.Wanted[v])]++
			n++
		}
	}
	if n == 0 {
		return nil
	}
	larger := 0
	if learned[1] > learned[0] {
		larger = 1
	}
	return &Baseline{Larger: ref(float64(tested[larger]) / float64(n))}
}

// ValueBaseline learns from some values and is tested with others.
func ValueBaseline(learn, test dataset.Examples, vertices uint64, directed bool) *Baseline {
	mean := Mean(learn.Wanted)
	biases := biasesOf(learn, mean, vertices, directed)
	var squares, off, biasSquares, biasOff float64
	for i, p := range test.Pairs {
		x := float64(test.Wanted[i]) - mean
		squares, off = squares+x*x, off+math.Abs(x)
		x -= biases[0][p.Source] + biases[len(biases)-1][p.Target]
		biasSquares, biasOff = biasSquares+x*x, biasOff+math.Abs(x)
	}
	n := float64(len(test.Pairs))
	return &Baseline{ConstantRMSE: ref(math.Sqrt(squares / n)), ConstantMAE: ref(off / n),
		BiasesRMSE: ref(math.Sqrt(biasSquares / n)), BiasesMAE: ref(biasOff / n)}
}

// Mean is that of numbers; 0 where there are none.
func Mean(numbers []float32) float64 {
	sum := 0.0
	for _, x := range numbers {
		sum += float64(x)
	}
	return sum / float64(max(len(numbers), 1))
}

// biasesOf are how much the values at each vertex are above the mean and the other end's bias: of sources and of
// targets, or where there is no direction of both. They are computed from each other, one vertex after the other, with
// damping: Koren, ACM TKDD 4(1), 2010, section 2.1.
func biasesOf(learn dataset.Examples, mean float64, vertices uint64, directed bool) [][]float64 {
	biases := [][]float64{make([]float64, vertices)}
	if directed {
		biases = append(biases, make([]float64, vertices))
	}
	type entry struct {
		own, other uint32
		value      float64
	}
	var ends [2][]entry
	for i, p := range learn.Pairs {
		x := float64(learn.Wanted[i]) - mean
		ends[0] = append(ends[0], entry{p.Source, p.Target, x})
		ends[1] = append(ends[1], entry{p.Target, p.Source, x})
	}
	if !directed {
		ends = [2][]entry{append(ends[0], ends[1]...), nil}
	}
	for k := range ends {
		slices.SortStableFunc(ends[k], func(a, b entry) int { return int(a.own) - int(b.own) })
	}
	for range rounds {
		for k := range biases {
			other := biases[len(biases)-1-k]
			for i := 0; i < len(ends[k]); {
				first, sum := i, 0.0
				for ; i < len(ends[k]) && ends[k][i].own == ends[k][first].own; i++ {
					sum += ends[k][i].value - other[ends[k][i].other]
				}
				biases[k][ends[k][first].own] = sum / (damping + float64(i-first))
			}
		}
	}
	return biases
}

// linkBaseline scores pairs by their ends' degrees and by the neighbors that they have in common, among links that
// are learned from, whatever their direction.
func linkBaseline(learn []dataset.Pair, test []dataset.Pair, there []bool, vertices uint64) *Baseline {
	neighbors := make([][]uint32, vertices)
	for _, p := range learn {
		neighbors[p.Source] = append(neighbors[p.Source], p.Target)
		neighbors[p.Target] = append(neighbors[p.Target], p.Source)
	}
	for v := range neighbors {
		slices.Sort(neighbors[v])
		neighbors[v] = slices.Compact(neighbors[v])
	}
	degrees, common := make([]float32, len(test)), make([]float32, len(test))
	for i, p := range test {
		a, b := neighbors[p.Source], neighbors[p.Target]
		degrees[i] = float32(len(a)) * float32(len(b))
		for len(a) > 0 && len(b) > 0 {
			switch {
			case a[0] < b[0]:
				a = a[1:]
			case a[0] > b[0]:
				b = b[1:]
			default:
				common[i]++
				a, b = a[1:], b[1:]
			}
		}
	}
	byDegree, _ := ranking(degrees, there)
	byCommon, _ := ranking(common, there)
	return &Baseline{DegreesAUC: &byDegree, CommonAUC: &byCommon}
}
