package load

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"github.com/penstock-db/penstock/store/internal/sorting"
	"github.com/penstock-db/penstock/store/internal/space"
	"path/filepath"
	"sync"
)

// pairFiles keep entries of pairs in one file a bucket.
type pairFiles []*pairFile

type pairFile struct {
	space.TempFile
	mu      sync.Mutex
	out     *bufio.Writer
	entries int
}

func newPairFiles(dir string, n int) (files pairFiles, err error) {
	for i := range n {
		f, err := space.CreateTemp(dir, filepath.Join(dir, fmt.Sprintf("bucket-%d", i)))
		if err != nil {
			return nil, errors.Join(err, files.close())
		}
		files = append(files, &pairFile{TempFile: f, out: bufio.NewWriterSize(f, sorting.PartitionBuffer)})
	}
	return files, nil
}

// append may be called by several goroutines at once.
func (files pairFiles) append(bucket int, part sorting.Entries) error {
	f := files[bucket]
	f.mu.Lock()
	defer f.mu.Unlock()
	f.entries += len(part.Keys)
	for _, key := range part.Keys {
		if _, err := f.out.Write(binary.LittleEndian.AppendUint64(f.out.AvailableBuffer(), key)); err != nil {
			return err
		}
	}
	return nil
}

// segment is how many entries are read at a time.
const segment = 1 << 15

// each is the entrySource of one bucket.
func (files pairFiles) each(ctx context.Context, p *pairs, bucket int,
	use func(worker int, some sorting.Entries) error) error {
	f := files[bucket]
	if err := f.out.Flush(); err != nil {
		return err
	}
	return p.inParallel(ctx, (f.entries+segment-1)/segment, func(worker int) func(int) error {
		bytes, keys := make([]byte, segment*pairBytes), make([]uint64, segment)
		return func(i int) error {
			n := min(segment, f.entries-i*segment)
			if _, err := f.ReadAt(bytes[:n*pairBytes], int64(i)*segment*pairBytes); err != nil {
				return err
			}
			for j := range n {
				keys[j] = binary.LittleEndian.Uint64(bytes[j*pairBytes:])
			}
			return use(worker, sorting.Entries{Keys: keys[:n]})
		}
	})
}

// close removes the files.
func (files pairFiles) close() error {
	var err error
	for _, f := range files {
		err = errors.Join(err, f.Remove())
	}
	return err
}
