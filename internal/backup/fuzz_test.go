package backup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// FuzzOpen reads any bytes as a backup, also with all checksums made right: it ends in an error or in a
// backup, and takes memory as the file is large.
func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	db := small(f, filepath.Join(dir, "db"), 2)
	for _, compress := range []bool{false, true} {
		path := filepath.Join(dir, "full")
		create(f, db, filepath.Join(dir, "db"), path, "", Options{Compress: compress})
		whole, err := os.ReadFile(path)
		must(f, err)
		must(f, os.Remove(path))
		f.Add(whole)
		f.Add(whole[:len(whole)/2])
	}
	f.Add([]byte(magic))
	f.Fuzz(func(_ *testing.T, data []byte) {
		readAll(data)
		readAll(mended(data))
	})
}

func readAll(data []byte) {
	file, err := open("fuzzed", bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return
	}
	_, _ = Chain{file}.inspect(context.Background(), Point{}, nil)
	tail, err := file.Tail()
	if err == nil {
		_, _ = ReadBase("fuzzed", tail)
	}
}

// mended takes data for records, as far as they go, and makes the backup of them whose
// checksums are right.
func mended(data []byte) []byte {
	var out bytes.Buffer
	w := &recordWriter{to: &out, hash: sha256.New()}
	_ = w.write([]byte(magic))
	data = bytes.TrimPrefix(data, []byte(magic))
	contents := int64(0)
	for len(data) > headSize {
		size := min(len(data)-headSize, int(data[3])<<8|int(data[4]))
		k := kind(data[0])
		if contents == 0 && (k == graphRecord || k == printRecord || k == endRecord) {
			contents = w.offset
		}
		_ = w.record(k, data[headSize:headSize+size])
		data = data[headSize+size:]
	}
	end, _ := trailer{contents, hex.EncodeToString(w.hash.Sum(nil))}.encode()
	return append(out.Bytes(), end...)
}

// A length that a damaged record names is not believed before the file has as much.
func TestRecordReader_BelievesNoLength(t *testing.T) {
	short := append([]byte{byte(valueRecord), 0x1f, 0xff, 0xff, 0xff}, make([]byte, 20)...)
	reader := &recordReader{from: bytes.NewReader(short), end: int64(len(short))}
	if _, err := reader.next(); err == nil {
		t.Error("a record that is too long was read")
	}
	whole := packed(t, make([]byte, 64<<20))
	p := unpacker{}
	defer p.close()
	payload, err := p.unpack(whole)
	if err != nil || len(payload) != 64<<20 {
		t.Error(len(payload), err)
	}
	var before, after runtime.MemStats
	q := unpacker{}
	defer q.close()
	runtime.ReadMemStats(&before)
	if _, err := q.unpack(whole[:20]); err == nil {
		t.Error("the beginning of a packed record was read")
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
		t.Errorf("20 bytes that claim 64 MiB took %d", grown)
	}
}

func packed(t *testing.T, payload []byte) []byte {
	packer, err := newPacker()
	must(t, err)
	defer packer.Close()
	return packer.EncodeAll(payload, nil)
}
