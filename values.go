package penstock

import "time"

// Node is a node of a graph, as a statement returned it.
type Node struct {
	ID         uint64
	Labels     []string // ascending
	Properties map[string]any
}

// Relationship is an edge of a graph, as a statement returned it.
type Relationship struct {
	ID, Start, End uint64 // its own and its nodes'
	Type           string
	Properties     map[string]any
}

// Path is a walk: Nodes[i] and Nodes[i+1] are the ends of Relationships[i], in either direction.
type Path struct {
	Nodes         []Node
	Relationships []Relationship
}

// Point is a point in a coordinate system.
type Point struct {
	SRID    int32 // 4326, 4979 (WGS 84: longitude, latitude, height), 7203, 9157 (Cartesian)
	X, Y, Z float64
}

// Date is a day: of the time, what it shows in its own zone.
type Date time.Time

// LocalDateTime is a date and a time of day without a zone: of the time, what it shows in its own zone.
type LocalDateTime time.Time

// LocalTime is a time of day without a zone, since midnight: from 0 to less than 24 hours.
type LocalTime time.Duration

// OffsetTime is a time of day in a zone.
type OffsetTime struct {
	Time   LocalTime
	Offset int // seconds east of UTC, at most 18 hours
}

// Duration is a span of time. Its parts are kept apart: how long a month or a day is depends on when.
type Duration struct {
	Months, Days, Seconds int64
	Nanos                 int // 0 to 999,999,999, also where Seconds is negative
}
