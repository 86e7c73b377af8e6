package mtx

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

const banner = "%%matrixmarket"

// Bounds on what a header may declare, so that a damaged one is refused at once.
const (
	maxRows    = 1 << 40
	maxEntries = 1 << 60
)

// header is what stands before the entries.
type header struct {
	dense    bool   // "array": every value in column order; else "coordinate": row, column, value
	field    string // "real", "integer" or "pattern"; "double" is read as "real"
	symmetry string // "general", "symmetric" or "skew-symmetric"
	kind     *kind  // of "%%GraphBLAS type …"; nil: not given

	rows, cols int64
	entries    int64            // coordinate only
	size       formats.Position // where the three numbers stand
}

// readHeader takes all lines up to the size line.
func (h *header) readHeader(lines *input.Lines) error {
	h.field, h.symmetry = "real", "general" // of a file without a banner
	bannered := false
	for lines.Next() {
		line := bytes.TrimSpace(lines.Bytes())
		words := strings.Fields(strings.ToLower(string(line[:min(len(line), 200)])))
		var err error
		switch {
		case len(line) == 0:
		case lines.Number() == 1 && strings.HasPrefix(words[0], "%%matrix"):
			bannered, err = true, h.readBanner(lines, words)
		case len(words) > 1 && words[0] == "%%graphblas" && words[1] == "type":
			err = h.readKind(lines, strings.Join(words[2:], " "))
		case line[0] == '%':
		default:
			return h.readSize(lines, bannered)
		}
		if err != nil {
			return err
		}
	}
	return noSize(lines)
}

func noSize(lines *input.Lines) error {
	if err := lines.Err(); err != nil {
		return err
	}
	return lines.Bad(0, "the end of the file", "a line with the number of rows, columns and entries")
}

func (h *header) readBanner(lines *input.Lines, words []string) error {
	if len(words) != 5 || words[0] != banner {
		return lines.BadLine("%%MatrixMarket matrix, a format, a field and a symmetry")
	}
	if words[1] != "matrix" {
		return lines.Bad(0, fmt.Sprintf("object %q", words[1]), "matrix")
	}
	if err := h.setFormat(lines, words[2]); err != nil {
		return err
	}
	if err := h.setField(lines, words[3]); err != nil {
		return err
	}
	return h.setSymmetry(lines, words[4])
}

func (h *header) setFormat(lines *input.Lines, word string) error {
	switch word {
	case "coordinate", "array":
		h.dense = word == "array"
		return nil
	}
	return lines.Bad(0, fmt.Sprintf("format %q", word), "coordinate or array")
}

func (h *header) setField(lines *input.Lines, word string) error {
	const expected = "real, double, integer or pattern"
	switch word {
	case "double":
		word = "real"
	case "real", "integer":
	case "pattern":
		if h.dense {
			return lines.Bad(0, "an array of field pattern, which has no values",
				"coordinate pattern, or array with another field")
		}
	case "complex":
		return lines.Bad(0, "complex values, which are not supported", expected)
	default:
		return lines.Bad(0, fmt.Sprintf("field %q", word), expected)
	}
	h.field = word
	return nil
}

func (h *header) setSymmetry(lines *input.Lines, word string) error {
	const expected = "general, symmetric or skew-symmetric"
	switch word {
	case "general", "symmetric":
	case "skew-symmetric":
		if h.field == "pattern" {
			return lines.Bad(0, "a skew-symmetric pattern, which has no sign", "pattern with general or symmetric")
		}
	case "hermitian":
		return lines.Bad(0, "hermitian symmetry, which needs complex values", expected)
	default:
		return lines.Bad(0, fmt.Sprintf("symmetry %q", word), expected)
	}
	h.symmetry = word
	return nil
}

func (h *header) readKind(lines *input.Lines, name string) error {
	k, known := kinds[name]
	if !known {
		return lines.Bad(0, fmt.Sprintf("GraphBLAS type %q", name), "bool, int8_t to uint64_t, float or double")
	}
	if h.symmetry == "skew-symmetric" && k.unsigned() {
		return lines.Bad(0, "a skew-symmetric matrix of type "+name,
			"a signed type, because each entry is stored with both signs")
	}
	if !k.integral && h.field == "integer" {
		h.field = "real"
	}
	h.kind = &k
	return nil
}

func (h *header) readSize(lines *input.Lines, bannered bool) error {
	var fields input.Fields
	n := fields.Count(lines.Bytes())
	if !bannered {
		h.dense = n == 2
	}
	want, expected := 3, "the number of rows, columns and entries"
	if h.dense {
		want, expected = 2, "the number of rows and columns"
	}
	if n != want {
		return lines.BadLine(expected)
	}
	fields.Reset(lines.Bytes())
	for _, number := range []*int64{&h.rows, &h.cols, &h.entries}[:want] {
		field, _ := fields.Next()
		value, ok := formats.ParseID(string(field))
		if !ok {
			return lines.Bad(fields.Column, input.Quote(field), expected)
		}
		*number = value
	}
	h.size = lines.Position()
	return h.checkSize(lines)
}

func (h *header) checkSize(lines *input.Lines) error {
	if h.rows != h.cols {
		return lines.Bad(0, fmt.Sprintf("a matrix of %d rows and %d columns", h.rows, h.cols),
			"a square one: rows and columns are the same vertices")
	}
	if h.rows > maxRows {
		return lines.Bad(0, fmt.Sprintf("%d rows", h.rows), fmt.Sprintf("at most %d", int64(maxRows)))
	}
	if h.entries > maxEntries {
		return lines.Bad(0, fmt.Sprintf("%d entries", h.entries), fmt.Sprintf("at most %d", int64(maxEntries)))
	}
	return nil
}

// edges is the number of edges that the header promises, -1 when it promises none.
func (h *header) edges() int64 {
	switch {
	case h.dense:
		return -1
	case h.symmetry == "skew-symmetric":
		return 2 * h.entries
	}
	return h.entries
}
