package peers

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// export is what Event.Export says.
type export struct {
	Card            [40]byte // its UUID
	Handle          driver.Handle
	Offset          uint64 // of the chunk's lists, in what the handle names
	Skipped, Length uint64 // which part of the encoded chunk they are
}

// Export says where a chunk's lists are: at an address that Take has given on a card. They are length bytes of the
// encoded chunk, after so many that are skipped.
func (l *Lending) Export(uuid string, at driver.Pointer, skipped, length uint64) string {
	e := export{Handle: l.handle, Offset: uint64(at - l.slab), Skipped: skipped, Length: length}
	copy(e.Card[:], uuid)
	text, _ := binary.Append(nil, binary.LittleEndian, e) // of numbers alone it cannot fail
	return string(text)
}

func parseExport(text string) (e export, err error) {
	if binary.Size(e) != len(text) {
		return e, fmt.Errorf("an export of %d bytes; expected %d", len(text), binary.Size(e))
	}
	_, err = binary.Decode([]byte(text), binary.LittleEndian, &e)
	return e, err
}

func (e export) card() string { return string(bytes.TrimRight(e.Card[:], "\x00")) }
