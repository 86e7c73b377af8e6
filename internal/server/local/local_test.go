package local

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// serve serves backups of a folder until the test ends.
func serve(t *testing.T, take Take) (dir string, stop func()) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), strings.Repeat("long", 30)) // more than an address has room for
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	l, err := Listen(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- Serve(ctx, l, take, slog.New(slog.DiscardHandler)) }()
	stop = func() {
		if cancel(); ended != nil {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		ended = nil
	}
	t.Cleanup(stop)
	return dir, stop
}

// What was asked for arrives, with all that the asking says.
func TestFetch_Whole(t *testing.T) {
	asked := Request{Since: "../a file & more", Tail: bytes.Repeat([]byte{1, 0}, 1<<20), Compress: true}
	want := bytes.Repeat([]byte("backup"), 1<<20)
	dir, _ := serve(t, func(_ context.Context, r Request, w io.Writer) error {
		if r.Since != asked.Since || !bytes.Equal(r.Tail, asked.Tail) || !r.Compress {
			t.Errorf("%.100v", r)
		}
		_, err := w.Write(want)
		return err
	})
	var got bytes.Buffer
	if err := Fetch(t.Context(), dir, asked, &got); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Error(got.Len(), err)
	}
	info, err := os.Stat(filepath.Join(dir, folder))
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Error("others can ask:", info.Mode(), err)
	}
}

// An error arrives as it is, also when a part was sent before.
func TestFetch_Errors(t *testing.T) {
	for _, before := range []int{0, 10, 1 << 20} {
		dir, _ := serve(t, func(_ context.Context, _ Request, w io.Writer) error {
			if before > 0 {
				if _, err := w.Write(make([]byte, before)); err != nil {
					return err
				}
			}
			return errors.New(`graph "g" is damaged`)
		})
		if err := Fetch(t.Context(), dir, Request{}, io.Discard); err == nil || err.Error() != `graph "g" is damaged` {
			t.Error(before, err)
		}
	}
	if err := Fetch(t.Context(), t.TempDir(), Request{}, io.Discard); !errors.Is(err, ErrNoServer) {
		t.Error(err)
	}
	full := errors.New("full")
	dir, _ := serve(t, func(_ context.Context, _ Request, w io.Writer) error {
		_, err := w.Write(make([]byte, 100))
		return err
	})
	if err := Fetch(t.Context(), dir, Request{}, failing{full}); !errors.Is(err, full) {
		t.Error(err)
	}
}

type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }

// What takes long is made; a client that takes nothing waits for nothing.
func TestServe_Patience(t *testing.T) {
	defer func(before time.Duration) { patience = before }(patience)
	patience = 500 * time.Millisecond
	dir, _ := serve(t, func(ctx context.Context, _ Request, w io.Writer) error {
		time.Sleep(2 * patience)
		_, err := w.Write([]byte("at last"))
		return errors.Join(err, ctx.Err())
	})
	if err := Fetch(t.Context(), dir, Request{Tail: []byte("tail")}, io.Discard); err != nil {
		t.Error(err)
	}
	given := make(chan error, 1)
	dir, _ = serve(t, func(_ context.Context, _ Request, w io.Writer) (err error) {
		for err == nil {
			_, err = w.Write(make([]byte, 1<<20))
		}
		given <- err
		return err
	})
	if err := Fetch(t.Context(), dir, Request{}, waiting{given}); err == nil {
		t.Error("a backup that was given up has arrived")
	}
}

// waiting takes nothing before the server gives up.
type waiting struct{ given chan error }

func (w waiting) Write([]byte) (int, error) { return 0, <-w.given }

// Only one is made at a time; it ends with the server, and with the client that asked for it.
func TestServe_OneAtATime(t *testing.T) {
	working, left := make(chan struct{}), make(chan struct{})
	dir, stop := serve(t, func(ctx context.Context, _ Request, w io.Writer) error {
		_, err := w.Write(make([]byte, 1<<20))
		close(working)
		<-ctx.Done()
		close(left)
		return errors.Join(err, ctx.Err())
	})
	first := make(chan error)
	go func() { first <- Fetch(t.Context(), dir, Request{}, io.Discard) }()
	<-working
	if err := Fetch(t.Context(), dir, Request{}, io.Discard); err == nil ||
		!strings.Contains(err.Error(), "another backup") {
		t.Error(err)
	}
	stop()
	<-left
	if err := <-first; err == nil {
		t.Error("half a backup arrived as a whole one")
	}
}

func TestServe_EndsWithWhoAsks(t *testing.T) {
	working, left := make(chan struct{}), make(chan struct{})
	dir, _ := serve(t, func(ctx context.Context, _ Request, w io.Writer) error {
		_, err := w.Write([]byte("x"))
		close(working)
		<-ctx.Done()
		close(left)
		return err
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-working
		cancel()
	}()
	if err := Fetch(ctx, dir, Request{}, io.Discard); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	select {
	case <-left:
	case <-time.After(time.Minute):
		t.Error("the backup goes on without anybody who wants it")
	}
}
