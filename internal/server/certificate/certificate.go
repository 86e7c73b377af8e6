// Package certificate has a server's TLS certificate renewed without a restart.
package certificate

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
)

// Files are a certificate and its key, which are read again when they have changed. A pair that cannot be
// used is logged once, and the one before it stays.
type Files struct {
	cert, key string
	log       *slog.Logger

	mu    sync.Mutex // for all below
	pair  *tls.Certificate
	tried [2]fs.FileInfo // the files at the last attempt; nil: they were not there
}

// Open reads the files, which must fit each other.
func Open(cert, key string, log *slog.Logger) (*Files, error) {
	f := &Files{cert: cert, key: key, log: log}
	return f, f.Reload()
}

// Config is that of a server with this certificate.
func (f *Files) Config() *tls.Config {
	return &tls.Config{GetCertificate: f.certificate, MinVersion: tls.VersionTLS12}
}

// certificate is called for each handshake. It looks whether the files are others than before.
func (f *Files) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now, err := f.stat()
	if same(now[0], f.tried[0]) && same(now[1], f.tried[1]) {
		return f.pair, nil
	}
	f.tried = now
	if err == nil {
		err = f.load()
	}
	if err != nil {
		f.log.Error("the new TLS certificate cannot be used: the one before it stays", "error", err)
	} else {
		f.log.Info("the TLS certificate has changed", "file", f.cert)
	}
	return f.pair, nil
}

// Reload reads the files, whether they have changed or not. When it fails, the pair stays.
func (f *Files) Reload() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	now, err := f.stat()
	if err != nil {
		return err
	}
	f.tried = now
	return f.load()
}

// load needs f.mu.
func (f *Files) load() error {
	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return fmt.Errorf("%s and %s: %w", f.cert, f.key, err)
	}
	f.pair = &pair
	return nil
}

// stat is taken before reading, so that a change in between is seen the next time.
func (f *Files) stat() (of [2]fs.FileInfo, err error) {
	cert, err1 := os.Stat(f.cert)
	key, err2 := os.Stat(f.key)
	if err := errors.Join(err1, err2); err != nil {
		return of, err
	}
	return [2]fs.FileInfo{cert, key}, nil
}

func same(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}
