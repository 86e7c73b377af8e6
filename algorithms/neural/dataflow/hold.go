package dataflow

// Held puts a Hold behind each edge value that is made of others, rows of its ends among them, so that nothing at edges
// is fused: what systems do that know no Fused-Gather; to measure what fusing brings. It tells for each of values what
// it has become.
func Held(values []*Value) map[*Value]*Value {
	now, next := map[*Value]*Value{}, 0
	for _, v := range values {
		next = max(next, v.ID+1)
	}
	for _, v := range values {
		made := v
		for i, a := range v.Args {
			if now[a] == a {
				continue
			}
			if made == v {
				again := *v
				again.ID, again.Args = next, append([]*Value{}, v.Args...)
				made = &again
				next++
			}
			made.Args[i] = now[a]
		}
		now[v] = made
		if v.Place == Edges && len(v.Args) > 0 {
			now[v] = &Value{ID: next, Op: Hold, Place: Edges, Width: v.Width, Args: []*Value{made}}
			next++
		}
	}
	return now
}

// Held is how many numbers a stage holds of each edge.
func (stage *Stage) Held() (numbers int) {
	for _, w := range stage.Waves {
		for _, v := range w.Edges {
			if v.Op == Hold {
				numbers += v.Width
			}
		}
	}
	return numbers
}
