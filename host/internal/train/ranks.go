package train

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/penstock-db/penstock/host/internal/dataset"
)

// RecallAt is how long a list is of which recall is told.
const RecallAt = 10

// Ranks is where a model has what users are known to prefer and it was not told of.
type Ranks struct {
	Users      int     // of which that is
	Percentile float64 // the expected percentile rank: see RankHeld
	Recall     float64 // the mean, over users, of the share of what they have that is among the first RecallAt
}

// RankHeld ranks, for each user who has something in a part of the examples, all items but those that the user has in
// other parts, by scores. An item that a user has is at percentile 0 where none is before it, at 1 where all are; equal
// scores share the places. The mean of that over what users have, each as often as its value says, is the expected
// percentile rank (Hu, Koren, Volinsky, ICDM 2008, equation 8); 0.5 is what chance has. Of more users than most, as
// many are taken, evenly. score fills the scores of a user with all items, which ascend; so many threads call it, 0
// being as many as there are processors, each of which holds one score of each item. Without any user it is nil.
//
// Errors: why ctx ended.
func RankHeld(ctx context.Context, e dataset.Examples, part dataset.Part, items []uint32, most, threads int,
	score func(user uint32, to []float32)) (*Ranks, error) {
	users := usersOf(e, part)
	if len(users) == 0 {
		return nil, nil
	}
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	step := (len(users) + most - 1) / most
	all := make([]ranked, (len(users)+step-1)/step)
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(threads, len(all)) {
		group.Go(func() {
			scores := make([]float32, len(items))
			for i := int(next.Add(1)) - 1; i < len(all) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				u := users[i*step]
				score(e.Pairs[u.from].Source, scores)
				all[i] = u.rank(e, part, items, scores)
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r, sum, weight := Ranks{Users: len(all)}, 0.0, 0.0
	for _, u := range all {
		sum, weight = sum+u.percentiles, weight+u.weight
		r.Recall += u.recall / float64(len(all))
	}
	r.Percentile = sum / weight
	return &r, nil
}

// span is the examples of a user, which are sorted.
type span struct{ from, to int }

// usersOf are those that have something in a part.
func usersOf(e dataset.Examples, part dataset.Part) (users []span) {
	for from := 0; from < len(e.Pairs); {
		to, has := from, false
		for to < len(e.Pairs) && e.Pairs[to].Source == e.Pairs[from].Source {
			has = has || e.Parts[to] == part && e.Wanted[to] > 0
			to++
		}
		if has {
			users = append(users, span{from, to})
		}
		from = to
	}
	return users
}

// ranked is where what a user has was ranked: the sum of percentiles by their weights, these, and the share of it that
// is among the first.
type ranked struct{ percentiles, weight, recall float64 }

func (u span) rank(e dataset.Examples, part dataset.Part, items []uint32, scores []float32) (r ranked) {
	known, own := map[uint32]bool{}, map[uint32]float64{} // edges between the same two are in one part
	for i := u.from; i < u.to; i++ {
		if item := e.Pairs[i].Target; e.Parts[i] != part {
			known[item] = true
		} else if e.Wanted[i] > 0 {
			own[item] += float64(e.Wanted[i])
		}
	}
	many := len(own)
	var levels []float32 // scores of what the user has
	for item := range own {
		at, _ := slices.BinarySearch(items, item)
		levels = append(levels, scores[at])
	}
	slices.Sort(levels)
	levels = slices.Compact(levels)
	// by level, how many candidates have just that score, and how many one between it and the level below
	same, below, candidates := make([]int, len(levels)), make([]int, len(levels)+1), 0
	for i, item := range items {
		if known[item] {
			continue
		}
		candidates++
		if at, is := slices.BinarySearch(levels, scores[i]); is {
			same[at]++
		} else {
			below[at]++
		}
	}
	above := below[len(levels)]
	places := make([]ranked, len(levels)) // of one item of weight 1
	for at := len(levels) - 1; at >= 0; at-- {
		places[at].percentiles = (float64(above) + float64(same[at]-1)/2) / float64(max(candidates-1, 1))
		places[at].recall = min(max(float64(RecallAt-above)/float64(same[at]), 0), 1)
		above += same[at] + below[at]
	}
	for i := u.from; i < u.to; i++ {
		item := e.Pairs[i].Target
		weight, has := own[item]
		if !has {
			continue
		}
		delete(own, item)
		at, _ := slices.BinarySearch(items, item)
		at, _ = slices.BinarySearch(levels, scores[at])
		r.percentiles += weight * places[at].percentiles
		r.weight += weight
		r.recall += places[at].recall
	}
	r.recall /= float64(many)
	return r
}
