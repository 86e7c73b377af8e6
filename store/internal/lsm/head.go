package lsm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// maxHead is the most bytes before a record's key: two marks and three lengths.
const maxHead = 2 + 5 + 5 + 10

// CheckHead tells whether a record in a value log, where a pointer leads, begins as that of the key must. It reads the
// beginning alone. Badger must not be asked for a value whose record begins otherwise: it may panic, and leaves a lock
// held, so that it never closes.
//
// Errors: ErrDamaged, fs.ErrNotExist, those of reading.
func CheckHead(dir string, log uint32, offset, length int64, key []byte) error {
	file, err := os.Open(logPath(dir, log))
	if err != nil {
		return err
	}
	defer file.Close()
	text := make([]byte, min(int64(maxHead+len(key)), length))
	if n, err := file.ReadAt(text, offset); err != nil && !errors.Is(err, io.EOF) {
		return err
	} else if n < len(text) {
		return ErrDamaged
	}
	at := min(2, len(text))
	var lengths [3]uint64 // of key and value, and the expiry
	for i := range lengths {
		n, size := binary.Uvarint(text[at:])
		if size <= 0 {
			return ErrDamaged
		}
		lengths[i], at = n, at+size
	}
	keySize, valueSize := lengths[0], lengths[1]
	if keySize != uint64(len(key))+8 || valueSize > uint64(length) || uint64(at)+keySize+valueSize+
		crcSize != uint64(length) {
		return ErrDamaged
	}
	if !bytes.HasPrefix(text[at:], key) {
		return ErrDamaged
	}
	return nil
}
