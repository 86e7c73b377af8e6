package value

// NodeContent is all of a node.
type NodeContent struct {
	ID         uint64
	Labels     []string // ascending
	Properties []Entry  // by ascending key
}

// RelationshipContent is all of a relationship.
type RelationshipContent struct {
	ID, Start, End uint64
	Type           string
	Properties     []Entry // by ascending key
}

// PathContent is a walk: Nodes[i] and Nodes[i+1] are the ends of Relationships[i], in either
// direction. There is one node more than relationships.
type PathContent struct {
	Nodes         []Value
	Relationships []Value
}
