package handshake

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
)

// Version of the protocol.
type Version struct{ Major, Minor byte }

func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// AtLeast tells whether v is that version or a later one.
func (v Version) AtLeast(major, minor byte) bool {
	return v.Major > major || v.Major == major && v.Minor >= minor
}

// newest of each major version that is spoken here, and how many minor versions before it.
var spoken = []struct {
	newest Version
	before byte
}{{Version{5, 4}, 4}, {Version{4, 4}, 0}}

// Dialect is how values are encoded in this version.
func (v Version) Dialect() packstream.Dialect {
	return packstream.Dialect{ElementIDs: v.Major >= 5, UTC: v.Major >= 5}
}

// Magic is what a client of Bolt sends first.
const Magic = 0x6060B017

var (
	errNotBolt   = errors.New("the client does not speak Bolt")
	errNoVersion = errors.New("the client speaks no version of Bolt that is spoken here: 5.0 to 5.4 and 4.4")
)

// Agree reads the client's four proposals, of which the first that suits is taken. A proposal
// is a version and how many minor versions before it would do as well.
func Agree(conn io.ReadWriter) (Version, error) {
	var hello [20]byte
	if _, err := io.ReadFull(conn, hello[:4]); err != nil {
		return Version{}, err
	}
	if binary.BigEndian.Uint32(hello[:]) != Magic {
		return Version{}, errNotBolt
	}
	if _, err := io.ReadFull(conn, hello[4:]); err != nil {
		return Version{}, err
	}
	version := choose([16]byte(hello[4:]))
	if _, err := conn.Write([]byte{0, 0, version.Minor, version.Major}); err != nil {
		return Version{}, err
	}
	if version == (Version{}) {
		return Version{}, errNoVersion
	}
	return version, nil
}

func choose(proposals [16]byte) Version {
	for p := proposals[:]; len(p) > 0; p = p[4:] {
		if version, ok := suits(p[1], p[2], p[3]); ok {
			return version
		}
	}
	return Version{}
}

// suits is the newest version that is both spoken and proposed.
func suits(before, minor, major byte) (Version, bool) {
	for _, s := range spoken {
		newest := min(minor, s.newest.Minor)
		if s.newest.Major == major && int(newest)+int(before) >= int(minor) && newest+s.before >= s.newest.Minor {
			return Version{major, newest}, true
		}
	}
	return Version{}, false
}
