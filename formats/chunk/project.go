package chunk

import (
	"github.com/penstock-db/penstock/formats/chunk/internal/check"
	"github.com/penstock-db/penstock/formats/chunk/internal/encoding"
)

// Project is a view of c with only these edge columns, in this order; with none, the
// bare topology. It copies nothing, and the caller releases it as well as c. A name
// that c lacks is a *ColumnError.
func (c *Chunk) Project(columns ...string) (*Chunk, error) {
	chosen := make([]encoding.Column, len(columns))
	for i, name := range columns {
		at := c.find(name)
		if at < 0 {
			return nil, &ColumnError{Column: name, Have: c.columnNames()}
		}
		chosen[i] = c.columns[at]
	}
	if name, twice := repeated(columns); twice {
		return nil, check.Invalid("column "+name, "named twice")
	}
	return assemble(c.head, c.topology, chosen), nil
}

func (c *Chunk) columnNames() []string {
	names := make([]string, len(c.columns))
	for i, col := range c.columns {
		names[i] = col.Field.Name
	}
	return names
}

// repeated is the first name that occurs a second time.
func repeated(names []string) (string, bool) {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[name] {
			return name, true
		}
		seen[name] = true
	}
	return "", false
}
