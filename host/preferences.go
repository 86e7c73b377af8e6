package host

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/train"
	"github.com/penstock-db/penstock/plugins/mega/als"
	"github.com/penstock-db/penstock/store"
)

// ImplicitName is the name of the architecture, and of the procedure, of als that learns from implicit feedback.
const ImplicitName = "als-implicit"

// observations are how often edges say that something was observed; without a label, each edge is once.
func observations(ctx context.Context, snap *store.Snapshot, label string) (e dataset.Examples, err error) {
	if label != "" {
		if e, err = dataset.ReadValues(ctx, snap, label); err == nil {
			err = e.CheckCounts(ctx, snap, label)
		}
		return e, err
	}
	if e, err = dataset.ReadLinks(ctx, snap); err != nil {
		return e, err
	}
	e.Wanted = make([]float32, len(e.Pairs))
	for i := range e.Wanted {
		e.Wanted[i] = 1
	}
	return e, nil
}

// preferences is als of implicit feedback as a device has it: of each vertex its factors. The loss is the objective
// over the number of pairs that are learned from. What is kept are rows, what each mirror has, and sums of both sides.
func (r FactorizeRequest) preferences(s dataset.Shares, pairs, vertices int) learner {
	workers, l2 := max(r.Workers, 1), r.L2
	if l2 == AdaptiveL2 { // of what is 0 or 1
		l2 = als.Penalty
	}
	return learner{name: ImplicitName, column: r.Label, whole: "equations of a vertex are gathered from all of its edges",
		rows:   []algorithms.Rows{{Name: "factors", Width: r.Rank}, {Name: "end", Width: 1, Once: true}},
		floats: map[string]float64{"l2": l2, "alpha": r.Alpha, "tolerance": r.Tolerance},
		ints:   map[string]int64{"rank": int64(r.Rank)}, n: float64(pairs), learned: s[0],
		state: 8*vertices*(r.Rank+5+2*workers) + 32*r.Rank*(r.Rank+1)*(1+2*workers)}
}

// preferred are scores of pairs that are preferred, but for ranks: the loss is half of the mean of (1 − said)².
func preferred(said []float32) *trained.Scores {
	sum := 0.0
	for _, x := range said {
		sum += (1 - float64(x)) * (1 - float64(x))
	}
	return &trained.Scores{Edges: len(said), Loss: sum / 2 / float64(len(said))}
}

// rankedWork is of how many numbers products are added up in ranking a part, about; of at least rankedUsers users.
const (
	rankedWork  = 1 << 34
	rankedUsers = 100
)

// rank says of users for validation and test where what they prefer is in the list of all that they may, and how who
// ranks by popularity alone does in the test.
func (r FactorizeRequest) rank(ctx context.Context, snap *store.Snapshot, e dataset.Examples, vectors []float32,
	scores map[dataset.Part]*trained.Scores) (*Baseline, error) {
	items, err := candidatesOf(ctx, snap)
	if err != nil {
		return nil, err
	}
	most := max(rankedWork/(len(items)*r.Rank), rankedUsers)
	for _, part := range []dataset.Part{dataset.Validation, dataset.Test} {
		ranks, err := train.RankHeld(ctx, e, part, items, most, r.Threads, func(user uint32, to []float32) {
			row := vectors[int(user)*r.Rank:][:r.Rank]
			for i, item := range items {
				other, sum := vectors[int(item)*r.Rank:][:len(row)], float32(0)
				for k, x := range row {
					sum += x * other[k]
				}
				to[i] = sum
			}
		})
		if err != nil {
			return nil, err
		}
		if s := scores[part]; ranks != nil && s != nil {
			s.Percentile, s.Recall, s.Ranked = &ranks.Percentile, &ranks.Recall, ranks.Users
		}
	}
	times := make([]float32, snap.Manifest().Vertices)
	for i, p := range e.Pairs {
		if e.Parts[i] == dataset.Train {
			times[p.Target] += e.Wanted[i]
		}
	}
	popular, err := train.RankHeld(ctx, e, dataset.Test, items, most, r.Threads, func(_ uint32, to []float32) {
		for i, item := range items {
			to[i] = times[item]
		}
	})
	if popular == nil || err != nil {
		return nil, err
	}
	return &Baseline{PopularPercentile: &popular.Percentile, PopularRecall: &popular.Recall}, nil
}
