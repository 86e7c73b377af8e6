package algorithms

// Rows are float32 numbers that a procedure learns, or learns from, beside its columns.
type Rows struct {
	Name  string
	Width int  // numbers of a row
	Once  bool // there is one row; else there is one of each vertex
	Given bool // they are filled before the procedure begins, and it only reads them
	Kept  bool // what the procedure has come to, to go on from: see package mega/kept. It is no result.
	Room  bool // what processes share that divide its workers: zeros at first. It is no result.
}

// Count is how many numbers there are of so many vertices.
func (r Rows) Count(vertices uint64) uint64 {
	if r.Once {
		vertices = 1
	}
	return vertices * uint64(r.Width)
}
