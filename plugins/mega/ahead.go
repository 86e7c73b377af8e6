package mega

import "unsafe"

// How many left vertices ahead a worker has memory fetched, where these come in a random order: what lies there is then
// at hand, for which each vertex would have to wait several times. Offsets come first, since they say what else.
const (
	offsetsAhead = 6
	edgesAhead   = 2
)

// fetch has what vertices need that come behind the k-th.
func (w *worker[U, V, E]) fetch(lefts []int, k int) {
	if k+offsetsAhead < len(lefts) {
		prefetch(unsafe.Pointer(&w.part.offsets[lefts[k+offsetsAhead]]), 2*unsafe.Sizeof(int64(0)))
	}
	if k+edgesAhead >= len(lefts) {
		return
	}
	u := lefts[k+edgesAhead]
	from, end := w.part.offsets[u], w.part.offsets[u+1]
	targets, edges, row := w.part.targets[from:end], w.part.edges[from:end], w.row(u)
	prefetch(unsafe.Pointer(unsafe.SliceData(targets)), sizeOf(targets))
	prefetch(unsafe.Pointer(unsafe.SliceData(edges)), sizeOf(edges))
	prefetch(unsafe.Pointer(unsafe.SliceData(row)), sizeOf(row))
}

// sizeOf is what values take; of very many the first do, the processor goes on by itself.
func sizeOf[T any](values []T) uintptr {
	const most = 4096
	return min(most, uintptr(len(values))*unsafe.Sizeof(*new(T)))
}
