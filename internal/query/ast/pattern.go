package ast

// PathPattern is a node, or nodes joined by relationships.
type PathPattern struct {
	Position
	Variable      string // of the path; empty: none
	Shortest      Shortest
	Count         int64 // of ShortestPaths, ShortestGroups
	Nodes         []NodePattern
	Relationships []RelationshipPattern // Relationships[i] joins Nodes[i] and Nodes[i+1]
}

// Shortest says which of the paths between two nodes are meant.
type Shortest uint8

const (
	AnyPath      Shortest = iota // all that match
	ShortestPath                 // shortestPath(…): one of the shortest
	AllShortest                  // allShortestPaths(…)
	// ShortestPaths is SHORTEST k: the k shortest, which repeat no relationship. ANY k is the same.
	ShortestPaths
	ShortestGroups // SHORTEST k GROUPS: all of the k least lengths that there are
)

// NodePattern is (variable:Label {key: value}).
type NodePattern struct {
	Position
	Variable   string     // empty: none
	Labels     []string   // all of them
	Is         *LabelTest // nil: nothing more
	Properties Expression // a *MapLiteral or *Parameter; nil: none
	Where      Expression // (n WHERE …); nil: none
}

// RelationshipPattern is -[variable:TYPE|OTHER*1..3 {key: value}]->.
type RelationshipPattern struct {
	Position
	Variable   string     // empty: none
	Types      []string   // any of them; none: of any type
	Is         *LabelTest // nil: nothing more
	Direction  Direction
	Length     *Length // nil: a single relationship
	Properties Expression
	Where      Expression
}

// Length is of a path of variable length, in relationships.
type Length struct {
	Min *int64 // nil: 1
	Max *int64 // nil: no limit
}

// Direction of a relationship as the pattern shows it.
type Direction uint8

const (
	Either   Direction = iota // -[]-, <-[]->
	Outgoing                  // -[]->
	Incoming                  // <-[]-
)
