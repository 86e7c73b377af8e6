package algorithms

import (
	"fmt"
)

// VerifyError is a result that is not what its algorithm defines, at one vertex.
type VerifyError struct {
	Vertex  int   // position in the graph; -1 when the result as a whole is wrong
	ID      int64 // the vertex's id
	Message string
}

func (e *VerifyError) Error() string {
	if e.Vertex < 0 {
		return "wrong result: " + e.Message
	}
	return fmt.Sprintf("wrong result at vertex %d: %s", e.ID, e.Message)
}
