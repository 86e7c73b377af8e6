package rates

import "math"

// row says that so much of each feature took so many seconds, or bytes, and how much that counts.
type row struct {
	features []float64
	took     float64
	weight   float64
}

// fit finds what one of each feature takes, nothing less than 0, by least squares of the relative errors.
func fit(rows []row, features int) []float64 {
	normal, right, scale := make([][]float64, features), make([]float64, features), make([]float64, features)
	for i := range normal {
		normal[i] = make([]float64, features)
		for _, r := range rows {
			x := r.weight * r.features[i] / r.took
			for j := range normal[i] {
				normal[i][j] += x * r.features[j] / r.took
			}
			right[i] += x
		}
		scale[i] = 1
		if normal[i][i] > 0 {
			scale[i] = 1 / math.Sqrt(normal[i][i])
		}
	}
	for i := range normal {
		for j := range normal[i] {
			normal[i][j] *= scale[i] * scale[j]
		}
		normal[i][i] += tiny
		right[i] *= scale[i]
	}
	costs := nonNegative(normal, right)
	for i := range costs {
		costs[i] *= scale[i]
	}
	return costs
}

// tiny keeps features that go together, or are never there, from making equations without a solution. Those are scaled
// to 1.
const tiny = 1e-9
