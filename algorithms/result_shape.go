package algorithms

// Shape is what a result is of, and so what a row is wherever one is given out.
type Shape uint8

const (
	// OfVertices: a row is what a vertex has.
	OfVertices Shape = iota
	// OfGroups: a row is what a group of vertices has. Vertices with the same value in the last column, which is of type
	// Int, have the same in all others (see Groups).
	OfGroups
	// OfPairs: a row is two vertices and their score. The last two columns are of type VertexID, the other vertex of each
	// pair, and Float, the scores. Where each vertex has pairs, there are no others, and both have the same Width; what
	// lists lack is Unreached and NaN, at their ends. In a table a column of type VertexID comes before them.
	OfPairs
	// OfPaths: a row is a path. Where each vertex has paths, as random walks are, there is one column, with Steps. In a
	// table there are two: of type VertexID, the vertices on each path one after the other, with Unreached behind its
	// last; and Float, what the path costs from its first vertex to this one.
	OfPaths
	// OfRows: a row is one of a table of any columns. The first is of type VertexID or Int, with one value a row; the
	// first that is Unreached there ends the table, and what is behind it means nothing.
	OfRows
)
