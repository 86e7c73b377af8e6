package mf

// Biases are the baseline that factors have to beat: r ≈ μ + b_u + c_v, each bias in turn the sum of what the
// others leave over the number of ratings plus damping, until nothing much changes.
func Biases(r Ratings, damping float64) (*Model, error) {
	if err := r.Check("biases"); err != nil {
		return nil, err
	}
	m := newModel(r, 0)
	for range 50 {
		settle(m.UserBias, r, damping, func(a Rating) (uint32, float64) { return a.User, m.ItemBias[a.Item] })
		settle(m.ItemBias, r, damping, func(a Rating) (uint32, float64) { return a.Item, m.UserBias[a.User] })
	}
	return m, nil
}

// settle finds the biases of one side. of tells whose bias a rating bears on, and the bias of the other.
func settle(biases []float64, r Ratings, damping float64, of func(Rating) (uint32, float64)) {
	mean := r.Mean()
	count := make([]float64, len(biases))
	clear(biases)
	for _, a := range r.All {
		i, other := of(a)
		biases[i] += float64(a.Value) - mean - other
		count[i]++
	}
	for i := range biases {
		if count[i] > 0 {
			biases[i] /= count[i] + damping
		}
	}
}
