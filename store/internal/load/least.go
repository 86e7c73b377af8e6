package load

import (
	"fmt"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/sorting"
)

// What a vertex takes beside its id and degrees: while the order is made and ids are
// written, and from then on.
const orderingBytes, orderedBytes = 40, 16

// withBatch is the smallest Memory that leaves so much beside a batch.
func withBatch(rest int64) int64 {
	share := (rest + memoryPerBatch - 2) / (memoryPerBatch - 1)
	return rest + min(max(share, LeastBatch), mostBatch)
}

// leastBeside is the smallest Memory for so many vertices with these tables, whose lists
// and columns take so much while they are built.
func leastBeside(tables, vertices, building int64) int64 {
	return withBatch(LoadBuffers + tables + max(orderingBytes*vertices, orderedBytes*vertices+building))
}

// checkDeclared refuses a graph whose vertices, of which a header tells the number, take
// more than there is, before any of them is made. It returns how many are declared; 0: the header does not say.
func checkDeclared(
	schema formats.Schema, b budget, directed bool, chunkBytes int, edges *edgeSpool,
) (vertices int64, err error) {
	n := schema.Vertices
	if schema.Declared == (formats.Position{}) || n <= 0 {
		return 0, nil
	}
	if n > manifest.MaxVertices {
		return 0, &formats.ParseError{
			Position: schema.Declared, Found: fmt.Sprintf("%d vertices", n),
			Expected: fmt.Sprintf("at most %d in one graph", int64(manifest.MaxVertices)),
		}
	}
	const id, degree = 8, 6 // as in vertices.bytes
	tables := (id + degree) * n
	if directed {
		tables += degree * n
	}
	if short := b.short(leastBeside(tables, n, leastForLists(edges, chunkBytes, n, 0, 0))); short != nil {
		short.What, short.Where, short.Partial = fmt.Sprintf("a graph of %d vertices", n), schema.Declared, true
		return 0, short
	}
	return n, nil
}

// leastForLists is what building lists of so many numbers and entries takes when the
// entries of one chunk at a time are in memory, of the largest that there may be.
func leastForLists(edges *edgeSpool, chunkBytes int, numbers, entries, longest int64) int64 {
	each := edges.entryBytes(chunk.Out)
	body := min(max(int64(chunkBytes), longest*each+8), entries*each+4*numbers)
	if edges.form().bare() {
		return sorting.WithFiles(8*body + 4*numbers) // see lists.making; and twice on its way to Badger
	}
	return 2 * sorting.WithFiles(body/each*edges.sortBytes()+4*body) // both directions at once
}

// leastForRows is what putting node properties in order takes, a block at a time.
func leastForRows(r *nodeRows) int64 {
	if r == nil {
		return 0
	}
	rows := min(manifest.BlockRows, r.rows)
	if r.form.exact {
		return sorting.WithFiles(rows * 3 * r.sortBytes())
	}
	return sorting.WithFiles(rows * (r.sortBytes() + textCopies*r.recordBytes()))
}

// leastForIDs is what storing string ids takes, a block at a time, of the longest that
// there may be.
func leastForIDs(ids *idTable) int64 {
	block := int64(min(manifest.BlockRows, len(ids.texts)))
	return textCopies * max(0, min(ids.text, block*int64(ids.longest))-textFree)
}
