package lsm

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/pb"
	"google.golang.org/protobuf/proto"
)

// bounded fails where read allocates much more than there is to read.
func bounded(t *testing.T, size int, read func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read()
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20+uint64(size)*1024 {
		t.Errorf("%d bytes took %d of memory", size, took)
	}
}

// small is the files of a small database by the ending of their names.
func small(f *testing.F) map[string][]byte {
	f.Helper()
	dir := f.TempDir()
	opts := badger.DefaultOptions(dir).WithLogger(nil).WithCompression(0).WithValueThreshold(32).
		WithMemTableSize(1 << 16).WithValueLogFileSize(1 << 20).WithMetricsEnabled(false)
	db, err := badger.Open(opts)
	check(f, err)
	put := func(key string, size int) {
		check(f, db.Update(func(txn *badger.Txn) error { return txn.Set([]byte(key), bytes.Repeat([]byte{1}, size)) }))
	}
	put("one", 10)
	put("other", 100)
	check(f, db.Close()) // a table is made
	db, err = badger.Open(opts)
	check(f, err)
	put("onion", 10)
	put("large", 50)
	all := map[string][]byte{}
	for _, pattern := range []string{"*.sst", "*.mem", "*.vlog", "MANIFEST"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		check(f, err)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			check(f, err)
			all[filepath.Ext(path)] = bytes.TrimRight(text, "\x00")
		}
	}
	check(f, db.Close())
	return all
}

// withChecksum is a part of a table: text, its checksum, and the length of that.
func withChecksum(text []byte) []byte {
	sum, _ := proto.Marshal(&pb.Checksum{Sum: uint64(crc32.Checksum(text, castagnoli))})
	return binary.BigEndian.AppendUint32(append(bytes.Clone(text), sum...), uint32(len(sum)))
}

func withLength(text []byte) []byte {
	return binary.BigEndian.AppendUint32(bytes.Clone(text), uint32(len(text)))
}

func FuzzTable(f *testing.F) {
	whole := small(f)[".sst"]
	f.Add(whole, []byte(nil))
	rest, _, err := tail(whole)
	check(f, err)
	_, index, err := tail(rest)
	check(f, err)
	blocks, err := readIndex(index)
	check(f, err)
	b, _, err := tail(whole[blocks[0].offset:][:blocks[0].size])
	check(f, err)
	f.Add(b, index)
	// A block, and an index, whose checksums are right; or a table as it is.
	f.Fuzz(func(t *testing.T, text, index []byte) {
		if len(index) > 0 {
			text = append(withChecksum(text), withChecksum(withLength(index))...)
		}
		bounded(t, len(text), func() {
			readTable("table", text, func(i item) {
				if i.place.log == 0 && i.place.offset+i.place.length > int64(len(text)) {
					t.Errorf("the value of %q lies outside", i.key)
				}
			})
			_ = readBlock(text, 0, len(text), func(item) {})
			if len(index) > 0 {
				_ = readBlock(text, 0, len(text)-len(withChecksum(withLength(index))), func(item) {})
			}
		})
	})
}

func FuzzManifest(f *testing.F) {
	whole := small(f)[""]
	f.Add(whole, []byte(nil))
	set, err := proto.Marshal(&pb.ManifestChangeSet{Changes: []*pb.ManifestChange{{Id: 1},
		{Id: 1, Op: pb.ManifestChange_DELETE}}})
	check(f, err)
	f.Add(whole, set)
	f.Fuzz(func(t *testing.T, text, set []byte) {
		if len(set) > 0 { // with a right checksum
			text = binary.BigEndian.AppendUint32(bytes.Clone(text), uint32(len(set)))
			text = append(binary.BigEndian.AppendUint32(text, crc32.Checksum(set, castagnoli)), set...)
		}
		bounded(t, len(text), func() {
			if _, at, err := parseManifest(text); at > len(text) || err == nil && at == 0 {
				t.Errorf("it ends at byte %d: %v", at, err)
			}
		})
	})
}

func FuzzLog(f *testing.F) {
	for _, kind := range []string{".mem", ".vlog"} {
		f.Add(small(f)[kind], false)
		f.Add(small(f)[kind], true)
	}
	f.Fuzz(func(t *testing.T, text []byte, right bool) {
		text = bytes.Clone(text)
		for at := logHead; right; { // records with the right checksum
			r, _ := readRecord(text, at)
			if r.size == 0 {
				break
			}
			at += r.size
			binary.BigEndian.PutUint32(text[at-crcSize:], crc32.Checksum(text[r.at:at-crcSize], castagnoli))
		}
		bounded(t, len(text), func() {
			end := readMemtable(text, func(i item) {
				if i.place.log == 0 && i.place.offset+i.place.length > int64(len(text)) {
					t.Errorf("the value of %q lies outside", i.key)
				}
			})
			if end > len(text) || validEnd(text) < end {
				t.Errorf("the log of %d bytes ends at %d, its records at %d", len(text), end, validEnd(text))
			}
			last := min(logHead, len(text))
			whole, err := walkLog(text, func(r record) error {
				if r.at < last {
					t.Errorf("the record at %d begins before %d", r.at, last)
				}
				last = r.at + r.size
				return nil
			}, func(from, to int) {
				if from < last || to <= from || to > len(text) {
					t.Errorf("bytes %d to %d are damaged, after a record up to %d", from, to, last)
				}
			})
			if err != nil || whole != last {
				t.Errorf("the last record ends at %d, not %d: %v", last, whole, err)
			}
		})
	})
}
