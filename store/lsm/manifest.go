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

// The head of MANIFEST: Badger's magic, the application's version (we have none), the format's.
const (
	manifestMagic   = "Bdgr"
	manifestVersion = 8
	manifestHead    = 8
	setHead         = 8 // length and CRC-32C of a change set
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// readManifest reads which tables there are. Badger writes a change set with one call, so an
// incomplete last one is torn, not damaged.
func readManifest(path string) (tables map[uint64]bool, damage *Damage) {
	bad := func(offset int, format string, args ...any) (map[uint64]bool, *Damage) {
		return tables, &Damage{File: path, Offset: int64(offset), Reason: fmt.Sprintf(format, args...)}
	}
	tables = map[uint64]bool{}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return bad(-1, "the file is missing")
	}
	if err != nil {
		return bad(-1, "%v", err)
	}
	if len(text) < manifestHead || string(text[:4]) != manifestMagic {
		return bad(0, "the file does not begin as a MANIFEST does")
	}
	if v := binary.BigEndian.Uint16(text[6:]); v != manifestVersion || binary.BigEndian.Uint16(text[4:]) != 0 {
		return bad(4, "its version is %d, not %d", v, manifestVersion)
	}
	for at := manifestHead; at+setHead <= len(text); {
		size, sum := int(binary.BigEndian.Uint32(text[at:])), binary.BigEndian.Uint32(text[at+4:])
		if size > len(text) {
			return bad(at, "a change set claims %d bytes", size)
		}
		if at+setHead+size > len(text) {
			break
		}
		set := text[at+setHead : at+setHead+size]
		if crc32.Checksum(set, castagnoli) != sum {
			return bad(at, "the checksum of a change set does not match")
		}
		if err := applyChanges(tables, set); err != nil {
			return bad(at, "%v", err)
		}
		at += setHead + size
	}
	return tables, nil
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
