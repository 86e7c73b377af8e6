package plan

// Token is a label, relationship type or property key within a graph.
type Token = uint32

// Statistics is what planning asks of the graph.
type Statistics interface {
	Label(name string) (Token, bool)
	Type(name string) (Token, bool)
	NodeCount() uint64
	RelationshipCount() uint64
	LabelCount(label Token) uint64
	TypeCount(typ Token) uint64
}
