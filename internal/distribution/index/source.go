package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/penstock-db/penstock/internal/regular"
)

// Source is where an index and its packages are.
type Source struct {
	Location string // an absolute path of a folder, or a URL without a slash at its end
	open     func(ctx context.Context, name string) (io.ReadCloser, error)
}

// At is the source at a location: the URL or the path of a folder.
func At(location string) (Source, error) {
	if strings.HasPrefix(location, "http://") || strings.HasPrefix(location, "https://") {
		base, err := url.Parse(location)
		if err != nil || base.Host == "" || base.RawQuery != "" || base.Fragment != "" || base.User != nil {
			return Source{}, fmt.Errorf("%q is no URL of a folder, such as https://example.org/plugins", location)
		}
		location = strings.TrimSuffix(base.String(), "/")
		return Source{location, func(ctx context.Context, name string) (io.ReadCloser, error) {
			return get(ctx, location+"/"+name, silence)
		}}, nil
	}
	if scheme, _, ok := strings.Cut(location, "://"); ok {
		return Source{}, fmt.Errorf("%q: of %s nothing is known: an index is a folder, or at http:// or https://", location, scheme)
	}
	folder, err := filepath.Abs(location)
	return Source{folder, func(_ context.Context, name string) (io.ReadCloser, error) {
		return regular.OpenIn(folder, name)
	}}, err
}

// Open opens a file beside the index. One that is not there is fs.ErrNotExist.
func (s Source) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	return s.open(ctx, name)
}

// ReadAll reads a file of at most so many bytes.
func (s Source) ReadAll(ctx context.Context, name string, most int64) ([]byte, error) {
	file, err := s.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("%s of %s has more than %d bytes", name, s.Location, most)
	}
	return text, err
}

// silence is how long a server may say nothing, before it answers and then.
const silence = 30 * time.Second

// client follows redirections, but never from https to http.
var client = &http.Client{
	Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: silence}).DialContext,
		ResponseHeaderTimeout: silence, TLSHandshakeTimeout: silence, DisableCompression: true},
	CheckRedirect: func(to *http.Request, via []*http.Request) error {
		switch {
		case len(via) >= 5:
			return errors.New("it redirects more than 5 times")
		case via[0].URL.Scheme == "https" && to.URL.Scheme != "https":
			return fmt.Errorf("it redirects to %s, which is not encrypted", to.URL)
		}
		return nil
	},
}

// get is the content at an address, in which the server is never silent for longer than so long.
func get(ctx context.Context, address string, silence time.Duration) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	answer, err := client.Do(request)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	if answer.StatusCode == http.StatusOK {
		return &content{ReadCloser: answer.Body, address: address, ctx: ctx, cancel: cancel, silence: silence,
			began: time.Now()}, nil
	}
	answer.Body.Close()
	cancel(nil)
	if answer.StatusCode == http.StatusNotFound {
		return nil, &fs.PathError{Op: "get", Path: address, Err: fs.ErrNotExist}
	}
	return nil, fmt.Errorf("%s: %s", address, answer.Status)
}

// slowest is how many bytes a second a server sends on average, at least, from when it could have been silent twice:
// one that sends a byte now and then would otherwise hold whoever waits for years.
const slowest = 1 << 10

// content is that of an answer. Who reads it gets an error when the server has gone silent, or nearly so.
type content struct {
	io.ReadCloser
	address string
	ctx     context.Context // the request's
	cancel  context.CancelCauseFunc
	silence time.Duration
	began   time.Time
	bytes   int64
}

func (c *content) Read(p []byte) (int, error) {
	late := time.AfterFunc(c.silence, func() { c.cancel(fmt.Errorf("the server has sent nothing for %v", c.silence)) })
	defer late.Stop()
	n, err := c.ReadCloser.Read(p)
	c.bytes += int64(n)
	took := time.Since(c.began)
	switch {
	case err == nil && took > 2*c.silence && float64(c.bytes) < slowest*took.Seconds():
		err = fmt.Errorf("the server has sent %d bytes in %v, and is too slow to wait for", c.bytes, took.Round(time.Second))
	case err == nil || errors.Is(err, io.EOF):
		return n, err
	case c.ctx.Err() != nil:
		err = context.Cause(c.ctx)
	default:
		err = fmt.Errorf("it ends early: %w", err)
	}
	return n, fmt.Errorf("%s: %w", c.address, err)
}

func (c *content) Close() error {
	defer c.cancel(nil)
	return c.ReadCloser.Close()
}
