package chunk

import "github.com/penstock-db/penstock/formats/chunk/internal/check"

// Validate checks what every reader relies on, in one pass over the chunk: offsets
// never fall, neighbors are within Meta().Cols, vertices ascend within Meta().Rows,
// degrees are as stated, lists and strings of edge columns lie inside their values.
// What is not so is an *InvalidError.
func (c *Chunk) Validate() error {
	for _, part := range c.Checks() {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// checkBlock is how many neighbors a check looks at: enough to be worth a task.
const checkBlock = 1 << 18

// Checks are the parts of Validate, which may run at once, for readers with several
// processors. Of several errors the first is Validate's.
func (c *Chunk) Checks() []func() error {
	checks := []func() error{c.checkStats}
	neighbors := c.topology.Neighbors
	for from := 0; from < len(neighbors); from += checkBlock {
		block := neighbors[from:min(from+checkBlock, len(neighbors))]
		checks = append(checks, func() error { return check.Neighbors(block, from, c.meta.Cols.Count) })
	}
	checks = append(checks, func() error { return check.Vertices(c.topology.Vertices, c.meta.Rows.Count) })
	for _, col := range c.columns {
		checks = append(checks, func() error { return check.Array("column "+col.Field.Name, col.Array.Data()) })
	}
	return checks
}

func (c *Chunk) checkStats() error {
	stats, err := newStats(c.topology)
	if err == nil && stats != c.stats {
		err = check.Invalid("offsets", "counts are %+v; the header says %+v", stats, c.stats)
	}
	return err
}
