package encoding

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
)

// magic starts the trailer: "PENSTOCK".
const magic = uint64(0x4b434f54534e4550)

// TailSize is the end of an Arrow stream (8 bytes) and the trailer (56 bytes) that
// Arrow readers never see. The trailer's form is the same in every version:
//
//	 0  magic             uint64
//	 8  version           uint32
//	12  length of header  uint32   both messages with their frames: where the body starts
//	16  length of chunk   uint64   the trailer included
//	24  hash of header    uint64   xxhash64
//	32  zero              16 bytes
//	48  hash of trailer   uint64   xxhash64 of the 48 bytes before
const TailSize = 64

// Trailer is what a chunk's end says of it.
type Trailer struct {
	Version, Header uint32
	Length, Hash    uint64
}

// Encode fills tail, which has TailSize bytes.
func (t Trailer) Encode(tail []byte) {
	clear(tail)
	le := binary.LittleEndian
	le.PutUint32(tail, continuation)
	body := tail[FrameSize:]
	le.PutUint64(body, magic)
	le.PutUint32(body[8:], t.Version)
	le.PutUint32(body[12:], t.Header)
	le.PutUint64(body[16:], t.Length)
	le.PutUint64(body[24:], t.Hash)
	le.PutUint64(body[48:], xxhash.Sum64(body[:48]))
}

// readTrailer checks all of a chunk's end, then gives its version and the header that it vouches for.
func readTrailer(buf []byte) (uint32, []byte, error) {
	t, err := decodeTrailer(buf)
	if err != nil {
		return 0, nil, err
	}
	header := buf[:t.Header]
	if xxhash.Sum64(header) != t.Hash {
		return 0, nil, Corrupt("header", "checksum differs")
	}
	return t.Version, header, nil
}

// HeaderLength is how many bytes the header of a chunk has, by its end alone.
func HeaderLength(buf []byte) (int, error) {
	t, err := decodeTrailer(buf)
	return int(t.Header), err
}

// decodeTrailer checks all of a chunk's end, which is that of buf.
func decodeTrailer(buf []byte) (t Trailer, err error) {
	tail := buf[len(buf)-TailSize:]
	le := binary.LittleEndian
	body := tail[FrameSize:]
	t = Trailer{le.Uint32(body[8:]), le.Uint32(body[12:]), le.Uint64(body[16:]), le.Uint64(body[24:])}
	switch {
	case le.Uint64(body) != magic:
		return t, Corrupt("trailer", "no chunk ends here: it is cut short or something else")
	case le.Uint64(body[48:]) != xxhash.Sum64(body[:48]):
		return t, Corrupt("trailer", "checksum differs")
	case t.Version == 0 || t.Version > Version:
		return t, &VersionError{Found: t.Version, Supported: Version}
	case t.Length != uint64(len(buf)):
		return t, Corrupt("trailer", "length is %d bytes; %d were written", len(buf), t.Length)
	case le.Uint64(tail) != continuation:
		return t, Corrupt("trailer", "the end of the Arrow stream is missing")
	case t.Header%Alignment != 0 || uint64(t.Header) > uint64(len(buf)-TailSize):
		return t, Corrupt("trailer", "header of %d bytes in a chunk of %d", t.Header, len(buf))
	}
	return t, nil
}
