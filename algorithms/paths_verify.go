package algorithms

// verify checks a result of paths of any length by what defines it: no edge improves a
// value, and every value is that of a real path: from the source, along edges u→v with
// value(v) = extend(value(u), weight), all reached vertices can be visited.
func (r pathRule) verify(g *Graph, args Args, result []Values) error {
	column, err := sole(g, result, Float)
	if err != nil {
		return err
	}
	source, err := args.start(g)
	if err != nil {
		return err
	}
	value := column.Floats
	if value[source] != r.start {
		return wrongAt(g, source, "the source has %v, not %v", value[source], r.start)
	}
	tight, err := r.trace(g, args, source, value)
	if err != nil {
		return err
	}
	for v := range value {
		if !tight[v] && value[v] != r.unreached {
			return wrongAt(g, v, "%v, but no path from the source has that value", value[v])
		}
	}
	return nil
}

// trace visits the vertices whose value a real path has, and fails at an edge that would
// improve a value.
func (r pathRule) trace(g *Graph, args Args, source int, value []float64) ([]bool, error) {
	tight := make([]bool, g.N())
	tight[source] = true
	weights := g.Out.weights(args.Strings["weight"])
	for stack := []int{source}; len(stack) > 0; {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for k := g.Out.Offsets[u]; k < g.Out.Offsets[u+1]; k++ {
			v := g.Out.Neighbors[k]
			along := r.extend(value[u], weights[k])
			if value[v] != along && !r.better(value[v], along) {
				return nil, wrongAt(g, int(v), "%v, but the path by vertex %d has %v", value[v], g.IDs[u], along)
			}
			if value[v] == along && !tight[v] {
				tight[v] = true
				stack = append(stack, int(v))
			}
		}
	}
	return tight, nil
}

// verifyWalks is verify, or a comparison with the oracle where the walks are bounded by the
// parameter iterations: no local property tells a walk of k edges from one of k+1.
func (r pathRule) verifyWalks(g *Graph, args Args, result []Values, oracle func(*Graph, Args) ([]Values, error)) error {
	if _, bounded := args.Ints["iterations"]; !bounded {
		return r.verify(g, args, result)
	}
	got, err := sole(g, result, Float)
	if err != nil {
		return err
	}
	want, err := oracle(g, args)
	if err != nil {
		return err
	}
	return matches(g, got, want[0])
}
