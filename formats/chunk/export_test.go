package chunk

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"

	"github.com/penstock-db/penstock/formats/chunk/internal/encoding"
)

// TailSize lets tests say where a chunk's end begins.
const TailSize = encoding.TailSize

// Reseal makes the trailer of buf vouch for whatever header stands there, so that
// tests and the fuzzer reach the decoder behind the hash.
func Reseal(buf []byte) {
	tail := buf[len(buf)-encoding.TailSize:]
	header := binary.LittleEndian.Uint32(tail[encoding.FrameSize+12:])
	header = min(header, uint32(len(buf)-encoding.TailSize)) &^ (encoding.Alignment - 1)
	t := encoding.Trailer{Version: Version, Header: header, Length: uint64(len(buf)), Hash: xxhash.Sum64(buf[:header])}
	t.Encode(tail)
}

// SetVersion writes another version into the trailer of buf, as a later program would.
func SetVersion(buf []byte, version uint32) {
	body := buf[len(buf)-encoding.TailSize+encoding.FrameSize:]
	binary.LittleEndian.PutUint32(body[8:], version)
	binary.LittleEndian.PutUint64(body[48:], xxhash.Sum64(body[:48]))
}

// Body is the buffers of c, in order.
func Body(c *Chunk) [][]byte {
	var body [][]byte
	for _, b := range encoding.LayoutOf(c.record).Blocks {
		body = append(body, b.Bytes)
	}
	return body
}
