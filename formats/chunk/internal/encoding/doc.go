// Package encoding is the bytes of a chunk: an Arrow IPC stream of one record batch, its trailer and its checksums.
//
//	NewRecord ──LayoutOf──▶ Layout ──Write──▶ bytes ──ReadHeader──▶ Header ──OpenBody──▶ Body ──Topology, Columns──▶ slices and arrays
//
// It knows the shape of a chunk's record (vertex, and edges with their columns), not what the schema's metadata means:
// package chunk writes and reads the values of its keys.
//
// Read on in layout.go (the order of buffers), messages.go and readschema.go (Arrow's messages, written and read),
// readbody.go, trailer.go.
package encoding

// Version is the format that is written; every version up to it is read. chunk.Version says what each has brought.
const Version = 3
