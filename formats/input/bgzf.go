package input

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"

	"github.com/klauspost/compress/gzip"
)

// bgzf reads the gzip files of bgzip, whose members of at most 64 KiB of content say how
// long they are (SAM/BAM format specification, section 4.1), so that many are unpacked at
// a time:
//
//	file ─runs of members─▶ unpacked, each by a goroutine ─in the file's order─▶ Read
//
// What members say is believed, or the archive is damaged. From one on that says nothing
// it is any gzip file.
type bgzf struct {
	raw     *bufio.Reader
	ahead   []*memberRun // in the order of the file
	current *memberRun
	content []byte // of current, to be read
	ended   bool   // with an empty member
	err     error  // what ended the members
	rest    io.Reader
}

const (
	memberContent = 64 << 10
	runMembers    = 16
	memberHeader  = 18 // up to the length
)

// newBGZF is nil unless the file begins with such a member.
func newBGZF(raw *bufio.Reader) *bgzf {
	if memberLength(raw) == 0 {
		return nil
	}
	return &bgzf{raw: raw}
}

// memberLength is what the next member says its length is, 0 when it does not.
func memberLength(raw *bufio.Reader) int {
	header, _ := raw.Peek(memberHeader)
	if len(header) < memberHeader || !bytes.HasPrefix(header, []byte{0x1f, 0x8b, 8, 4}) ||
		!bytes.Equal(header[10:16], []byte{6, 0, 'B', 'C', 2, 0}) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(header[16:])) + 1
}

func (b *bgzf) Read(p []byte) (int, error) {
	for len(b.content) == 0 {
		if b.current != nil && b.current.err != nil {
			return 0, b.current.err
		}
		if b.readAhead(); len(b.ahead) == 0 {
			return b.readRest(p)
		}
		b.current, b.ahead = b.ahead[0], b.ahead[1:]
		<-b.current.done
		b.content = b.current.content
	}
	n := copy(p, b.content)
	b.content = b.content[n:]
	return n, nil
}

// readAhead lets two runs a processor be unpacked.
func (b *bgzf) readAhead() {
	for len(b.ahead) < 2*runtime.GOMAXPROCS(0) && b.err == nil && b.rest == nil {
		packed := b.readRun()
		if len(packed) == 0 {
			return
		}
		run := &memberRun{packed: packed, done: make(chan struct{})}
		b.ahead = append(b.ahead, run)
		go run.unpack()
	}
}

// readRun is the next members that say their length.
func (b *bgzf) readRun() (packed []byte) {
	for range runMembers {
		length := memberLength(b.raw)
		if length == 0 {
			break
		}
		from := len(packed)
		packed = append(packed, make([]byte, length)...)
		n, err := io.ReadFull(b.raw, packed[from:])
		if err != nil {
			b.err = err
			return packed[:from+n]
		}
		b.ended = bytes.HasSuffix(packed, make([]byte, 4)) // the length of the content
	}
	return packed
}

// readRest reads what follows the members that say their length. Where the file ends
// after them, it ends with an empty one, or has been cut short.
func (b *bgzf) readRest(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	if b.rest == nil {
		if _, err := b.raw.Peek(1); errors.Is(err, io.EOF) && !b.ended {
			b.err = io.ErrUnexpectedEOF
		} else if err != nil {
			b.err = err
		} else if b.rest, b.err = gzip.NewReader(b.raw); errors.Is(b.err, io.EOF) {
			b.err = io.ErrUnexpectedEOF
		}
		if b.err != nil {
			return 0, b.err
		}
	}
	return b.rest.Read(p)
}

// memberRun is some members on their way.
type memberRun struct {
	packed, content []byte
	err             error // after content
	done            chan struct{}
}

func (r *memberRun) unpack() {
	defer close(r.done)
	members, err := gzip.NewReader(bytes.NewReader(r.packed))
	if err != nil {
		r.err = err
		return
	}
	const most = runMembers * memberContent
	content := bytes.NewBuffer(make([]byte, 0, most+bytes.MinRead))
	_, r.err = content.ReadFrom(io.LimitReader(members, most+1))
	if content.Len() > most {
		r.err = gzip.ErrHeader // longer than members can be
	}
	r.content = content.Bytes()
	if errors.Is(r.err, io.EOF) {
		r.err = io.ErrUnexpectedEOF
	}
}
