package rates

import "math"

// row says that so much of each feature took so many seconds, or bytes, and how much that counts.
type row struct {
	features []float64
	took     float64
	weight   float64
}

// fit finds what one of each feature takes, nothing less than 0: least squares of the relative errors, by coordinate
// descent, which for so few features is exact soon enough.
func fit(rows []row, features int) []float64 {
	normal, right := make([][]float64, features), make([]float64, features)
	for i := range normal {
		normal[i] = make([]float64, features)
		for _, r := range rows {
			for j := range normal[i] {
				normal[i][j] += r.weight * r.features[i] * r.features[j] / (r.took * r.took)
			}
			right[i] += r.weight * r.features[i] / r.took
		}
	}
	costs := make([]float64, features)
	for range sweeps {
		moved := 0.0
		for i := range costs {
			if normal[i][i] == 0 {
				continue
			}
			rest := right[i]
			for j, cost := range costs {
				rest -= normal[i][j] * cost
			}
			next := max(0, costs[i]+rest/normal[i][i])
			moved = max(moved, math.Abs(next-costs[i])*math.Sqrt(normal[i][i]))
			costs[i] = next
		}
		if moved < 1e-6*math.Sqrt(weights(rows)) {
			break
		}
	}
	return costs
}

// sweeps bounds a fit of features that go together.
const sweeps = 2000

func weights(rows []row) (sum float64) {
	for _, r := range rows {
		sum += r.weight
	}
	return sum
}
