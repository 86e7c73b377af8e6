package sorting

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"github.com/penstock-db/penstock/store/internal/space"
	"io"
	"path/filepath"
	"sort"
)

// PartitionBuffer is what one bucket's file takes in memory while it is written.
const PartitionBuffer = 32 << 10

// partition writes entries to one file a bucket: length of the rest 4, row 4,
// neighbor 4, rest. Entries outside all buckets are passed over.
type partition struct {
	buckets []Bucket
	files   []space.TempFile
	out     []*bufio.Writer
	rests   []int64 // by file: bytes of all rests
}

func newPartition(dir string, buckets []Bucket) (*partition, error) {
	p := &partition{buckets: buckets, rests: make([]int64, len(buckets))}
	for i := range buckets {
		f, err := space.CreateTemp(dir, filepath.Join(dir, fmt.Sprintf("bucket-%d", i)))
		if err != nil {
			return nil, errors.Join(err, p.close())
		}
		p.files = append(p.files, f)
		p.out = append(p.out, bufio.NewWriterSize(f, PartitionBuffer))
	}
	return p, nil
}

func (p *partition) add(row, neighbor uint32, rest []byte) error {
	i := sort.Search(len(p.buckets), func(i int) bool { return uint64(row) < p.buckets[i].End() })
	if i == len(p.buckets) || uint64(row) < p.buckets[i].First() {
		return nil
	}
	var head [12]byte
	binary.LittleEndian.PutUint32(head[:], uint32(len(rest)))
	binary.LittleEndian.PutUint32(head[4:], row)
	binary.LittleEndian.PutUint32(head[8:], neighbor)
	if _, err := p.out[i].Write(head[:]); err != nil {
		return err
	}
	p.rests[i] += int64(len(rest))
	_, err := p.out[i].Write(rest)
	return err
}

// flush ends the writing.
func (p *partition) flush() error {
	var err error
	for _, w := range p.out {
		err = errors.Join(err, w.Flush())
	}
	p.out = nil
	return err
}

// read adds the entries of bucket i to set, in the order in which they were written.
func (p *partition) read(i int, set *EdgeSet) error {
	in := bufio.NewReaderSize(io.NewSectionReader(p.files[i], 0, 1<<62), spoolBuffer)
	var head [12]byte
	var rest []byte
	for {
		if _, err := io.ReadFull(in, head[:]); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		n := int(binary.LittleEndian.Uint32(head[:]))
		if cap(rest) < n {
			rest = make([]byte, n)
		}
		if _, err := io.ReadFull(in, rest[:n]); err != nil {
			return err
		}
		set.add(binary.LittleEndian.Uint32(head[4:]), binary.LittleEndian.Uint32(head[8:]), rest[:n])
	}
}

// close removes the files.
func (p *partition) close() error {
	var err error
	for _, f := range p.files {
		err = errors.Join(err, f.Remove())
	}
	return err
}
