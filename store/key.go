package store

import (
	"encoding/binary"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Key prefixes; doc.go draws the keys.
const (
	graphPrefix = 'g' // + name → manifest
	dataPrefix  = 'd' // + generation, kind, item, number → chunk or block
	logPrefix   = 'l' // + log, commit, part → a commit's changes
	dummyPrefix = 'x' // written and dropped to make Badger flush
)

var generationKey = []byte{'n'} // → the last generation given out

// kind is what a data key names.
type kind byte

const (
	chunkKind  kind = 'k' // item is the direction
	columnKind kind = 'c' // item numbers the columns of the generation
	logKind    kind = 'l' // of a log: all of it
)

const dataKeySize = 1 + 8 + 1 + 4 + 4

func graphKey(name string) []byte { return append([]byte{graphPrefix}, name...) }

// piece names one stored sequence: all chunks of a direction or all blocks of a column.
type piece struct {
	generation uint64
	kind       kind
	item       uint32
}

func (p piece) key(number uint32) []byte {
	key := make([]byte, 0, dataKeySize)
	key = append(key, dataPrefix)
	key = binary.BigEndian.AppendUint64(key, p.generation)
	key = append(key, byte(p.kind))
	key = binary.BigEndian.AppendUint32(key, p.item)
	return binary.BigEndian.AppendUint32(key, number)
}

const (
	logPrefixSize = 1 + 8 // of all keys of a log
	logKeySize    = logPrefixSize + 8 + 4
)

// logKey names a part of a commit; part 0 is its head.
func logKey(log, commit uint64, part uint32) []byte {
	key := append(make([]byte, 0, logKeySize), logPrefix)
	key = binary.BigEndian.AppendUint64(key, log)
	key = binary.BigEndian.AppendUint64(key, commit)
	return binary.BigEndian.AppendUint32(key, part)
}

// parseLogKey is the inverse of logKey.
func parseLogKey(key []byte) (log, commit uint64, part uint32, ok bool) {
	if len(key) != logKeySize || key[0] != logPrefix {
		return 0, 0, 0, false
	}
	return binary.BigEndian.Uint64(key[1:]), binary.BigEndian.Uint64(key[9:]), binary.BigEndian.Uint32(key[17:]), true
}

// parseDataKey is the inverse of piece.key.
func parseDataKey(key []byte) (p piece, number uint32, ok bool) {
	if len(key) != dataKeySize || key[0] != dataPrefix {
		return piece{}, 0, false
	}
	p.generation = binary.BigEndian.Uint64(key[1:])
	p.kind = kind(key[9])
	p.item = binary.BigEndian.Uint32(key[10:])
	return p, binary.BigEndian.Uint32(key[14:]), true
}

func logPiece(log uint64) piece { return piece{generation: log, kind: logKind} }

func (c Column) piece() piece { return piece{c.Generation, columnKind, c.Item} }

func (c ChunkInfo) piece() piece { return chunkPiece(c.Generation, c.Direction) }

func chunkPiece(generation uint64, d chunk.Direction) piece {
	return piece{generation, chunkKind, uint32(d)}
}
