package layout

import (
	"encoding/binary"
	"errors"

	"github.com/cespare/xxhash/v2"
)

// Causes inside a *DamagedError.
var (
	ErrMissing  = errors.New("it is missing")
	ErrEmpty    = errors.New("it cannot be read")
	errChecksum = errors.New("its checksum does not match")
)

const sealSize = 8

// Seal puts a checksum of key and payload before the payload, so that neither a
// flipped bit nor a value under a wrong key goes unnoticed. Chunks are stored bare:
// they carry checksums of their own.
func Seal(key, payload []byte) []byte {
	value := make([]byte, sealSize, sealSize+len(payload))
	binary.LittleEndian.PutUint64(value, sum(key, payload))
	return append(value, payload...)
}

// Unseal checks a sealed value and returns its payload, which aliases it.
func Unseal(key, value []byte) ([]byte, error) {
	if len(value) < sealSize {
		return nil, ErrEmpty
	}
	payload := value[sealSize:]
	if binary.LittleEndian.Uint64(value) != sum(key, payload) {
		return nil, errChecksum
	}
	return payload, nil
}

func sum(key, payload []byte) uint64 {
	d := xxhash.New()
	_, _ = d.Write(key) // never fails
	_, _ = d.Write(payload)
	return d.Sum64()
}
