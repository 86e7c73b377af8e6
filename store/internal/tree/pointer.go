package tree

import (
	"encoding/binary"
	"reflect"

	"github.com/dgraph-io/badger/v4"
)

// pointer is where an entry, a key with its value, lies in a value log.
type pointer struct {
	Log            uint64
	Offset, Length int64
}

// isPointer is the bit of an item's meta that says its value is in a value log.
const isPointer = 2

var itemMeta, itemPointer = itemField("meta"), itemField("vptr")

func itemField(name string) []int {
	f, ok := reflect.TypeFor[badger.Item]().FieldByName(name)
	if !ok {
		panic("badger.Item has no field " + name)
	}
	return f.Index
}

// PointerOf is where the value of an item lies, if it is in a value log. Badger keeps that to
// itself, so it is read from the item's fields: three numbers of 32 bits, log, length and offset.
func PointerOf(item *badger.Item) (p pointer, ok bool) {
	v := reflect.ValueOf(item).Elem()
	raw := v.FieldByIndex(itemPointer).Bytes()
	if v.FieldByIndex(itemMeta).Uint()&isPointer == 0 || len(raw) != 12 {
		return pointer{}, false
	}
	number := func(at int) uint32 { return binary.NativeEndian.Uint32(raw[at:]) }
	return pointer{Log: uint64(number(0)), Length: int64(number(4)), Offset: int64(number(8))}, true
}
