package chunk

import "fmt"

var directionNames = [...]string{Out: "out", In: "in", Both: "both"}

func (d Direction) String() string {
	if int(d) < len(directionNames) {
		return directionNames[d]
	}
	return fmt.Sprintf("direction %d", uint8(d))
}

// ParseDirection is the inverse of Direction.String.
func ParseDirection(name string) (Direction, error) {
	for d, known := range directionNames {
		if name == known {
			return Direction(d), nil
		}
	}
	return 0, fmt.Errorf("unknown direction %q: expected out, in or both", name)
}
