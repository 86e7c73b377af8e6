package lsm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/pb"
	"google.golang.org/protobuf/proto"
)

// The head of MANIFEST: Badger's magic, the application's version (ours is 0), the format's.
const (
	manifestMagic   = "Bdgr"
	manifestVersion = 8
	manifestHead    = 8
	setHead         = 8 // length and CRC-32C of a change set
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// readManifest reads which tables there are.
func readManifest(path string) (tables map[uint64]bool, damage *Damage) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("the file is missing")
	}
	if err != nil {
		return nil, &Damage{File: path, Offset: -1, Reason: err.Error()}
	}
	tables, at, err := parseManifest(text)
	if err != nil {
		damage = &Damage{File: path, Offset: int64(at), Reason: err.Error()}
	}
	return tables, damage
}

// parseManifest returns the tables by all change sets before the first damaged one, which is at that place. Badger
// writes a change set with one call: an incomplete last one is torn, not damaged.
func parseManifest(text []byte) (tables map[uint64]bool, at int, err error) {
	tables = map[uint64]bool{}
	if len(text) < manifestHead || string(text[:4]) != manifestMagic {
		return tables, 0, errors.New("the file does not begin as a MANIFEST does")
	}
	if v := binary.BigEndian.Uint32(text[4:]); v != manifestVersion {
		return tables, 4, fmt.Errorf("its version is %d, not %d", v, manifestVersion)
	}
	for at = manifestHead; at+setHead <= len(text); {
		size, sum := int(binary.BigEndian.Uint32(text[at:])), binary.BigEndian.Uint32(text[at+4:])
		rest := text[at+setHead:]
		if size > len(text) || size > len(rest) && crc32.Checksum(rest, castagnoli) == sum {
			return tables, at, fmt.Errorf("a change set claims %d bytes", size)
		}
		if size > len(rest) {
			break
		}
		if crc32.Checksum(rest[:size], castagnoli) != sum {
			return tables, at, errors.New("the checksum of a change set does not match")
		}
		if err := applyChanges(tables, rest[:size]); err != nil {
			return tables, at, err
		}
		at += setHead + size
	}
	return tables, at, nil
}

func applyChanges(tables map[uint64]bool, encoded []byte) error {
	var set pb.ManifestChangeSet
	if err := proto.Unmarshal(encoded, &set); err != nil {
		return err
	}
	for _, change := range set.Changes {
		switch {
		case change.Op == pb.ManifestChange_DELETE:
			delete(tables, change.Id)
		case change.Compression != 0 || change.KeyId != 0:
			return fmt.Errorf("table %d is compressed or encrypted, which penstock never asks for", change.Id)
		default:
			tables[change.Id] = true
		}
	}
	return nil
}

// manifestName is exported by Badger, tables and logs are named by us.
const manifestName = badger.ManifestFilename
