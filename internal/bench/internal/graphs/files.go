package graphs

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
)

// maxWeight is the largest weight, as in GAPBS.
const maxWeight = 255

// Weight is an integer from 1 to maxWeight that looks drawn, and is the same for everybody:
// SplitMix64's finisher.
func Weight(edge uint64) uint64 {
	edge = (edge ^ edge>>30) * 0xbf58476d1ce4e5b9
	edge = (edge ^ edge>>27) * 0x94d049bb133111eb
	return (edge^edge>>31)%maxWeight + 1
}

// writeText writes a line for each edge: source, target and, if asked, weight.
func writeText(name string, edges []uint64, weighted bool) error {
	return WriteFile(name, "", edges, func(line []byte, e uint64) []byte {
		line = append(strconv.AppendUint(line, e>>32, 10), ' ')
		line = strconv.AppendUint(line, uint64(uint32(e)), 10)
		if weighted {
			line = strconv.AppendUint(append(line, ' '), Weight(e), 10)
		}
		return append(line, '\n')
	})
}

// writePairs writes each edge in both directions, as pairs of 32-bit integers: GridGraph's input.
func writePairs(name string, edges []uint64) error {
	return WriteFile(name, "", edges, func(pair []byte, e uint64) []byte {
		u, v := uint32(e>>32), uint32(e)
		for _, x := range [4]uint32{u, v, v, u} {
			pair = binary.LittleEndian.AppendUint32(pair, x)
		}
		return pair
	})
}

// WriteFile writes a heading, and what is appended for each item.
func WriteFile(name, heading string, items []uint64, appendItem func([]byte, uint64) []byte) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	buf := []byte(heading)
	if _, err := w.Write(buf); err != nil {
		return err
	}
	for _, item := range items {
		buf = appendItem(buf[:0], item)
		if _, err := w.Write(buf); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return w.Flush()
}
