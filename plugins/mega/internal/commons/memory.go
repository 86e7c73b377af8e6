// Package commons has what workers of a MEGA run have in common, in memory of one process or of several: the memory,
// monitors that guard it, and a barrier.
package commons

import "unsafe"

// Memory is this process's own, or a room that several processes map. Each of these takes the same parts in the same
// order.
type Memory struct {
	Room []byte // zeros; nil: memory is this process's own
	Used int    // bytes of it that have been taken, or would have been if there were so many
}

// Take takes n values, which are 0.
func Take[T any](m *Memory, n int) []T {
	if m.Room == nil || n == 0 {
		return make([]T, n)
	}
	const line = 64 // of the processor's cache
	at := (m.Used + line - 1) / line * line
	if m.Used = at + n*int(unsafe.Sizeof(*new(T))); m.Small() {
		return make([]T, n)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&m.Room[at])), n)
}

// Small says whether the room is too small: what has been taken is not shared then.
func (m *Memory) Small() bool { return m.Room != nil && m.Used > len(m.Room) }
