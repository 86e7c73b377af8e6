package parquet

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// parquet-go unpacks a page to its end, whatever size its header says. So a page is unpacked
// once before, piece by piece, and counted: this takes time, but no memory.

var errUnpacked = errors.New("it unpacks to more than it claims")

// unpacker counts what pages unpack to. It keeps a decoder for the next page.
type unpacker struct {
	window uint64 // the largest of zstd
	zstd   *zstd.Decoder
	gzip   *gzip.Reader
}

// check fails when what is packed in so many bytes of in is more than size.
func (u *unpacker) check(codec format.CompressionCodec, in io.Reader, packed, size int64) error {
	if packed == 0 {
		return nil
	}
	in = bufio.NewReader(io.LimitReader(in, packed))
	switch codec {
	case format.Uncompressed:
		if packed > size {
			return errUnpacked
		}
		return nil
	case format.Snappy: // which says its size, and is refused when that is not so
		claimed, err := binary.ReadUvarint(in.(*bufio.Reader))
		if err == nil && claimed > uint64(size) {
			err = errUnpacked
		}
		return err
	case format.Gzip:
		return u.checkGzip(in, size)
	case format.Zstd:
		return u.checkZstd(in, size)
	case format.Brotli:
		return counted(brotli.NewReader(in), size)
	case format.Lz4Raw:
		return checkLZ4(in, packed, size)
	}
	return fmt.Errorf("its pages are packed by %s, which is not supported", codec)
}

func (u *unpacker) checkGzip(in io.Reader, size int64) (err error) {
	if u.gzip == nil {
		u.gzip = new(gzip.Reader)
	}
	if err = u.gzip.Reset(in); err != nil {
		return err
	}
	return counted(u.gzip, size)
}

func (u *unpacker) checkZstd(in io.Reader, size int64) (err error) {
	if u.zstd == nil {
		u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(u.window))
		if err != nil {
			return err
		}
	}
	var head zstd.Header // says how large the window is, and so what decoding takes
	start, _ := in.(*bufio.Reader).Peek(zstd.HeaderMaxSize)
	if err := head.Decode(start); err != nil {
		return err
	}
	if head.HasFCS && head.FrameContentSize > uint64(size) {
		return errUnpacked
	}
	if err := u.zstd.Reset(in); err != nil {
		return err
	}
	return counted(u.zstd, size)
}

// checkLZ4 unpacks into memory that the header has been allowed: these blocks have no stream.
func checkLZ4(in io.Reader, packed, size int64) error {
	source := make([]byte, packed)
	if _, err := io.ReadFull(in, source); err != nil {
		return err
	}
	_, err := lz4.UncompressBlock(source, make([]byte, size))
	return err
}

// counted reads in to its end, which must come within size bytes.
func counted(in io.Reader, size int64) error {
	n, err := io.Copy(io.Discard, io.LimitReader(in, size+1))
	if err == nil && n > size {
		err = errUnpacked
	}
	return err
}

func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}
