package load

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/sorting"
)

// idTable numbers user ids. The integers below covered are their own numbers, without
// any table, whether they are met or not; the others are numbered in the order in
// which they are first met. It takes 8 bytes an integer id as long as these come as
// base, base+1, …, for others 28 to 44 bytes, and while it grows half as much again;
// for a string id about 60 bytes and its text.
type idTable struct {
	covered int64
	base    int64
	run     int64 // the first ids are base … base+run-1, and not in ints
	ints    intTable
	strings map[string]uint32
	arena   []byte  // room for the next texts
	arenas  int64   // bytes of all of them
	text    int64   // bytes of all texts
	longest int     // bytes of one text
	ids     []int64 // by number less covered: the integer id, or ^i for texts[i]
	texts   []string
}

func newIDTable() *idTable { return &idTable{strings: map[string]uint32{}} }

func (t *idTable) len() int { return int(t.covered) + len(t.ids) }

// bytes is what the table takes, and while its largest part grows.
func (t *idTable) bytes() int64 {
	const slot, entry, text = 12 + 6, 8, 16 + 44 // of ints, ids, texts and strings
	return slot*int64(len(t.ints.keys)) + entry*int64(cap(t.ids)) + text*int64(cap(t.texts)) + t.arenas
}

// reserve makes room for so many integer ids.
func (t *idTable) reserve(n int64) { t.ids = slices.Grow(t.ids, int(n)) }

// cover lets the integers below end be their own numbers, unless others have got
// theirs already.
func (t *idTable) cover(end int64) {
	if len(t.ids) == 0 {
		t.covered = max(t.covered, end)
	}
}

func (t *idTable) at(number uint32) manifest.UserID {
	n := t.integerAt(number)
	if n < 0 {
		return manifest.UserID{Text: t.texts[^n]}
	}
	return manifest.UserID{N: n}
}

// integerAt is the id of a number when that is an integer, else negative.
func (t *idTable) integerAt(number uint32) int64 {
	if int64(number) < t.covered {
		return int64(number)
	}
	return t.ids[int64(number)-t.covered]
}

// number finds the number of an id and gives it the next one when it is new.
func (t *idTable) number(n int64, text string) (number uint32, fresh bool) {
	next := uint32(t.len())
	if text == "" {
		return t.integer(n, next)
	}
	if number, ok := t.strings[text]; ok {
		return number, false
	}
	text = t.keep(text)
	t.strings[text] = next
	t.ids = append(t.ids, ^int64(len(t.texts)))
	t.texts = append(t.texts, text)
	return next, true
}

// integer is number for an integer id.
func (t *idTable) integer(n int64, next uint32) (number uint32, fresh bool) {
	if n < t.covered {
		return uint32(n), false
	}
	if len(t.ids) == 0 {
		t.base = n
	}
	switch at := n - t.base; {
	case 0 <= at && at < t.run:
		return uint32(t.covered + at), false
	case at == t.run && int(t.run) == len(t.ids):
		t.run++
		number, fresh = next, true
	default:
		number, fresh = t.ints.insert(n, next)
	}
	if fresh {
		t.ids = append(t.ids, n)
	}
	return number, fresh
}

// find is the number of a known id.
func (t *idTable) find(n int64, text string) (uint32, bool) {
	if text == "" && 0 <= n && n < t.covered {
		return uint32(n), true
	}
	if at := n - t.base; text == "" && 0 <= at && at < t.run {
		return uint32(t.covered + at), true
	}
	if text == "" {
		return t.ints.find(n)
	}
	number, ok := t.strings[text]
	return number, ok
}

// ascending sorts numbers by their ids: integers by radix sort, then strings.
func (t *idTable) ascending(numbers []uint32) []uint32 {
	var texts []uint32
	ints, keys := make([]uint32, 0, len(numbers)), make([]uint64, 0, len(numbers))
	for _, number := range numbers {
		if id := t.integerAt(number); id < 0 {
			texts = append(texts, number)
		} else {
			ints, keys = append(ints, number), append(keys, uint64(id))
		}
	}
	_, ints = new(sorting.Sorter).Sort(keys, ints)
	slices.SortFunc(texts, func(a, b uint32) int { return manifest.CompareIDs(t.at(a), t.at(b)) })
	return append(ints, texts...)
}

// kind is what the ids are.
func (t *idTable) kind() manifest.IDKind {
	switch len(t.texts) {
	case 0:
		return manifest.IntegerIDs
	case t.len():
		return manifest.StringIDs
	}
	return manifest.MixedIDs
}

// forget drops what only number and find need.
func (t *idTable) forget() { t.ints, t.strings = intTable{}, nil }

// keep copies text into the arena, which spares an allocation a string.
func (t *idTable) keep(text string) string {
	if cap(t.arena)-len(t.arena) < len(text) {
		t.arena = make([]byte, 0, max(1<<18, len(text)))
		t.arenas += int64(cap(t.arena))
	}
	t.text, t.longest = t.text+int64(len(text)), max(t.longest, len(text))
	from := len(t.arena)
	t.arena = append(t.arena, text...)
	return unsafe.String(&t.arena[from], len(text))
}

// intTable is a hash table with open addressing and linear probing: 12 bytes a slot,
// at most two slots in three taken.
type intTable struct {
	keys    []uint64 // id+1; 0: free
	numbers []uint32
	taken   int
	shift   uint // 64 - log2(len(keys))
}

// insert returns the number of id; when it is new, that is number.
func (t *intTable) insert(id int64, number uint32) (uint32, bool) {
	if 3*t.taken >= 2*len(t.keys) {
		t.grow()
	}
	slot, ok := t.slot(uint64(id) + 1)
	if ok {
		return t.numbers[slot], false
	}
	t.keys[slot], t.numbers[slot] = uint64(id)+1, number
	t.taken++
	return number, true
}

func (t *intTable) find(id int64) (uint32, bool) {
	if len(t.keys) == 0 {
		return 0, false
	}
	slot, ok := t.slot(uint64(id) + 1)
	return t.numbers[slot], ok
}

// slot is where key stands, or the free slot where it belongs.
func (t *intTable) slot(key uint64) (int, bool) {
	const golden = 0x9e3779b97f4a7c15 // 2^64 / golden ratio (Knuth, TAOCP 6.4): spreads runs of ids
	mask := len(t.keys) - 1
	for i := int(key * golden >> t.shift); ; i = (i + 1) & mask {
		switch t.keys[i] {
		case key:
			return i, true
		case 0:
			return i, false
		}
	}
}

func (t *intTable) grow() {
	old := *t
	size := max(1<<10, 2*len(old.keys))
	t.keys, t.numbers = make([]uint64, size), make([]uint32, size)
	t.shift = uint(64 - bits.TrailingZeros(uint(size)))
	for i, key := range old.keys {
		if key != 0 {
			slot, _ := t.slot(key)
			t.keys[slot], t.numbers[slot] = key, old.numbers[i]
		}
	}
}
