package local

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Take writes the backup that is wanted to w.
type Take func(ctx context.Context, r Request, w io.Writer) error

// patience is how long the server waits for a client: for the request, and for what it has sent to
// be taken, because what is backed up is kept meanwhile.
var patience = time.Minute

// Serve makes backups for clients, one at a time, until the context is done. It closes
// the listener, and returns when no backup uses the database any more.
func Serve(ctx context.Context, l net.Listener, take Take, log *slog.Logger) error {
	ctx, cancel := context.WithCancel(ctx)
	s := &server{take: take, log: log}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /backup", s.backup)
	h := &http.Server{
		Handler: mux, BaseContext: func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: patience, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	stop := context.AfterFunc(ctx, func() { h.Close() })
	defer stop()
	err := h.Serve(l)
	cancel()
	s.requests.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

type server struct {
	take     Take
	log      *slog.Logger
	requests sync.WaitGroup
	busy     sync.Mutex // held while a backup is made
}

func (s *server) backup(w http.ResponseWriter, r *http.Request) {
	s.requests.Add(1)
	defer s.requests.Done()
	if !s.busy.TryLock() {
		http.Error(w, "another backup is being made; try again when it is done", http.StatusConflict)
		return
	}
	defer s.busy.Unlock()
	control := http.NewResponseController(w)
	if err := control.SetReadDeadline(time.Now().Add(patience)); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	tail, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostTail))
	if err == nil {
		err = control.SetReadDeadline(time.Time{}) // or it ends the backup
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	query := r.URL.Query()
	out := &patientWriter{to: w, control: control}
	w.Header().Set("Trailer", errTrailer)
	started := time.Now()
	err = s.take(r.Context(), Request{Since: query.Get("since"), Tail: tail, Compress: query.Get("compress") == "true"},
		out)
	s.tell(err, "bytes", out.bytes, "took", time.Since(started).Round(time.Millisecond))
	switch {
	case err != nil && out.bytes == 0:
		w.Header().Del("Trailer")
		http.Error(w, err.Error(), http.StatusInternalServerError)
	case err != nil:
		w.Header().Set(errTrailer, err.Error())
	}
}

// patientWriter gives each write so much time.
type patientWriter struct {
	to      io.Writer
	control *http.ResponseController
	bytes   int64
}

func (w *patientWriter) Write(b []byte) (int, error) {
	if err := w.control.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return 0, err
	}
	n, err := w.to.Write(b)
	w.bytes += int64(n)
	return n, err
}

func (s *server) tell(err error, about ...any) {
	if err != nil {
		s.log.Warn("a backup was not made", append(about, "error", err)...)
		return
	}
	s.log.Info("backup made", about...)
}
