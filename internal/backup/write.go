package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"

	"github.com/penstock-db/penstock/store"
)

// Options say how a backup is written. The zero value makes a full one.
type Options struct {
	Base     *Base  // of the backup that this one follows; nil: it is a full one
	Compress bool   // pack with zstd what that makes smaller
	Penstock string // the version of the program
	// Progress is told of every value how many are done, of those that the graphs name.
	Progress func(done, total int64)
}

// Write writes a backup of all graphs, as they are when it begins, to w. dir is where the
// database lies. Writers do not wait for it.
//
// Errors: *store.DamagedError, *DivergedError, and those of w.
func Write(ctx context.Context, db *store.DB, dir string, w io.Writer, options Options) error {
	capture, err := db.Capture()
	if err != nil {
		return err
	}
	defer capture.Close()
	out := &recordWriter{to: w, hash: sha256.New()}
	pairs := batch{to: out, kind: valueRecord}
	if options.Compress {
		if pairs.packer, err = newPacker(); err != nil {
			return err
		}
		defer pairs.packer.Close()
	}
	if err := writeHeader(out, options); err != nil {
		return err
	}
	c, err := writeGraphs(ctx, capture, &pairs, options)
	if err == nil {
		err = errors.Join(pairs.flush(), writeBeside(dir, out))
	}
	if err != nil {
		return err
	}
	at := out.offset
	if err := c.write(out); err != nil {
		return err
	}
	end, err := trailer{at, hex.EncodeToString(out.hash.Sum(nil))}.encode()
	return errors.Join(err, out.write(end))
}

func writeHeader(out *recordWriter, options Options) error {
	header := Header{Penstock: options.Penstock}
	if options.Base != nil {
		header.Previous = &options.Base.previous
	}
	payload, err := json.Marshal(header)
	return errors.Join(err, out.write([]byte(magic)), out.record(headerRecord, payload))
}

// writeGraphs writes what the graphs consist of and the base lacks.
func writeGraphs(ctx context.Context, capture *store.Capture, pairs *batch, options Options) (*contents, error) {
	c := &contents{prints: map[string]uint64{}, end: End{Time: capture.Time, Generation: capture.Generation}}
	base := options.Base
	if base == nil {
		base = &Base{contents: &contents{}}
	}
	if base.contents.end.Generation > capture.Generation {
		return nil, base.diverged("", "it is of a later state")
	}
	values := &valueWriter{pairs: pairs, base: base, contents: c, progress: options.Progress}
	for _, g := range capture.Graphs {
		for range g.Manifest().Stored() {
			values.total++
		}
	}
	for _, g := range capture.Graphs {
		for v := range g.Manifest().Stored() {
			if err := values.write(ctx, g.Snapshot, v); err != nil {
				return nil, err
			}
		}
		written, err := writeCommits(ctx, g, pairs, base)
		if err != nil {
			return nil, err
		}
		c.graphs = append(c.graphs, written)
	}
	return c, nil
}

// valueWriter writes values, each into memory of the one before.
type valueWriter struct {
	pairs    *batch
	base     *Base
	contents *contents
	buffer   []byte
	total    int64
	progress func(done, total int64)
}

func (w *valueWriter) write(ctx context.Context, s *store.Snapshot, v store.Stored) error {
	end := &w.contents.end
	if print, ok := w.base.contents.prints[string(v.Key)]; ok {
		now, err := s.FingerprintStored(v)
		if err != nil {
			return err
		}
		if now != print {
			return w.base.diverged(s.Manifest().Graph, "it has other chunks or columns in the same place")
		}
		w.contents.prints[string(v.Key)] = print
		end.Inherited++
		return ctx.Err()
	}
	value, err := s.ReadStored(ctx, v, w.buffer)
	if err != nil {
		return err
	}
	w.buffer = value
	w.contents.prints[string(v.Key)] = store.Fingerprint(v.Key, value)
	end.Values++
	if w.progress != nil {
		w.progress(int64(end.Values+end.Inherited), w.total)
	}
	return w.pairs.add(v.Key, value)
}

// writeCommits writes the commits of a graph's log that the base lacks.
func writeCommits(ctx context.Context, g store.Captured, pairs *batch, base *Base) (Graph, error) {
	written := Graph{Manifest: g.Manifest(), Commits: g.Commits, Held: g.Commits}
	if before := base.commits(g.Manifest().LogID()); before != nil && before.Commits > 0 {
		if err := base.checkCommits(ctx, g, before); err != nil {
			return written, err
		}
		written.Held -= before.Commits
		written.last = before.last
	}
	for number := g.Commits - written.Held + 1; number <= g.Commits; number++ {
		err := g.ReadStoredCommit(ctx, number, func(key, value []byte) error {
			if _, _, part, _ := store.CommitOf(key); part == 0 {
				written.last = store.Fingerprint(key, value)
			}
			return pairs.add(key, value)
		})
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// commits is the graph with this log; nil: there is none.
func (b *Base) commits(log uint64) *Graph {
	for i, g := range b.contents.graphs {
		if g.Manifest.LogID() == log {
			return &b.contents.graphs[i]
		}
	}
	return nil
}

// checkCommits checks that the log goes on where the base ends: no other commit has its time
// and changes.
func (b *Base) checkCommits(ctx context.Context, g store.Captured, before *Graph) error {
	if before.Commits > g.Commits {
		return b.diverged(g.Manifest().Graph, "it has more commits")
	}
	return g.ReadStoredCommit(ctx, before.Commits, func(key, value []byte) error {
		if _, _, part, _ := store.CommitOf(key); part == 0 && store.Fingerprint(key, value) != before.last {
			return b.diverged(g.Manifest().Graph, "it has other commits")
		}
		return nil
	})
}

func (b *Base) diverged(graph, reason string) error {
	return &DivergedError{Previous: b.previous.File, Graph: graph, Reason: reason}
}
