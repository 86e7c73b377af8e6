package scarce

import "syscall"

// read reads a file of the kernel's, which tells no length beforehand.
func read(name string) ([]byte, error) {
	file, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(file)
	text, block := []byte(nil), make([]byte, 4096)
	for {
		switch n, err := syscall.Read(file, block); {
		case err == syscall.EINTR: //nolint:errorlint // it is no wrapped one, and package errors comes later
		case err != nil:
			return nil, err
		case n == 0:
			return text, nil
		default:
			text = append(text, block[:n]...)
		}
	}
}

// cut cuts a text at the first of a byte: strings.Cut, whose package comes later.
func cut(text string, at byte) (before, after string) {
	for i := range len(text) {
		if text[i] == at {
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}

// number reads a number, which a line may end; false: it is none, or not of 64 bits.
func number(text string, base uint64) (n uint64, ok bool) {
	text, _ = cut(text, '\n')
	for _, c := range []byte(text) {
		digit := uint64(c - '0')
		if c >= 'a' {
			digit = uint64(c-'a') + 10
		}
		if digit >= base || n > (1<<64-1-digit)/base {
			return 0, false
		}
		n = n*base + digit
	}
	return n, len(text) > 0
}
