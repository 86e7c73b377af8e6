// Package chunk is the Arrow CSR chunk: the one form in which the store keeps
// topology, a scheduler cuts it, and a device receives it.
//
//	slices ──FromCSR──▶ Chunk ──EncodeTo──▶ bytes in the store or an arena ──Open──▶ Chunk ──Offsets, Neighbors, Column──▶ kernels
//	                      └───Project──▶ the same with fewer edge columns
//
// A chunk holds the adjacency lists of a vertex interval: an Arrow record batch of one
// row for each vertex present,
//
//	vertex  uint32                                  left out when every vertex is present
//	edges   list<struct<neighbor uint32, weight …>>  the list's offsets are the CSR offsets
//
// Encoded, it is an Arrow IPC stream that any Arrow reader opens, little-endian, whose
// buffers all start at multiples of 64 bytes so that Open copies nothing. Behind the
// stream's end stands a trailer that vouches for the header; the header holds the
// checksum of every buffer. Thus a flipped bit anywhere is found by Open or Verify.
//
// The graph 0→1 (0.5), 0→2 (2), 1→2 (1), 3→0 (0.25), with its edge column "weight", is
// these bytes; what is not shown is the rest of the two messages and zero padding:
//
//	   0  ff ff ff ff e0 01 00 00                            a message of 480 bytes: schema and metadata
//	 488  ff ff ff ff 10 01 00 00                            a message of 272 bytes: record batch, where each buffer lies
//	 768  00 00 00 00 02 00 00 00 03 00 00 00 03 00 00 00    offsets 0 2 3 3 …
//	 784  04 00 00 00                                        … 4: vertex 2 has no edges, vertex 3 has one
//	 832  01 00 00 00 02 00 00 00 02 00 00 00 00 00 00 00    neighbor 1 2 | 2 | | 0
//	 896  00 00 00 00 00 00 e0 3f 00 00 00 00 00 00 00 40    weight 0.5 2 …
//	 912  00 00 00 00 00 00 f0 3f 00 00 00 00 00 00 d0 3f    … 1 | 0.25
//	 960  ff ff ff ff 00 00 00 00                            the end of the Arrow stream
//	 968  50 45 4e 53 54 4f 43 4b                            trailer: "PENSTOCK"
//	 976  03 00 00 00 00 03 00 00 00 04 00 00 00 00 00 00    version 3, header of 768 bytes, 1024 bytes in all
//	 992  5d 39 96 b7 02 8d 15 0b                            xxhash64 of the header
//	1016  ab f7 8f 72 a0 29 65 f2                            xxhash64 of the trailer's 48 bytes before
//
// Read on in chunk.go (what a Chunk is); internal/encoding (the bytes: layout.go has the order of
// the buffers, messages.go and readschema.go Arrow's messages, trailer.go the end); internal/check
// (what Validate checks); and package cut, which takes lists out of chunks and joins them.
package chunk
