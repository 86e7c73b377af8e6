package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// ErrNoServer says that no server has the database open, or none to whose socket this user has access.
var ErrNoServer = errors.New("no server answers")

// ErrEnded says that the server did not live to send all.
var ErrEnded = errors.New("the server has ended before the backup was whole; make another")

// Fetch asks the server of a database for a backup and writes it to w.
//
// Errors: ErrNoServer, ErrEnded; what the server says; those of w.
func Fetch(ctx context.Context, database string, r Request, w io.Writer) error {
	client := &http.Client{Transport: &http.Transport{
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, database) },
		DisableKeepAlives: true,
	}}
	query := url.Values{"since": {r.Since}, "compress": {strconv.FormatBool(r.Compress)}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://penstock/backup?"+query.Encode(),
		bytes.NewReader(r.Tail))
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return ended(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, err := io.ReadAll(io.LimitReader(response.Body, 1<<16))
		if err != nil {
			return err
		}
		return errors.New(strings.TrimSpace(string(text)))
	}
	if _, err := io.Copy(w, response.Body); err != nil {
		return ended(err)
	}
	if text := response.Trailer.Get(errTrailer); text != "" {
		return errors.New(text)
	}
	return nil
}

// ended tells the end of the server from other errors.
func ended(err error) error {
	for _, sign := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, sign) {
			return ErrEnded
		}
	}
	return err
}

func dial(ctx context.Context, database string) (net.Conn, error) {
	path, release, err := shortPath(filepath.Join(database, folder))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoServer, err)
	}
	defer release()
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("%w: %w", ErrNoServer, err)
	}
	return conn, err
}
