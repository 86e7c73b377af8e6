package layout

import (
	"encoding/binary"
	"time"
)

// timed is added to the number of parts in the head of a commit that bears its time: it is above any number of parts.
const timed = 1 << 32

// AppendHead begins the head of a commit with so many parts.
func AppendHead(parts uint64, at time.Time) []byte {
	return binary.AppendVarint(binary.AppendUvarint(nil, timed+parts), at.UnixNano())
}

// ParseHead is what the head of a commit says; the time is zero if it says none.
func ParseHead(head []byte) (parts uint64, at time.Time, changes []byte, err error) {
	parts, size := binary.Uvarint(head)
	if size <= 0 {
		return 0, at, nil, ErrEmpty
	}
	head = head[size:]
	if parts < timed {
		return parts, at, head, nil
	}
	nanoseconds, size := binary.Varint(head)
	if size <= 0 {
		return 0, at, nil, ErrEmpty
	}
	return parts - timed, time.Unix(0, nanoseconds).UTC(), head[size:], nil
}

// CommitHead reads the stored head of a commit: how many parts follow it, and when it was
// committed; zero: an older penstock has written it, which did not say.
func CommitHead(key, value []byte) (parts uint64, at time.Time, err error) {
	head, err := Unseal(key, value)
	if err != nil {
		return 0, at, err
	}
	parts, at, _, err = ParseHead(head)
	return parts, at, err
}
