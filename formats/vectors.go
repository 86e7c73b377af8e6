package formats

// Vectors is a matrix beside a graph: a row for each node, which becomes a property.
type Vectors struct {
	Property string
	File     string // .npy, as NumPy writes it
	IDs      string // .npy of integer ids, one for each row; empty: rows are in the order of the nodes
}
