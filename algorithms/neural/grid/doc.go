// Package grid is how a host and a device compute a neural network of which neither edges nor rows fit the device: the
// streaming of NeuGraph (Ma et al., ATC 2019, section 3.2). A host and a device that make the same Stages of a schedule
// agree on what comes and goes.
//
//	         the host                                 the device
//	rows of all vertices ──interval──▶ region ──▶ Rows of a wave ──▶ what is stored ──▶ rows of all vertices
//	edges, cut into cells ──cell──▶ region ──▶ Gathers of a wave, added to those of the cells before
//	rows of far ends ────────┘
//
// # Stages by intervals
//
// 1. A stage goes over all vertices, interval by interval. The rows of an interval come, and what the stage stores of
// them goes. Within a stage no interval waits for another.
//
// 2. A wave looks at the edges of the interval. They come in cells: some of the vertices at the far ends, in ascending
// order, their edges to the interval, and of their rows what the wave reads. A vertex without such an edge need not be
// in any cell. What a gather has added up stays on the device until the last cell has come (column order).
//
// 3. Then the rows of the wave are computed, and the next wave begins. What it needs of the one before stays (Kept),
// but for what is as easily made again (dropouts of features).
//
// 4. Edges of a row come in ascending order of their far ends, as they lie where all of them are at hand. So gathers
// have the same bits in both. Rows are added up in sections, in their order, and an interval is some sections: so have
// sums over rows. Only what edges add up into a parameter comes in another order.
package grid
