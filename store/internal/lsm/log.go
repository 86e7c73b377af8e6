package lsm

import (
	"encoding/binary"
	"hash/crc32"
	"strconv"

	"github.com/dgraph-io/badger/v4/y"
)

// A log begins with the number of the key that it is encrypted with, zero for none, and twelve bytes that only
// encryption uses. Then come records:
//
//	marks 2 | length of the key, of the value, expiry: uvarints | key | value | CRC-32C of all before 4
//
// A key in a log ends with its version. In a memtable's log the records of a transaction, marked so, are
// followed by one that ends it; it has the version as its value. Behind the last record are zeros.
const (
	logHead = 20
	crcSize = 4

	versionSize = 8       // at the end of each key
	maxKey      = 1 << 10 // with the version: the longest of package store has about 300 bytes
)

// record is one of a log's, at text[at : at+size].
type record struct {
	at, size int
	mark     byte
	key      []byte // with the version
	value    []byte
}

// readRecord reads the record at text[at:]. whole is false when there is none, or its CRC does not
// match; then r is what its head says, as far as that can be.
func readRecord(text []byte, at int) (r record, whole bool) {
	r, at = record{at: at}, at+2
	if at > len(text) {
		return record{}, false
	}
	r.mark = text[r.at]
	var lengths [3]uint64 // key, value, expiry
	for i := range lengths {
		n, size := binary.Uvarint(text[at:])
		if size <= 0 {
			return record{}, false
		}
		lengths[i], at = n, at+size
	}
	keySize, valueSize := lengths[0], lengths[1]
	if keySize <= versionSize || keySize > maxKey || valueSize > uint64(len(text)) || keySize+valueSize+
		crcSize > uint64(len(text)-at) {
		return record{}, false
	}
	r.key, r.value = text[at:at+int(keySize)], text[at+int(keySize):at+int(keySize+valueSize)]
	end := at + int(keySize+valueSize)
	r.size = end + crcSize - r.at
	return r, crc32.Checksum(text[r.at:end], castagnoli) == binary.BigEndian.Uint32(text[end:])
}

// search looks for whole records behind damaged ones.
type search struct {
	text []byte
	left int // bytes that may yet be read in vain
}

// newSearch bounds a search: at each byte of hostile text a long record may seem to begin.
func newSearch(text []byte) *search { return &search{text: text, left: 1 + 1024*len(text)} }

// next finds the first whole record at from or later. Our records have no second mark, no marks but those
// we know, and a key of at least a byte with its version. That tells most other bytes from records at once.
func (s *search) next(from int) (r record, found bool) {
	for at := from; at+2 < len(s.text) && s.left > 0; at++ {
		if s.text[at]&^anyMark != 0 || s.text[at+1] != 0 || s.text[at+2] <= versionSize {
			continue
		}
		r, whole := readRecord(s.text, at)
		if whole {
			return r, true
		}
		s.left -= r.size
	}
	return record{}, false
}

// readMemtable yields the entries of a memtable's log as Badger reads it: transactions that are whole,
// up to the first record that is not or does not belong there. It returns where that is.
func readMemtable(text []byte, yield func(item)) (end int) {
	var open []record // of a transaction whose end is not met yet
	var version uint64
	for at := min(logHead, len(text)); ; {
		r, whole := readRecord(text, at)
		if !whole {
			return at
		}
		switch {
		case r.mark&markTxn != 0:
			if len(open) > 0 && version != y.ParseTs(r.key) {
				return at
			}
			version = y.ParseTs(r.key)
			open = append(open, r)
		case r.mark&markFinished != 0:
			if ended, err := strconv.ParseUint(string(r.value), 10, 64); err != nil || len(open) == 0 || ended != version {
				return at
			}
			for _, r := range open {
				yieldRecord(r, yield)
			}
			open = open[:0]
		case len(open) > 0:
			return at
		default:
			yieldRecord(r, yield)
		}
		at += r.size
	}
}

// yieldRecord yields the entry that a memtable's record is.
func yieldRecord(r record, yield func(item)) {
	p, err := newPlace(r.mark, r.value, int64(r.at+r.size-crcSize-len(r.value)))
	if err != nil {
		return // a record with the right checksum is never like that
	}
	yield(item{string(y.ParseKey(r.key)), y.ParseTs(r.key), p})
}

// walkLog yields all whole records of a log, and where there are damaged bytes before them. It returns
// where the last whole record ends, or the error of each.
func walkLog(text []byte, each func(record) error, damaged func(from, to int)) (end int, err error) {
	end = min(logHead, len(text))
	behind := newSearch(text)
	for at := end; ; {
		if r, whole := readRecord(text, at); whole {
			if err := each(r); err != nil {
				return end, err
			}
			at += r.size
			end = at
			continue
		}
		r, found := behind.next(at + 1)
		if !found {
			if behind.left <= 0 {
				damaged(at, len(text))
			}
			return end, nil
		}
		damaged(at, r.at)
		at = r.at
	}
}
