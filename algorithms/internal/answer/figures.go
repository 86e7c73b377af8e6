package answer

import "github.com/penstock-db/penstock/algorithms"

// Pairs counts the pairs of a result.
func Pairs(result []algorithms.Values) []algorithms.Figure {
	count := int64(0)
	for _, id := range result[0].Ints {
		if id != algorithms.Unreached {
			count++
		}
	}
	return []algorithms.Figure{{Name: "pairs", Value: count}}
}

// Distinct counts the different values.
func Distinct(values []int64) int64 {
	seen := map[int64]struct{}{}
	for _, x := range values {
		seen[x] = struct{}{}
	}
	return int64(len(seen))
}
