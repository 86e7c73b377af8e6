package host

import "context"

// linkedVertices is how many vertices have an edge, by which devices go that compute with matrices. It is counted once while a
// graph stays as it is.
func (r *run) linkedVertices(ctx context.Context) (uint64, error) {
	if r.engine == nil {
		return r.countLinked(ctx)
	}
	m := r.snap.Manifest()
	key := linkedKey{m.Graph, m.Topology()}
	r.engine.mu.Lock()
	n, known := r.engine.linked[key]
	r.engine.mu.Unlock()
	if known {
		return n, nil
	}
	n, err := r.countLinked(ctx)
	if err == nil {
		r.engine.mu.Lock()
		defer r.engine.mu.Unlock()
		if len(r.engine.linked) >= mostLinked || r.engine.linked == nil {
			r.engine.linked = map[linkedKey]uint64{}
		}
		r.engine.linked[key] = n
	}
	return n, err
}

// linkedKey names the edges of a graph at one time.
type linkedKey struct {
	graph      string
	generation uint64
}

// mostLinked is how many counts an engine keeps.
const mostLinked = 1000

// countLinked takes 5 bytes a vertex meanwhile.
func (r *run) countLinked(ctx context.Context) (count uint64, err error) {
	n := r.snap.Manifest().Vertices
	degrees, linked := make([]uint32, n), make([]bool, n)
	for _, d := range r.directions() {
		if err := r.snap.Degrees(ctx, d, degrees); err != nil {
			return 0, err
		}
		for v, degree := range degrees {
			if degree > 0 && !linked[v] {
				linked[v] = true
				count++
			}
		}
	}
	return count, nil
}

// tellLinked has the device know that count, unless it is the built-in one, which goes by edges.
func (r *run) tellLinked(ctx context.Context) (err error) {
	if len(r.devices) == 1 && !r.devices[0].spec.BuiltIn() {
		r.devices[0].linked, err = r.linkedVertices(ctx)
	}
	return err
}
