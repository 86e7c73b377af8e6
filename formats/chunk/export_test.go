package chunk

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
)

// TailSize lets tests say where a chunk's end begins.
const TailSize = tailSize

// Reseal makes the trailer of buf vouch for whatever header stands there, so that
// tests and the fuzzer reach the decoder behind the hash.
func Reseal(buf []byte) {
	tail := buf[len(buf)-tailSize:]
	header := binary.LittleEndian.Uint32(tail[frameSize+12:])
	header = min(header, uint32(len(buf)-tailSize)) &^ (alignment - 1)
	t := trailer{version: Version, header: header, length: uint64(len(buf)), hash: xxhash.Sum64(buf[:header])}
	t.encode(tail)
}

// SetVersion writes another version into the trailer of buf, as a later program would.
func SetVersion(buf []byte, version uint32) {
	body := buf[len(buf)-tailSize+frameSize:]
	binary.LittleEndian.PutUint32(body[8:], version)
	binary.LittleEndian.PutUint64(body[48:], xxhash.Sum64(body[:48]))
}

// Body is the buffers of c, in order.
func Body(c *Chunk) [][]byte {
	var body [][]byte
	for _, b := range layoutOf(c.record).blocks {
		body = append(body, b.bytes)
	}
	return body
}
