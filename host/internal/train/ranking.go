package train

import (
	"cmp"
	"slices"
)

// ranking says how well scores tell what is there from what is not: the area under the receiver operating
// characteristic, which is the share of pairs of both in which the former scores higher (of equal ones, half), and the
// average precision, over the places of what is there when all are sorted by score. Equal scores are one place,
// as are those that are not numbers, which come last.
func ranking(scores []float32, there []bool) (area, precision float64) {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	yes := 0
	for _, is := range there {
		if is {
			yes++
		}
	}
	no := len(scores) - yes
	if yes == 0 || no == 0 {
		return 0, 0
	}
	hits, misses := 0, 0 // so far
	for i := 0; i < len(order); {
		first, had := i, hits
		for i < len(order) && cmp.Compare(scores[order[i]], scores[order[first]]) == 0 {
			if there[order[i]] {
				hits++
			}
			i++
		}
		found := hits - had
		missed := i - first - found
		area += float64(found) * (float64(no-misses-missed) + float64(missed)/2)
		precision += float64(found) * float64(hits) / float64(i)
		misses += missed
	}
	return area / float64(yes) / float64(no), precision / float64(yes)
}
