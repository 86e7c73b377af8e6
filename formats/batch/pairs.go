package batch

import (
	"encoding/binary"
	"math/bits"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

// TakePairs takes lines of two integers, parted by one of the separators, off the block's
// beginning: nearly all lines of nearly all files. It stops at the first line that is
// anything else. The lines' numbers go to lines.
func TakePairs(block *input.Lines, separators string, sources, targets *formats.IDs, lines *[]int64) {
	var separates [256]bool
	for _, separator := range []byte(separators) {
		separates[separator] = true
	}
	text, line := block.Rest(), block.Number()
	from := 0
	for {
		source, at := integer(text, from)
		if at == from || at == len(text) || !separates[text[at]] {
			break
		}
		target, end := integer(text, at+1)
		if end == at+1 {
			break
		}
		if end < len(text) && text[end] == '\r' {
			end++
		}
		if end == len(text) || text[end] != '\n' {
			break
		}
		from = end + 1
		line++
		sources.AppendInt(source)
		targets.AppendInt(target)
		*lines = append(*lines, line)
	}
	block.Skip(from, line-block.Number())
}

// TakePairs is the function, for edges without properties.
func (b *Edges) TakePairs(block *input.Lines, separators string) {
	TakePairs(block, separators, &b.Src, &b.Dst, &b.lines)
}

// integer reads the id at text[from:] and tells where it ends: at from if none of at
// most 18 digits, spelled as formats.ParseID wants it, begins there.
func integer(text []byte, from int) (n int64, end int) {
	if len(text)-from >= 8 {
		if n, digits := shortInteger(binary.LittleEndian.Uint64(text[from:])); digits > 0 {
			if digits > 1 && text[from] == '0' {
				return 0, from
			}
			return n, from + digits
		}
	}
	return longInteger(text, from)
}

// shortInteger reads the digits at the beginning of eight bytes of text, all at once:
// it is 0 digits when there are none, or eight.
func shortInteger(text uint64) (n int64, digits int) {
	const each = 0x0101010101010101
	values := text ^ '0'*each
	others := (values | (values&(0x7f*each) + (0x80-10)*each)) & (0x80 * each) // bytes that are no digit
	digits = bits.TrailingZeros64(others) / 8
	if digits == 0 || digits == 8 {
		return 0, 0
	}
	values <<= 64 - 8*digits // zeros before the digits
	values = values*10 + values>>8
	const pair = 0x000000ff000000ff
	values = (values&pair*(100+1000000<<32) + values>>16&pair*(1+10000<<32)) >> 32
	return int64(uint32(values)), digits
}

func longInteger(text []byte, from int) (n int64, end int) {
	for end = from; end < len(text) && end-from < 19; end++ {
		digit := text[end] - '0'
		if digit > 9 {
			break
		}
		n = n*10 + int64(digit)
	}
	if end-from > 18 || end-from > 1 && text[from] == '0' {
		return 0, from
	}
	return n, end
}
