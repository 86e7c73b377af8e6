package host

import "context"

// countLinked tells devices that are not the built-in one how many vertices have an edge, by which those that compute with
// matrices go. It takes 5 bytes a vertex meanwhile.
func (r *run) countLinked(ctx context.Context) error {
	if len(r.devices) > 1 || r.devices[0].spec.BuiltIn() {
		return nil
	}
	n := r.snap.Manifest().Vertices
	degrees, linked := make([]uint32, n), make([]bool, n)
	for _, d := range r.directions() {
		if err := r.snap.Degrees(ctx, d, degrees); err != nil {
			return err
		}
		for v, degree := range degrees {
			linked[v] = linked[v] || degree > 0
		}
	}
	for _, yes := range linked {
		if yes {
			r.devices[0].linked++
		}
	}
	return nil
}
