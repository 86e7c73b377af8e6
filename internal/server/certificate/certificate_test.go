package certificate

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// write replaces the files by a certificate with this number, and the key of it.
func write(t *testing.T, cert, key string, number int64) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(number), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"localhost"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	replace(t, cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	replace(t, key, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}))
}

func replace(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.WriteFile(file+".new", content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
}

func TestFiles(t *testing.T) {
	cert, key := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	if _, err := Open(cert, key, logger); err == nil {
		t.Fatal("there are no files")
	}
	write(t, cert, key, 1)
	files, err := Open(cert, key, logger)
	if err != nil {
		t.Fatal(err)
	}
	served := func() int64 {
		t.Helper()
		pair, err := files.Config().GetCertificate(nil)
		if err != nil {
			t.Fatal(err)
		}
		return pair.Leaf.SerialNumber.Int64()
	}
	if got := served(); got != 1 {
		t.Fatal(got)
	}
	write(t, cert, key, 2)
	if got := served(); got != 2 {
		t.Error("the old certificate is served: ", got)
	}
	// Half of a pair, no pair, and none at all keep the one before, and are logged once each.
	errors := func() int { return strings.Count(log.String(), "level=ERROR") }
	for i, damage := range []func(){
		func() { replace(t, key, []byte("nonsense")) },
		func() { write(t, cert+"2", key, 3) },
		func() { os.Remove(cert) },
	} {
		damage()
		for range 3 {
			if got := served(); got != 2 || errors() != i+1 {
				t.Errorf("damage %d: certificate %d, log %s", i, got, log.String())
			}
		}
		if files.Reload() == nil {
			t.Errorf("damage %d is loaded", i)
		}
	}
	write(t, cert, key, 4)
	if got := served(); got != 4 {
		t.Error("it did not recover: ", got)
	}
}
