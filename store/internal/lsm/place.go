package lsm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
)

// place is where a value lies.
type place struct {
	file    *os.File // a table's or a memtable's; nil: in a value log
	log     uint32
	offset  int64
	length  int64 // of the value; in a value log that of its record
	deleted bool
}

// Marks of an entry.
const (
	markDeleted  = 1 << 0
	markPointer  = 1 << 1
	markTxn      = 1 << 6
	markFinished = 1 << 7
	anyMark      = markDeleted | markPointer | markTxn | markFinished
)

// in is the place in a file, unless the value is in a value log.
func (p place) in(file *os.File) place {
	if p.log == 0 {
		p.file = file
	}
	return p
}

const pointerSize = 12

// newPlace is where the value lies that stands at offset, or that the pointer there leads to.
func newPlace(mark byte, value []byte, offset int64) (place, error) {
	p := place{offset: offset, length: int64(len(value)), deleted: mark&markDeleted != 0}
	if mark&markPointer == 0 {
		return p, nil
	}
	if len(value) != pointerSize {
		return place{}, fmt.Errorf("a pointer has %d bytes", len(value))
	}
	if p.log = binary.NativeEndian.Uint32(value); p.log == 0 { // the first is 1
		return place{}, errors.New("a pointer leads to log 0")
	}
	p.length = int64(binary.NativeEndian.Uint32(value[4:]))
	p.offset = int64(binary.NativeEndian.Uint32(value[8:]))
	if p.offset+p.length > math.MaxUint32 {
		return place{}, errors.New("a pointer leads behind the end of any log")
	}
	return p, nil
}
