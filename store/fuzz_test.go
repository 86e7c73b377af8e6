package store

import (
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// FuzzManifest: what is not a manifest is an error; what is one survives being written again.
func FuzzManifest(f *testing.F) {
	base := int64(1)
	seed, err := manifest.Encode(&manifest.Manifest{Version: manifest.Version, ID: 3, Graph: "g",
		IDs: manifest.IDs{Kind: manifest.IntegerIDs, Base: &base}, Out: []manifest.ChunkInfo{{Bytes: 64}}})
	must(f, err)
	f.Add(seed)
	f.Add([]byte(`{"version":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := manifest.Decode(data)
		if err != nil {
			return
		}
		for range m.Pieces() {
		}
		again, err := manifest.Encode(m)
		must(t, err)
		_, err = manifest.Decode(again)
		must(t, err)
	})
}

// FuzzBlock: a sealed block with any change is refused before Arrow sees it.
func FuzzBlock(f *testing.F) {
	values := arrays.Wrap(arrow.PrimitiveTypes.Int64, []int64{1, 2, 3})
	payload, err := arrays.EncodeBlock(memory.DefaultAllocator, arrow.Field{Name: "p", Type: values.DataType()}, values)
	must(f, err)
	key := layout.Piece{Generation: 1, Kind: layout.ColumnKind, Item: 1}.Key(0)
	value := layout.Seal(key, payload)
	f.Add(3, byte(1))
	f.Add(len(value)-1, byte(128))
	f.Fuzz(func(t *testing.T, at int, change byte) {
		if change == 0 || at < 0 || at >= len(value) {
			return
		}
		damaged := append([]byte(nil), value...)
		damaged[at] ^= change
		if _, err := layout.Unseal(key, damaged); err == nil {
			t.Errorf("byte %d changed by %x unnoticed", at, change)
		}
	})
}

// FuzzDataKey: a key that parses is spelled the same again.
func FuzzDataKey(f *testing.F) {
	f.Add(layout.Piece{Generation: 7, Kind: layout.ChunkKind, Item: 1}.Key(2))
	f.Fuzz(func(t *testing.T, key []byte) {
		if p, number, ok := layout.ParseDataKey(key); ok && string(p.Key(number)) != string(key) {
			t.Errorf("%x became %x", key, p.Key(number))
		}
	})
}
