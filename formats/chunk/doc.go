// Package chunk is the Arrow CSR chunk: the one form in which the store keeps
// topology, a scheduler cuts it, and a device receives it.
//
//	slices ──FromCSR──▶ Chunk ──EncodeTo──▶ bytes (store, arena) ──Open──▶ Chunk ──Offsets, Neighbors, Column──▶ kernels
//	                      └──Project──▶ the same with fewer edge columns
package chunk
