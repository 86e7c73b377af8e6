package parquet

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
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

// checkFooter refuses a file whose footer would be longer than the file.
func (f *file) checkFooter(size int64) error {
	var tail [footerTail]byte
	if size < footerTail+magicSize {
		return fmt.Errorf("%d bytes are too few", size)
	}
	if _, err := f.raw.ReadAt(tail[:], size-footerTail); err != nil {
		return err
	}
	if n := int64(binary.LittleEndian.Uint32(tail[:])); n > size-footerTail-magicSize {
		return fmt.Errorf("its footer claims %d bytes of %d", n, size)
	}
	return nil
}

// checkPages reads the header of every page. It keeps none.
func (f *file) checkPages(size int64) error {
	for _, group := range f.content.Metadata().RowGroups {
		for _, c := range group.Columns {
			if err := f.checkColumn(c.MetaData, size); err != nil {
				return fmt.Errorf("column %v: %w", c.MetaData.PathInSchema, err)
			}
		}
	}
	return nil
}

func (f *file) checkColumn(c format.ColumnMetaData, size int64) error {
	at := c.DataPageOffset
	if c.DictionaryPageOffset > 0 && c.DictionaryPageOffset < at {
		at = c.DictionaryPageOffset
	}
	end := at + c.TotalCompressedSize
	if at < 0 || c.TotalCompressedSize < 0 || end > size {
		return fmt.Errorf("it claims bytes %d to %d of %d", at, end, size)
	}
	for at < end {
		length, err := f.checkPage(at, end, c.NumValues)
		if err != nil {
			return fmt.Errorf("page at byte %d: %w", at, err)
		}
		at += length
	}
	return nil
}

// checkPage returns the length of the page at byte at, with its header.
func (f *file) checkPage(at, end, values int64) (int64, error) {
	section := io.NewSectionReader(f.raw, at, end-at)
	buffered := bufio.NewReader(section)
	var header format.PageHeader
	if err := thrift.NewDecoder(new(thrift.CompactProtocol).NewReader(buffered)).Decode(&header); err != nil {
		return 0, err
	}
	read, err := section.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	headerSize, page := read-int64(buffered.Buffered()), int64(header.CompressedPageSize)
	if page < 0 || page > end-at-headerSize || header.UncompressedPageSize > maxPageBytes {
		return 0, fmt.Errorf("it claims %d bytes, %d when unpacked", page, header.UncompressedPageSize)
	}
	if n, most := pageValues(header, values); n > most {
		return 0, fmt.Errorf("it claims %d values, which can be %d at the most", n, most)
	}
	return headerSize + page, nil
}

// pageValues are the values that a page claims, and how many they can be: a data page has
// no more than its column, a dictionary may have entries that are not used.
func pageValues(header format.PageHeader, column int64) (n, most int64) {
	if header.DictionaryPageHeader.Valid {
		return int64(header.DictionaryPageHeader.V.NumValues), maxPageValues
	}
	return int64(max(header.DataPageHeader.V.NumValues, header.DataPageHeaderV2.V.NumValues)), min(column, maxPageValues)
}

// openContent reads the footer and checks what it leads to.
func (f *file) openContent(size int64, read *progress) error {
	err := f.checkFooter(size)
	if err != nil {
		return err
	}
	f.content, err = parquet.OpenFile(&countingReader{f.raw, read}, size,
		parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	return f.checkPages(size)
}
