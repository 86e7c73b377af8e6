// Package layout says under which keys the store keeps what, and how a value is sealed with a checksum. The picture of
// all keys is in the documentation of package store.
package layout

import (
	"encoding/binary"
)

// Key prefixes; doc.go draws the keys. No key is a proper beginning of a prefix that is dropped (a log's, the dummy's):
// Badger's DropPrefix passes over a table that begins with such a key.
const (
	GraphPrefix = 'g' // + name → manifest
	DataPrefix  = 'd' // + generation, kind, item, number → chunk or block
	LogPrefix   = 'l' // + log, commit, part → a commit's changes
	DummyPrefix = 'x' // written and dropped to make Badger flush
)

var (
	GenerationKey = []byte{'n'} // → the last generation given out
	SequenceKey   = []byte{'s'} // → the number of the last commit or snapshot
)

// Kind is what a data key names.
type Kind byte

const (
	ChunkKind  Kind = 'k' // item is the direction
	ColumnKind Kind = 'c' // item numbers the columns of the generation
	logKind    Kind = 'l' // of a log: all of it
)

const dataKeySize = 1 + 8 + 1 + 4 + 4

func GraphKey(name string) []byte { return append([]byte{GraphPrefix}, name...) }

// Piece names one stored sequence: all chunks of a direction or all blocks of a column.
type Piece struct {
	Generation uint64
	Kind       Kind
	Item       uint32
}

func (p Piece) Key(number uint32) []byte {
	key := make([]byte, 0, dataKeySize)
	key = append(key, DataPrefix)
	key = binary.BigEndian.AppendUint64(key, p.Generation)
	key = append(key, byte(p.Kind))
	key = binary.BigEndian.AppendUint32(key, p.Item)
	return binary.BigEndian.AppendUint32(key, number)
}

const (
	LogPrefixSize = 1 + 8 // of all keys of a log
	logKeySize    = LogPrefixSize + 8 + 4
)

// LogKey names a part of a commit; part 0 is its head.
func LogKey(log, commit uint64, part uint32) []byte {
	key := append(make([]byte, 0, logKeySize), LogPrefix)
	key = binary.BigEndian.AppendUint64(key, log)
	key = binary.BigEndian.AppendUint64(key, commit)
	return binary.BigEndian.AppendUint32(key, part)
}

// ParseLogKey is the inverse of logKey.
func ParseLogKey(key []byte) (log, commit uint64, part uint32, ok bool) {
	if len(key) != logKeySize || key[0] != LogPrefix {
		return 0, 0, 0, false
	}
	return binary.BigEndian.Uint64(key[1:]), binary.BigEndian.Uint64(key[9:]), binary.BigEndian.Uint32(key[17:]), true
}

// ParseDataKey is the inverse of piece.key.
func ParseDataKey(key []byte) (p Piece, number uint32, ok bool) {
	if len(key) != dataKeySize || key[0] != DataPrefix {
		return Piece{}, 0, false
	}
	p.Generation = binary.BigEndian.Uint64(key[1:])
	p.Kind = Kind(key[9])
	p.Item = binary.BigEndian.Uint32(key[10:])
	return p, binary.BigEndian.Uint32(key[14:]), true
}

func LogPiece(log uint64) Piece { return Piece{Generation: log, Kind: logKind} }
