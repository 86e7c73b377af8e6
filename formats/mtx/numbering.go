package mtx

import (
	"bufio"
	"encoding/csv"
	"errors"
	"os"
	"strconv"

	"github.com/penstock-db/penstock/formats"
)

// numbering numbers ids from 1 in the order in which they are first seen.
type numbering struct {
	ints    map[int64]int64
	strings map[string]int64
	ids     formats.IDs // in the order of their numbers
	named   bool        // some id is not its own number
}

func newNumbering() *numbering {
	return &numbering{ints: map[int64]int64{}, strings: map[string]int64{}}
}

func (n *numbering) len() int { return n.ids.Len() }

// of is the number of the id in row i of ids.
func (n *numbering) of(ids formats.IDs, i int) int64 {
	integer, text := ids.At(i)
	if text != "" {
		number, known := n.strings[text]
		if !known {
			n.ids.Append(text)
			number = int64(n.len())
			n.strings[text] = number
			n.named = true
		}
		return number
	}
	number, known := n.ints[integer]
	if !known {
		n.ids.AppendInt(integer)
		number = int64(n.len())
		n.ints[integer] = number
		n.named = n.named || number != integer
	}
	return number
}

// write writes the table of numbers and ids, unless every id is its own number.
func (n *numbering) write(path string) (err error) {
	if !n.named {
		return nil
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	buffer := bufio.NewWriterSize(file, 64<<10)
	out := csv.NewWriter(buffer)
	record := []string{"number", "id"}
	for i := 0; ; i++ {
		if err := out.Write(record); err != nil {
			return err
		}
		if i == n.len() {
			break
		}
		record[0], record[1] = strconv.Itoa(i+1), n.ids.Text(i)
	}
	out.Flush()
	return errors.Join(out.Error(), buffer.Flush())
}
