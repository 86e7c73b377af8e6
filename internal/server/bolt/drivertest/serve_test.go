package drivertest

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

func open(t *testing.T, uri string, token neo4j.AuthToken) neo4j.DriverWithContext {
	t.Helper()
	driver, err := neo4j.NewDriverWithContext(uri, token)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { driver.Close(context.Background()) })
	return driver
}

// TestServe_Stop ends the server while a transaction is open, and looks what has lasted.
func TestServe_Stop(t *testing.T) {
	dir := t.TempDir()
	for run, signal := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
		p := serve(t, dir, "--create", "--graph", "g")
		s := session(t, open(t, "bolt://"+p.address, neo4j.NoAuth()))
		if got, err := single(t.Context(), s, "MATCH (n) RETURN count(n) AS n", nil); err != nil || got != int64(run) {
			t.Fatal(got, err)
		}
		if _, err := single(t.Context(), s, "CREATE (n) RETURN 1 AS x", nil); err != nil {
			t.Fatal(err)
		}
		tx, err := s.BeginTransaction(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Run(t.Context(), "CREATE (n) RETURN 1 AS x", nil); err != nil {
			t.Fatal(err)
		}
		p.stop(signal, 130)
	}
}

// TestServe_Kill ends the server by force, again and again, while several clients write: what it
// has acknowledged is there afterwards, and nothing by halves.
func TestServe_Kill(t *testing.T) {
	dir := t.TempDir()
	written := make(map[int64]bool)
	for round := range int64(3) {
		p := serve(t, dir, "--create", "--graph", "g")
		contains(t, p, written)
		for _, i := range writeUntilKilled(t, p, round) {
			written[i] = true
		}
	}
	p := serve(t, dir, "--graph", "g")
	defer p.stop(syscall.SIGTERM, 130)
	contains(t, p, written)
}

// writeUntilKilled returns what the server has acknowledged until it was killed.
func writeUntilKilled(t *testing.T, p *process, round int64) (acknowledged []int64) {
	t.Helper()
	const writers, enough = 8, 100
	acks := make(chan int64, 10*enough)
	var group sync.WaitGroup
	for w := range int64(writers) {
		driver := open(t, "bolt://"+p.address, neo4j.NoAuth())
		group.Go(func() {
			s := driver.NewSession(t.Context(), neo4j.SessionConfig{})
			defer s.Close(t.Context())
			for i := range int64(enough) {
				id := round*1_000_000 + w*1000 + i
				if _, err := single(t.Context(), s, "CREATE (a:W {i: $i})-[:T]->(:V {i: $i}) RETURN a.i AS i",
					map[string]any{"i": id}); err != nil {
					return
				}
				acks <- id
			}
		})
	}
	for range enough {
		select {
		case id := <-acks:
			acknowledged = append(acknowledged, id)
		case <-time.After(time.Minute):
			t.Fatal("nothing is acknowledged any more")
		}
	}
	p.stop(syscall.SIGKILL, -1)
	group.Wait()
	close(acks)
	for id := range acks {
		acknowledged = append(acknowledged, id)
	}
	return acknowledged
}

// contains looks for what was written. Of the last statements, which were not acknowledged, there
// may be more.
func contains(t *testing.T, p *process, written map[int64]bool) {
	t.Helper()
	s := session(t, open(t, "bolt://"+p.address, neo4j.NoAuth()))
	got, err := single(t.Context(), s, "MATCH (a:W)-[:T]->(b:V) WHERE a.i = b.i RETURN collect(a.i) AS ids", nil)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[int64]bool)
	for _, id := range got.([]any) {
		found[id.(int64)] = true
	}
	for id := range written {
		if !found[id] {
			t.Errorf("%d was acknowledged and is gone", id)
		}
	}
	nodes, err := single(t.Context(), s, "MATCH (n) RETURN count(n) AS n", nil)
	if err != nil || nodes != int64(2*len(found)) {
		t.Errorf("%d nodes for %d pairs: %v", nodes, len(found), err)
	}
}

func TestServe_Login(t *testing.T) {
	p := serve(t, t.TempDir(), "--create", "--graph", "g", "--user", "ann:sesame")
	defer p.stop(syscall.SIGTERM, 130)
	if err := open(t, "neo4j://"+p.address, neo4j.BasicAuth("ann", "sesame",
		"")).VerifyConnectivity(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, token := range []neo4j.AuthToken{neo4j.BasicAuth("ann", "Sesame", ""), neo4j.BasicAuth("eve", "sesame", ""),
		neo4j.NoAuth()} {
		err := open(t, "bolt://"+p.address, token).VerifyConnectivity(t.Context())
		var known *neo4j.Neo4jError
		if !errors.As(err, &known) || known.Code != "Neo.ClientError.Security.Unauthorized" {
			t.Fatal(err)
		}
	}
}

func TestServe_UnknownGraph(t *testing.T) {
	p := serve(t, t.TempDir(), "--create", "--graph", "g")
	defer p.stop(syscall.SIGTERM, 130)
	driver := open(t, "neo4j://"+p.address, neo4j.NoAuth())
	_, err := neo4j.ExecuteQuery(t.Context(), driver, "RETURN 1", nil, neo4j.EagerResultTransformer,
		neo4j.ExecuteQueryWithDatabase("nowhere"))
	var known *neo4j.Neo4jError
	if !errors.As(err, &known) || known.Code != "Neo.ClientError.Database.DatabaseNotFound" {
		t.Fatal(err)
	}
}

func TestServe_TLS(t *testing.T) {
	dir := t.TempDir()
	cert, key := certificate(t, dir, 1)
	p := serve(t, dir, "--create", "--graph", "g", "--tls-cert", cert, "--tls-key", key)
	defer p.stop(syscall.SIGTERM, 130)
	for scheme, works := range map[string]bool{"neo4j+ssc": true, "bolt+s": false, "bolt": false} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		err := open(t, scheme+"://"+p.address, neo4j.NoAuth()).VerifyConnectivity(ctx)
		cancel()
		if (err == nil) != works {
			t.Error(scheme, err)
		}
	}
}

// TestServe_NewCertificate replaces the certificate while clients are connected.
func TestServe_NewCertificate(t *testing.T) {
	dir := t.TempDir()
	cert, key := certificate(t, dir, 1)
	p := serve(t, dir, "--create", "--graph", "g", "--tls-cert", cert, "--tls-key", key)
	defer p.stop(syscall.SIGTERM, 130)
	s := session(t, open(t, "bolt+ssc://"+p.address, neo4j.NoAuth()))
	served := func() int64 {
		t.Helper()
		conn, err := tls.Dial("tcp", p.address, &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	certificate(t, dir, 2)
	if n := served(); n != 2 {
		t.Errorf("certificate %d is served", n)
	}
	if err := os.WriteFile(key, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.command.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if n := served(); n != 2 {
		t.Errorf("with a bad key, certificate %d is served", n)
	}
	if _, err := single(t.Context(), s, "RETURN 1", nil); err != nil {
		t.Error(err)
	}
}

// certificate makes one that nobody has reason to believe.
func certificate(t *testing.T, dir string, number int64) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(number), NotAfter: time.Now().Add(time.Hour)}
	public, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	err = errors.Join(
		os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: public}), 0o600),
		os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	return cert, key
}
