package store

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"
	"github.com/dgraph-io/badger/v4"
)

// Causes inside a *DamagedError.
var (
	errMissing  = errors.New("it is missing")
	errEmpty    = errors.New("it cannot be read")
	errChecksum = errors.New("its checksum does not match")
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

// read hands the value of key to use, which must not keep it and should be quick:
// Badger holds a file lock meanwhile. Badger reports an unreadable value as an empty
// one without an error; nothing we store is empty.
func read(txn *badger.Txn, key []byte, use func(value []byte) error) error {
	item, err := txn.Get(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return errMissing
	}
	if err != nil {
		return fmt.Errorf("it cannot be read: %w", err)
	}
	return item.Value(func(value []byte) error {
		if len(value) == 0 {
			return errEmpty
		}
		return use(value)
	})
}

// readSealed returns a copy of the payload under key.
func readSealed(txn *badger.Txn, key []byte) (payload []byte, err error) {
	err = read(txn, key, func(value []byte) error {
		p, err := unseal(key, value)
		payload = append([]byte(nil), p...)
		return err
	})
	return payload, err
}
