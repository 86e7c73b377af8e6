package input

import (
	"context"
	"errors"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/penstock-db/penstock/formats"
)

// Parser turns blocks of lines into batches, one block at a time.
type Parser interface {
	// Parse gathers the rows of a block: at most formats.BatchRows, or a long one. Lines are numbered from the block's
	// first. It may run on any goroutine.
	Parse(block *Lines) error
	// Flush hands on what was gathered. before is how many lines precede the block. It
	// runs on the goroutine that called Lines.Parse, in the order of the file.
	Flush(before int64) error
	Release()
}

// maxParsers bounds the memory of Parse; so many parse faster than one consumer takes.
const maxParsers = 16

// Parse reads the rest of the file, from the line after this one or, after Back, from
// this one on:
//
//	file ─blocks of whole rows─▶ parsers, one a processor ─in the file's order─▶ Flush
//
// What it returns, the first error in the order of the file above all, does not depend
// on the number of processors. It holds two parsers a processor, each with a block of
// as many rows as a batch has at the most, were they as short as can be. A row that is longer
// than a block is parsed alone, so that only one such row is held at a time.
func (l *Lines) Parse(ctx context.Context, cut Blocks, newParser func() Parser) error {
	n := min(maxParsers, runtime.GOMAXPROCS(0))
	p := &parsing{
		blocks: blocks{Blocks: cut, file: l.file, limit: l.limit}, before: l.number,
		blockSize: cut.size(), free: make(chan *parsed, 2*n), work: make(chan *parsed, 2*n), order: make(chan *parsed, 2*n),
	}
	if l.back {
		p.blocks.tail = append(append(p.blocks.tail, l.line...), l.end...)
		p.before--
	}
	for range 2 * n {
		parser := newParser()
		defer parser.Release()
		p.free <- &parsed{parser: parser, done: make(chan struct{}, 1), lines: Lines{file: l.file, inBlock: true}}
	}
	return p.run(ctx, n)
}

// parsed is a block on its way.
type parsed struct {
	parser Parser
	text   []byte
	lines  Lines
	err    error
	done   chan struct{}
}

type parsing struct {
	blocks            blocks
	blockSize         int
	before            int64 // lines handed on
	free, work, order chan *parsed
}

func (p *parsing) run(ctx context.Context, parsers int) error {
	reading, stop := context.WithCancel(ctx)
	var group errgroup.Group
	group.Go(func() error { p.read(reading); return nil })
	for range parsers {
		group.Go(func() error { p.parse(); return nil })
	}
	err := p.flush(ctx)
	stop()
	return errors.Join(err, group.Wait())
}

// read cuts the file into blocks until it ends or ctx does.
func (p *parsing) read(ctx context.Context) {
	defer close(p.order)
	defer close(p.work)
	for b := p.take(ctx); b != nil; b = p.take(ctx) {
		if b.text = p.blocks.next(b.text); len(b.text) == 0 {
			return
		}
		if len(b.text) <= p.blockSize {
			p.work <- b
			p.order <- b
		} else if !p.alone(ctx, b) {
			return
		}
	}
}

// take waits for a parser that is free; nil: ctx has ended.
func (p *parsing) take(ctx context.Context) *parsed {
	select {
	case <-ctx.Done():
		return nil
	case b := <-p.free:
		return b
	}
}

// alone has a long row parsed while all others wait, and gives its memory back. It is false
// when ctx ends meanwhile.
func (p *parsing) alone(ctx context.Context, b *parsed) bool {
	others := make([]*parsed, 0, cap(p.free)-1)
	for len(others) < cap(others) {
		other := p.take(ctx)
		if other == nil {
			return false
		}
		others = append(others, other)
	}
	p.work <- b
	p.order <- b
	if b = p.take(ctx); b == nil {
		return false
	}
	b.text, b.lines = nil, Lines{file: p.blocks.file, inBlock: true}
	for _, each := range append(others, b) {
		p.free <- each
	}
	return true
}

func (p *parsing) parse() {
	for b := range p.work {
		b.lines.reset(b.text)
		b.err = b.parser.Parse(&b.lines)
		b.done <- struct{}{}
	}
}

// flush hands the blocks on in the order of the file.
func (p *parsing) flush(ctx context.Context) error {
	for b := range p.order {
		<-b.done
		if b.err != nil {
			return moved(b.err, p.before)
		}
		if err := b.parser.Flush(p.before); err != nil {
			return err
		}
		p.before += b.lines.number
		p.free <- b
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.blocks.failure(p.before)
}

// moved is err that many lines further down.
func moved(err error, lines int64) error {
	var failure *formats.ParseError
	if errors.As(err, &failure) && failure.Line > 0 {
		failure.Line += lines
	}
	return err
}
