package scarce

import (
	"syscall"
	"unsafe"
)

// Piece is how much of the program's code is read at once, in bytes, where memory is scarce: as much as the system maps
// around a fault of what it has in memory.
const Piece = 64 << 10

var (
	looked bool // whether Prepare has been called
	pieces int
)

// Prepare has the process's program be read where it is touched: data page by page, and code piece by piece. Where
// there is more memory than Little it does nothing, nor the second time. Only a main function may call it, or what
// comes before.
func Prepare() {
	if looked {
		return
	}
	looked = true
	if have, err := Physical(); err == nil && have <= Little {
		pieces = cutProgram()
	}
}

// Pieces is of how many mappings Prepare has made the program's code; 0: of none.
func Pieces() int { return pieces }

// part is a mapping of a file.
type part struct {
	from, to uintptr
	code     bool
	file     string // device and inode
}

// cutProgram advises the system on all of the program's mappings, and says of how many pieces its code is then.
func cutProgram() (n int) {
	text, err := read("/proc/self/maps")
	if err != nil {
		return 0
	}
	for _, p := range program(string(text), here()) {
		if advise(p.from, p.to, syscall.MADV_RANDOM) != 0 {
			continue
		}
		if p.code {
			n += p.cut()
		}
	}
	return n
}

// cut makes pieces of a mapping, and says how many. The system joins neighbors that are alike, so every other piece is
// to be left out of a dump of the process's memory, into which nothing goes of what is in a file anyway.
func (p part) cut() (n int) {
	for from := p.from; from < p.to; n++ {
		to := min(p.to, (from+Piece)&^(Piece-1))
		if (from/Piece)%2 == 0 && advise(from, to, dontDump) != 0 {
			return n + 1 // the system allows for no more mappings
		}
		from = to
	}
	return n
}

func advise(from, to, advice uintptr) syscall.Errno {
	_, _, errno := syscall.RawSyscall(syscall.SYS_MADVISE, from, to-from, advice)
	return errno
}

// here is an address of the program's: of data, where a variable is.
func here() uintptr { return uintptr(unsafe.Pointer(&anchor)) }

// dontDump is MADV_DONTDUMP of madvise(2).
const dontDump = 16

// anchor is a variable that has a value in the program's file.
var anchor = uint64(1)

// program are those of a process's mappings, as /proc/self/maps lists them, that are of the file mapped at an address.
func program(maps string, address uintptr) (own []part) {
	var all []part
	file := ""
	for len(maps) > 0 {
		var line string
		line, maps = cut(maps, '\n')
		p, ok := parse(line)
		if !ok {
			continue
		}
		if p.from <= address && address < p.to {
			file = p.file
		}
		all = append(all, p)
	}
	for _, p := range all {
		if p.file == file {
			own = append(own, p)
		}
	}
	return own
}

// parse reads a line of /proc/self/maps, "from-to access offset device inode path", numbers in hexadecimal; false: no
// file is mapped there.
func parse(line string) (p part, ok bool) {
	ends, rest := cut(line, ' ')
	access, rest := cut(rest, ' ')
	_, rest = cut(rest, ' ')
	device, rest := cut(rest, ' ')
	inode, _ := cut(rest, ' ')
	first, last := cut(ends, '-')
	from, ok := number(first, 16)
	to, toOK := number(last, 16)
	p = part{uintptr(from), uintptr(to), len(access) > 2 && access[2] == 'x', device + " " + inode}
	return p, ok && toOK && inode != "0" && inode != ""
}
