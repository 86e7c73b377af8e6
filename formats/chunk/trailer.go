package chunk

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
)

// magic starts the trailer: "PENSTOCK".
const magic = uint64(0x4b434f54534e4550)

// tailSize is the end of an Arrow stream (8 bytes) and the trailer (56 bytes) that
// Arrow readers never see. The trailer's form is the same in every version:
//
//	 0  magic             uint64
//	 8  version           uint32
//	12  length of header  uint32   both messages with their frames: where the body starts
//	16  length of chunk   uint64   the trailer included
//	24  hash of header    uint64   xxhash64
//	32  zero              16 bytes
//	48  hash of trailer   uint64   xxhash64 of the 48 bytes before
const tailSize = 64

type trailer struct {
	version, header uint32
	length, hash    uint64
}

// encode fills tail, which has tailSize bytes.
func (t trailer) encode(tail []byte) {
	clear(tail)
	le := binary.LittleEndian
	le.PutUint32(tail, continuation)
	body := tail[frameSize:]
	le.PutUint64(body, magic)
	le.PutUint32(body[8:], t.version)
	le.PutUint32(body[12:], t.header)
	le.PutUint64(body[16:], t.length)
	le.PutUint64(body[24:], t.hash)
	le.PutUint64(body[48:], xxhash.Sum64(body[:48]))
}

// readTrailer checks all of a chunk's end, then gives its version and the header that it vouches for.
func readTrailer(buf []byte) (uint32, []byte, error) {
	tail := buf[len(buf)-tailSize:]
	le := binary.LittleEndian
	body := tail[frameSize:]
	t := trailer{le.Uint32(body[8:]), le.Uint32(body[12:]), le.Uint64(body[16:]), le.Uint64(body[24:])}
	switch {
	case le.Uint64(body) != magic:
		return 0, nil, corrupt("trailer", "no chunk ends here: it is cut short or something else")
	case le.Uint64(body[48:]) != xxhash.Sum64(body[:48]):
		return 0, nil, corrupt("trailer", "checksum differs")
	case t.version == 0 || t.version > Version:
		return 0, nil, &VersionError{Found: t.version, Supported: Version}
	case t.length != uint64(len(buf)):
		return 0, nil, corrupt("trailer", "length is %d bytes; %d were written", len(buf), t.length)
	case le.Uint64(tail) != continuation:
		return 0, nil, corrupt("trailer", "the end of the Arrow stream is missing")
	case t.header%alignment != 0 || uint64(t.header) > uint64(len(buf)-tailSize):
		return 0, nil, corrupt("trailer", "header of %d bytes in a chunk of %d", t.header, len(buf))
	}
	header := buf[:t.header]
	if xxhash.Sum64(header) != t.hash {
		return 0, nil, corrupt("header", "checksum differs")
	}
	return t.version, header, nil
}
