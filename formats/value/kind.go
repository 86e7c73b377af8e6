package value

// kindNames are as messages have them; Neo4j's users know them.
var kindNames = [...]string{
	Null: "Null", Bool: "Boolean", Int: "Integer", Float: "Float", String: "String", List: "List", Map: "Map",
	Node: "Node", Relationship: "Relationship", Path: "Path", Date: "Date", LocalTime: "LocalTime", Time: "Time",
	LocalDateTime: "LocalDateTime", DateTime: "DateTime", Duration: "Duration", Point: "Point",
}

func (k Kind) String() string { return kindNames[k] }
