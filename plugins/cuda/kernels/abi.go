package kernels

import "github.com/penstock-db/penstock/plugins/cuda/driver"

// How many columns the structures of abi.cuh have room for.
const (
	MaxColumns     = 64
	MaxEdgeColumns = 16
)

// Where vertex columns stand in Program.Columns; state column i is ColumnState+i, and properties follow the state.
const (
	ColumnID = iota
	ColumnOutDegree
	ColumnInDegree
	ColumnState
)

// Counters is abi.cuh's.
type Counters struct {
	Active  uint64
	Edges   uint64
	Change  float64
	Invalid uint64
}

// Program is abi.cuh's: a vertex program and its state, as it lies on the card.
type Program struct {
	Vertices                        uint64
	Reduce, AccType, Activity, Norm uint64
	FirstType                       uint64
	Constants, Aggregates           driver.Pointer
	Acc                             driver.Pointer
	Active, NextActive              driver.Pointer
	Counters                        driver.Pointer
	Columns                         [MaxColumns]driver.Pointer
	Messages                        driver.Pointer
}

// Chunk is abi.cuh's: a CSR as it lies on the card.
type Chunk struct {
	Rows, Edges                  uint64
	RowsBase, ColsBase           uint64
	Vertices, Offsets, Neighbors driver.Pointer
	Columns                      [MaxEdgeColumns]driver.Pointer
}
