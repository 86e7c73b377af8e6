package packstream

// Markers of values. Of the tiny ones the low four bits are the length.
const (
	null  = 0xC0
	float = 0xC1
	no    = 0xC2
	yes   = 0xC3

	int8bits  = 0xC8
	int16bits = 0xC9
	int32bits = 0xCA
	int64bits = 0xCB

	tinyString = 0x80
	tinyList   = 0x90
	tinyMap    = 0xA0
	tinyStruct = 0xB0

	// Longer ones: the marker for a length of one byte, of two and of four follow each other.
	bytes8  = 0xCC
	string8 = 0xD0
	list8   = 0xD4
	map8    = 0xD8
)

// Tags of structures.
const (
	tagNode                = 'N'
	tagRelationship        = 'R'
	tagUnboundRelationship = 'r'
	tagPath                = 'P'
	tagDate                = 'D'
	tagTime                = 'T'
	tagLocalTime           = 't'
	tagDateTime            = 'I'
	tagDateTimeZone        = 'i'
	tagLegacyDateTime      = 'F' // seconds as a clock there shows them
	tagLegacyDateTimeZone  = 'f'
	tagLocalDateTime       = 'd'
	tagDuration            = 'E'
	tagPoint2D             = 'X'
	tagPoint3D             = 'Y'
)

// Dialect is what versions of Bolt differ in.
type Dialect struct {
	ElementIDs bool // entities have their ids as strings too: since 5.0
	UTC        bool // date times are moments, not what a clock shows: since 5.0, or where agreed
}

const secondsPerDay = 86400
