package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/penstock-db/penstock/formats"
)

// parquet-go takes the memory that a file asks for before it looks whether the file has
// as much. So what a file claims is compared with what it has, and with these bounds,
// before parquet-go reads it. Common writers make pages of about a megabyte.
const (
	maxPageBytes  = 256 << 20
	maxPageValues = 64 << 20
	footerTail    = 8 // length of the footer, then "PAR1"
	magicSize     = 4
)

// Of the memory of a load, a footerShare-th is for the description of the file or a page, and a
// pageShare-th for one page of each column and the dictionaries of a row group.
const footerShare, leastFooter = 8, 4 << 20
const pageShare, leastPages = 4, 4 << 20

// valueBytes is what a value of a page takes beside its text: an index and its levels.
const valueBytes = 8

// footerMemory is what the description of a file may take.
func (f *file) footerMemory() int64 {
	if f.opts.Memory <= 0 {
		return 1 << 30
	}
	return max(f.opts.Memory/footerShare, leastFooter)
}

// pageMemory is what the pages held at a time may take together.
func (f *file) pageMemory() int64 {
	if f.opts.Memory <= 0 {
		return math.MaxInt64
	}
	return max(f.opts.Memory/pageShare, leastPages)
}

// checkFooter refuses a file whose footer claims more than the file has, or takes too much.
func (f *file) checkFooter(size int64) error {
	var tail [footerTail]byte
	if size < footerTail+magicSize {
		return fmt.Errorf("%d bytes are too few", size)
	}
	if _, err := f.raw.ReadAt(tail[:], size-footerTail); err != nil {
		return err
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n > size-footerTail-magicSize {
		return fmt.Errorf("its footer claims %d bytes of %d", n, size)
	}
	if err := weigh(io.NewSectionReader(f.raw, size-footerTail-n, n), n, f.footerMemory()-n); err != nil {
		return fmt.Errorf("its footer: %w", err)
	}
	return nil
}

// checkGroup reads and unpacks every page of a row group. It keeps none.
func (f *file) checkGroup(number int) error {
	info, err := f.raw.Stat()
	if err != nil {
		return err
	}
	unpack := &unpacker{window: uint64(min(maxPageBytes, max(f.pageMemory(), leastPages)))}
	defer unpack.close()
	together := int64(0)
	for _, c := range f.content.Metadata().RowGroups[number].Columns {
		held, err := f.checkColumn(unpack, c.MetaData, info.Size())
		if err != nil {
			return fmt.Errorf("column %v: %w", c.MetaData.PathInSchema, err)
		}
		if together += held; together > f.pageMemory() {
			return formats.TooLarge(f.at(0), fmt.Sprintf("row group %d, whose pages and dictionaries are", number),
				f.pageMemory(), "bytes at a time",
				"smaller pages, or more memory (--memory)")
		}
	}
	return nil
}

// checkColumn returns what the largest page and the dictionary take.
func (f *file) checkColumn(unpack *unpacker, c format.ColumnMetaData, size int64) (int64, error) {
	at := c.DataPageOffset
	if c.DictionaryPageOffset > 0 && c.DictionaryPageOffset < at {
		at = c.DictionaryPageOffset
	}
	end := at + c.TotalCompressedSize
	if at < 0 || c.TotalCompressedSize < 0 || end > size {
		return 0, fmt.Errorf("it claims bytes %d to %d of %d", at, end, size)
	}
	var dictionary, page int64
	for at < end {
		header, length, err := f.checkPage(at, end, c.NumValues)
		if err != nil {
			return 0, fmt.Errorf("page at byte %d: %w", at, err)
		}
		packed, levels := int64(header.CompressedPageSize), levelBytes(header)
		if levels < 0 || levels > packed {
			return 0, fmt.Errorf("page at byte %d: it claims %d bytes of levels of %d", at, levels, packed)
		}
		content := io.NewSectionReader(f.raw, at+length-packed+levels, packed-levels)
		if err := unpack.check(codecOf(c, header), content, packed-levels,
			int64(header.UncompressedPageSize)-levels); err != nil {
			return 0, fmt.Errorf("page at byte %d: %w", at, err)
		}
		values, _ := pageValues(header, 0)
		held := int64(header.UncompressedPageSize) + valueBytes*values
		if header.DictionaryPageHeader.Valid {
			dictionary = max(dictionary, held)
		} else {
			page = max(page, held)
		}
		at += length
	}
	return dictionary + page, nil
}

// levelBytes are those of a page's levels that are not packed with it.
func levelBytes(header *format.PageHeader) int64 {
	v2 := header.DataPageHeaderV2
	if !v2.Valid {
		return 0
	}
	return int64(v2.V.RepetitionLevelsByteLength) + int64(v2.V.DefinitionLevelsByteLength)
}

// codecOf is what a page of a column is packed with.
func codecOf(c format.ColumnMetaData, header *format.PageHeader) format.CompressionCodec {
	if v2 := header.DataPageHeaderV2; v2.Valid && v2.V.IsCompressed.Valid && !v2.V.IsCompressed.V {
		return format.Uncompressed
	}
	return c.Codec
}

// checkPage reads the header of the page at byte at and returns the length of both.
func (f *file) checkPage(at, end, values int64) (*format.PageHeader, int64, error) {
	section := func() *io.SectionReader { return io.NewSectionReader(f.raw, at, end-at) }
	if err := weigh(section(), end-at, f.footerMemory()); err != nil {
		return nil, 0, err
	}
	header := new(format.PageHeader)
	reader := new(thrift.CompactProtocol).NewReader(section())
	if err := thrift.NewDecoder(reader).Decode(header); err != nil {
		return nil, 0, err
	}
	headerSize, page := int64(reader.BytesRead()), int64(header.CompressedPageSize)
	if page < 0 || page > end-at-headerSize || header.UncompressedPageSize < 0 ||
		header.UncompressedPageSize > maxPageBytes {
		return nil, 0, fmt.Errorf("it claims %d bytes, %d when unpacked", page, header.UncompressedPageSize)
	}
	if n, most := pageValues(header, values); n < 0 || n > most {
		return nil, 0, fmt.Errorf("it claims %d values, which can be %d at the most", n, most)
	}
	return header, headerSize + page, nil
}

// pageValues are the values that a page claims, and how many they can be: a data page has
// no more than its column, a dictionary may have entries that are not used.
func pageValues(header *format.PageHeader, column int64) (n, most int64) {
	if header.DictionaryPageHeader.Valid {
		return int64(header.DictionaryPageHeader.V.NumValues), maxPageValues
	}
	return int64(max(header.DataPageHeader.V.NumValues, header.DataPageHeaderV2.V.NumValues)), min(column, maxPageValues)
}

// openContent reads the footer, once it is checked.
func (f *file) openContent(size int64, read *progress) error {
	err := f.checkFooter(size)
	if err != nil {
		return err
	}
	f.content, err = parquet.OpenFile(&countingReader{f.raw, read}, size,
		parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	return err
}
