package backup

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/cespare/xxhash/v2"
)

const magic = "penstock backup 1\n"

// kind says what a record holds; doc.go lists them.
type kind byte

const (
	headerRecord kind = 'h'
	valueRecord  kind = 'v'
	packedRecord kind = 'z'
	fileRecord   kind = 'f'
	graphRecord  kind = 'g'
	printRecord  kind = 'k'
	endRecord    kind = 'e'
)

const (
	headSize = 1 + 4 + 8
	// mostPayload is above the largest value of a database.
	mostPayload = 1<<29 + 1<<20
	// batchBytes is what small pairs collect to before they are written.
	batchBytes = 1 << 20
)

func payloadSum(head, payload []byte) uint64 {
	d := xxhash.New()
	_, _ = d.Write(head[:5]) // never fails
	_, _ = d.Write(payload)
	return d.Sum64()
}

// recordWriter writes records, and hashes all that it writes.
type recordWriter struct {
	to     io.Writer
	hash   hash.Hash
	offset int64
}

func (w *recordWriter) write(b []byte) error {
	n, err := w.to.Write(b)
	w.offset += int64(n)
	_, _ = w.hash.Write(b[:n]) // never fails
	return err
}

func (w *recordWriter) record(k kind, payload []byte) error {
	if len(payload) > mostPayload {
		return fmt.Errorf("a value of %d bytes is too large for a backup", len(payload))
	}
	head := binary.BigEndian.AppendUint32([]byte{byte(k)}, uint32(len(payload)))
	head = binary.BigEndian.AppendUint64(head, payloadSum(head, payload))
	return errors.Join(w.write(head), w.write(payload))
}

// record is one as it was read; its payload is good until the next is read.
type record struct {
	kind    kind
	payload []byte
	offset  int64
}

// recordReader reads the records between two offsets.
type recordReader struct {
	from        io.Reader
	offset, end int64
	payload     []byte
}

var errChecksum = errors.New("its checksum does not match")

// next reads a record; io.EOF after the last.
func (r *recordReader) next() (record, error) {
	at := r.offset
	if at == r.end {
		return record{}, io.EOF
	}
	var head [headSize]byte
	if err := r.read(head[:]); err != nil {
		return record{offset: at}, err
	}
	size := int64(binary.BigEndian.Uint32(head[1:]))
	if size > min(mostPayload, r.end-r.offset) {
		return record{offset: at}, fmt.Errorf("its length, %d, leads beyond the end", size)
	}
	if int64(cap(r.payload)) < size {
		r.payload = make([]byte, size) // the file has as many
	}
	payload := r.payload[:size]
	if err := r.read(payload); err != nil {
		return record{offset: at}, err
	}
	if payloadSum(head[:], payload) != binary.BigEndian.Uint64(head[5:]) {
		return record{offset: at}, errChecksum
	}
	return record{kind(head[0]), payload, at}, nil
}

func (r *recordReader) read(b []byte) error {
	n, err := io.ReadFull(r.from, b)
	r.offset += int64(n)
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// appendPair encodes a pair behind dst.
func appendPair(dst, key, value []byte) []byte {
	dst = append(binary.AppendUvarint(dst, uint64(len(key))), key...)
	return append(binary.AppendUvarint(dst, uint64(len(value))), value...)
}

var errPairs = errors.New("it holds no pairs")

// eachPair is the inverse of appendPair, of all that a payload holds. Key and value alias it.
func eachPair(payload []byte, yield func(key, value []byte) error) error {
	for len(payload) > 0 {
		var pair [2][]byte
		for i := range pair {
			n, size := binary.Uvarint(payload)
			if size <= 0 || n > uint64(len(payload)-size) {
				return errPairs
			}
			pair[i], payload = payload[size:][:n:n], payload[size:][n:]
		}
		if err := yield(pair[0], pair[1]); err != nil {
			return err
		}
	}
	return nil
}
