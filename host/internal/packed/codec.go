package packed

import (
	"encoding/binary"
	"math/bits"
)

const (
	blockBytes = 4 << 10 // of a chunk, that are packed together
	blockWords = blockBytes / 4
	controls   = blockWords / 4

	// mostPacked is the room that it takes to pack a block: its form, control bytes and differences.
	mostPacked = 1 + controls + blockBytes
)

// The forms of a block, its first byte. A block that would not become smaller is asIs, and so is what ends a chunk and
// is no whole block.
const (
	asIs   = iota // its bytes
	rising        // differences from word to word, modulo 2³²
	signed        // the same, with the sign in the lowest bit
	forms
)

// pack appends a block to dst. There must be room for mostPacked.
func pack(dst, block []byte) []byte {
	if len(block) == blockBytes {
		if packed := differences(dst, (*[blockBytes]byte)(block)); len(packed)-len(dst) <= blockBytes {
			return packed
		}
	}
	return append(append(dst, asIs), block...)
}

// differences appends a block as such.
func differences(dst []byte, block *[blockBytes]byte) []byte {
	start := len(dst)
	dst = dst[:start+mostPacked]
	signs := signedIsLess(block)
	if dst[start] = rising; signs {
		dst[start] = signed
	}
	lengths, at, before := dst[start+1:][:controls], start+1+controls, uint32(0)
	for i := range lengths {
		four, to := block[16*i:][:16], dst[at:][:16]
		w, x := binary.LittleEndian.Uint32(four), binary.LittleEndian.Uint32(four[4:])
		y, z := binary.LittleEndian.Uint32(four[8:]), binary.LittleEndian.Uint32(four[12:])
		a, b, c, d := w-before, x-w, y-x, z-y
		if before = z; signs {
			a, b, c, d = withSign(a), withSign(b), withSign(c), withSign(d)
		}
		j, k, l, m := length(a), length(b), length(c), length(d)
		binary.LittleEndian.PutUint32(to, a)
		binary.LittleEndian.PutUint32(to[j&7:], b)
		binary.LittleEndian.PutUint32(to[(j+k)&15:], c)
		binary.LittleEndian.PutUint32(to[(j+k+l)&15:], d)
		lengths[i] = byte(j - 1 + (k-1)<<2 + (l-1)<<4 + (m-1)<<6)
		at += j + k + l + m
	}
	return dst[:at]
}

// signedIsLess tells, by an eighth of a block, whether signed is smaller than rising by an eighth, at least: it takes
// longer to unpack.
func signedIsLess(block *[blockBytes]byte) bool {
	up, both := 0, 0
	for i := 0; i < blockBytes; i += 128 {
		before := uint32(0)
		if i > 0 {
			before = binary.LittleEndian.Uint32(block[i-4:])
		}
		for at := i; at < i+16; at += 4 {
			word := binary.LittleEndian.Uint32(block[at:])
			up += length(word - before)
			both += length(withSign(word - before))
			before = word
		}
	}
	return both < up-up/8
}

// length is how many bytes a difference needs, at least one.
func length(gap uint32) int { return int(uint(bits.Len32(gap|1)+7) / 8) }

func withSign(gap uint32) uint32    { return gap<<1 ^ uint32(int32(gap)>>31) }
func withoutSign(gap uint32) uint32 { return gap>>1 ^ -(gap & 1) }

// ends are, by control byte, where each of four differences ends.
var ends = func() (of [256][4]uint8) {
	for control := range of {
		end := uint8(0)
		for k := range 4 {
			end += uint8(control>>(2*k)&3) + 1
			of[control][k] = end
		}
	}
	return of
}()

var masks = [4]uint32{1<<8 - 1, 1<<16 - 1, 1<<24 - 1, 1<<32 - 1}

// unpack makes the next block of packed, to all of block. It returns what follows of packed, or ok false where packed
// is no block. The two may share memory if the block ends where the rest of packed begins, or before: what is packed is
// moved out of the way first.
func unpack(block, packed []byte) (rest []byte, ok bool) {
	if len(packed) == 0 || packed[0] >= forms {
		return nil, false
	}
	form := packed[0]
	packed = packed[1:]
	if form == asIs || len(block) != blockBytes {
		if form != asIs || len(packed) < len(block) {
			return nil, false
		}
		return packed[copy(block, packed):], true
	}
	var moved stored
	n := copy(moved[:blockBytes], packed)
	end := restore((*[blockBytes]byte)(block), &moved, form == signed)
	if end > n {
		return nil, false
	}
	return packed[end:], true
}

// stored is a block's control bytes and differences, whatever control bytes say, and what is read beyond them.
type stored [controls + blockBytes + 16]byte

// restorePlain is restore where there is no kernel for it.
func restorePlain(block *[blockBytes]byte, from *stored, signs bool) (end int) {
	word, at := uint32(0), controls
	for i, control := range from[:controls] {
		four, to, ends := from[at:][:16], block[16*i:][:16], &ends[control]
		a := binary.LittleEndian.Uint32(four) & masks[control&3]
		b := binary.LittleEndian.Uint32(four[ends[0]&7:][:4]) & masks[control>>2&3]
		c := binary.LittleEndian.Uint32(four[ends[1]&15:][:4]) & masks[control>>4&3]
		d := binary.LittleEndian.Uint32(four[ends[2]&15:][:4]) & masks[control>>6]
		if signs {
			a, b, c, d = withoutSign(a), withoutSign(b), withoutSign(c), withoutSign(d)
		}
		a += word
		b += a
		c += b
		word = c + d
		binary.LittleEndian.PutUint32(to, a)
		binary.LittleEndian.PutUint32(to[4:], b)
		binary.LittleEndian.PutUint32(to[8:], c)
		binary.LittleEndian.PutUint32(to[12:], word)
		at += int(ends[3])
	}
	return at
}
