package backup

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"

	"github.com/cespare/xxhash/v2"
)

const (
	trailerMagic = "pstkend\n"
	trailerSize  = 8 + 32 + 8 + 8
)

// trailer is the end of every backup that is whole.
type trailer struct {
	contents int64  // offset of the first record of the contents
	sha256   string // of all before the trailer, in hex
}

func (t trailer) encode() ([]byte, error) {
	sum, err := hex.DecodeString(t.sha256)
	b := append(binary.BigEndian.AppendUint64(nil, uint64(t.contents)), sum...)
	b = binary.BigEndian.AppendUint64(b, xxhash.Sum64(b))
	return append(b, trailerMagic...), err
}

// readTrailer reads the last bytes of a file of that size.
func readTrailer(r io.ReaderAt, size int64) (t trailer, err error) {
	if size < trailerSize {
		return t, errors.New("the file is cut short")
	}
	var b [trailerSize]byte
	if _, err := r.ReadAt(b[:], size-trailerSize); err != nil {
		return t, err
	}
	if string(b[48:]) != trailerMagic {
		return t, errors.New("the file is cut short, or was never finished")
	}
	if xxhash.Sum64(b[:40]) != binary.BigEndian.Uint64(b[40:]) {
		return t, errChecksum
	}
	at := binary.BigEndian.Uint64(b[:])
	if at > 1<<62 {
		return t, errors.New("the offset of the contents is beyond the end")
	}
	return trailer{int64(at), hex.EncodeToString(b[8:40])}, nil
}
