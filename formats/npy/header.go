package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

// header is what a file says of its numbers.
type header struct {
	kind  kind
	rows  int64
	width int // numbers of a row; 1 of a list
	list  bool
}

// maxHeader is the longest header in bytes; those of numbers have some hundred.
const maxHeader = 64 << 10

// maxWidth is how many numbers a row may have.
const maxWidth = 1 << 20

// magic is how every file begins.
const magic = "\x93NUMPY"

// readHeader reads what stands before the numbers (numpy.lib.format): the magic, a version, the length of a text, and
// the text, a dictionary as Python writes it.
func readHeader(f *input.File) (h header, err error) {
	var fixed [8]byte
	if _, err := io.ReadFull(f, fixed[:]); err != nil || string(fixed[:6]) != magic {
		return h, wrong(f, 0, "no NumPy array", "a file that numpy.save has written", err)
	}
	long := fixed[6] >= 2
	if fixed[6] < 1 || fixed[6] > 3 {
		return h, wrong(f, 0, fmt.Sprintf("version %d of NumPy's format", fixed[6]), "version 1, 2 or 3", nil)
	}
	length := make([]byte, 2)
	if long {
		length = make([]byte, 4)
	}
	if _, err := io.ReadFull(f, length); err != nil {
		return h, wrong(f, 0, "a header that ends early", "a whole file", err)
	}
	n := uint32(binary.LittleEndian.Uint16(length))
	if long {
		n = binary.LittleEndian.Uint32(length)
	}
	if n > maxHeader {
		return h, formats.TooLarge(f.At(0), "a header", maxHeader, "bytes", "an array of numbers")
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(f, text); err != nil {
		return h, wrong(f, 0, "a header that ends early", "a whole file", err)
	}
	return parseHeader(f, string(text))
}

// wrong is the error for what was found in row (counted from 1; 0: the file).
func wrong(f *input.File, row int64, found, expected string, err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return &formats.ParseError{Position: f.At(row), Found: found, Expected: expected, Err: err}
}

var (
	typeField  = regexp.MustCompile(`'descr':\s*'([^']*)'`)
	orderField = regexp.MustCompile(`'fortran_order':\s*(True|False)`)
	shapeField = regexp.MustCompile(`'shape':\s*\(([0-9, ]*)\)`)
)

func parseHeader(f *input.File, text string) (h header, err error) {
	typed, order, shape := typeField.FindStringSubmatch(text), orderField.FindStringSubmatch(text),
		shapeField.FindStringSubmatch(text)
	if typed == nil || order == nil || shape == nil {
		return h, wrong(f, 0, fmt.Sprintf("the header %.200q", text), "an array of one type of numbers", nil)
	}
	kind, known := kinds[strings.TrimLeft(typed[1], "<|=")]
	if !known {
		return h, wrong(f, 0, fmt.Sprintf("numbers of the type %q", typed[1]),
			"little-endian integers, truths or floating-point numbers", nil)
	}
	if order[1] == "True" {
		return h, wrong(f, 0, "an array in Fortran's order", "rows one after the other: numpy.ascontiguousarray", nil)
	}
	h.kind, h.width = kind, 1
	var sizes []int64
	for _, part := range strings.Split(shape[1], ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			return h, wrong(f, 0, fmt.Sprintf("the shape (%s)", shape[1]), "sizes of 63 bits", err)
		}
		sizes = append(sizes, n)
	}
	switch {
	case len(sizes) == 0 || len(sizes) > 2:
		return h, wrong(f, 0, fmt.Sprintf("an array of %d dimensions", len(sizes)), "a list, or rows of numbers", nil)
	case len(sizes) == 2 && (sizes[1] < 1 || sizes[1] > maxWidth):
		return h, formats.TooLarge(f.At(0), fmt.Sprintf("rows of %d numbers, out of a range that ends", sizes[1]), maxWidth,
			"numbers", "1 at least, and fewer")
	case len(sizes) == 2:
		h.width, h.list = int(sizes[1]), true
	}
	h.rows = sizes[0]
	return h, nil
}
