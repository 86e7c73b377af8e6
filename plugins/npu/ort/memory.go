package ort

import "errors"

// Memory is pages outside Go's heap, to bind: zero at first, aligned for any processor, and given
// back at once by Close.
type Memory struct{ bytes []byte }

// Allocate gives memory of a size, in which nothing is resident until it is written to.
func Allocate(size uint64) (*Memory, error) {
	if size == 0 {
		return &Memory{}, nil
	}
	if size > 1<<47 {
		return nil, errors.New("no machine has so much memory")
	}
	bytes, err := allocate(int(size))
	return &Memory{bytes}, err
}

// Bytes are the memory, until Close.
func (m *Memory) Bytes() []byte { return m.bytes }

// Close gives the memory back. Bindings to it must have been closed before.
func (m *Memory) Close() error {
	if m.bytes == nil {
		return nil
	}
	bytes := m.bytes
	m.bytes = nil
	return free(bytes)
}
