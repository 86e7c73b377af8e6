package store

import (
	"encoding/binary"
	"errors"

	"github.com/cespare/xxhash/v2"
)

// Causes inside a *DamagedError.
var (
	errMissing  = errors.New("it is missing")
	errEmpty    = errors.New("it cannot be read")
	errChecksum = errors.New("its checksum does not match")
	// errUncatalogued is of a manifest in the tree.
	errUncatalogued = errors.New("the catalog names another snapshot, or none")
)

const sealSize = 8

// seal puts a checksum of key and payload before the payload, so that neither a
// flipped bit nor a value under a wrong key goes unnoticed. Chunks are stored bare:
// they carry checksums of their own.
func seal(key, payload []byte) []byte {
	value := make([]byte, sealSize, sealSize+len(payload))
	binary.LittleEndian.PutUint64(value, sum(key, payload))
	return append(value, payload...)
}

// unseal checks a sealed value and returns its payload, which aliases it.
func unseal(key, value []byte) ([]byte, error) {
	if len(value) < sealSize {
		return nil, errEmpty
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

// readSealed returns a copy of the payload under key.
func readSealed(t tree, key []byte) (payload []byte, err error) {
	err = t.get(key, func(value []byte) error {
		p, err := unseal(key, value)
		payload = append([]byte(nil), p...)
		return err
	})
	return payload, err
}
