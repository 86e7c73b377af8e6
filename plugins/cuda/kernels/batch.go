package kernels

import "math"

// batchChunks is the most chunks of a launch: BATCH of batch.cuh.
const batchChunks = 16

// batch is as many of the first chunks as go into one launch. Together they have no more edges than one chunk may have,
// for which Scratch has room.
func batch(chunks []*Resident) []*Resident {
	edges := uint64(0)
	for i, r := range chunks {
		if edges += r.Edges; i > 0 && (i == batchChunks || edges > math.MaxInt32) {
			return chunks[:i]
		}
	}
	return chunks
}
