package loadcsv

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/regular"
)

// open opens the file that a URL names, below the folder and nowhere else.
func open(folder, address string) (io.ReadCloser, error) {
	if folder == "" {
		return nil, fault.Met(fault.ArgumentError, "InvalidFile",
			"LOAD CSV %s: no files are read here: --import DIR names the folder that they may be read from", address)
	}
	path, err := pathOf(folder, address)
	if err != nil {
		return nil, err
	}
	file, err := regular.OpenIn(folder, path)
	if err != nil {
		return nil, unreadable(address, fmt.Errorf("in %s: %w", folder, bare(err)))
	}
	in, err := unpacked(file, path)
	if err != nil {
		return nil, unreadable(address, errors.Join(err, file.Close()))
	}
	return in, nil
}

// pathOf is the path of a file: URL below the folder, which the URL may name, too.
func pathOf(folder, address string) (string, error) {
	path := address
	if scheme, _, found := strings.Cut(address, "://"); found {
		u, err := url.Parse(address)
		if err != nil || scheme != "file" || u.Host != "" {
			return "", fault.Met(fault.ArgumentError, "InvalidFile",
				"LOAD CSV %s: only files of this machine are read: copy it to %s, and name it by file:///NAME", address, folder)
		}
		path = u.Path
	}
	if whole, err := filepath.Abs(folder); err == nil {
		if below, err := filepath.Rel(whole, path); err == nil && filepath.IsLocal(below) {
			return below, nil
		}
	}
	return strings.TrimLeft(path, "/"), nil
}

// unpacked is the text of a file, after the mark of UTF-8 that may stand before it.
func unpacked(file *os.File, path string) (io.ReadCloser, error) {
	var in io.Reader = file
	if strings.HasSuffix(path, ".gz") {
		packed, err := gzip.NewReader(file)
		if err != nil {
			return nil, err
		}
		in = packed
	}
	text := bufio.NewReader(in)
	if mark, _ := text.Peek(3); string(mark) == "\xef\xbb\xbf" {
		if _, err := text.Discard(len(mark)); err != nil {
			return nil, err
		}
	}
	return &opened{text, file}, nil
}

// opened is a text, and the file to close.
type opened struct {
	io.Reader
	io.Closer
}

func unreadable(address string, err error) error {
	return fault.Met(fault.ArgumentError, "InvalidFile", "LOAD CSV %s: %v", address, err)
}

// bare is an error without the name of the file, which the message has already.
func bare(err error) error {
	if path := (*os.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}
