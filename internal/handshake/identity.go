package handshake

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"strconv"
	"time"
)

// Where each side finds the other's certificate, or a pipe for its own.
const (
	HostCertificate = "PLUGIN_CLIENT_CERT"     // environment: PEM
	IdentityPipe    = "PENSTOCK_IDENTITY_PIPE" // environment: a file descriptor that takes DER
)

// NewIdentity makes a key on P-256 and a certificate of it that vouches for itself.
func NewIdentity() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	now := time.Now()
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: identityName}, DNSNames: []string{identityName},
		SerialNumber: big.NewInt(now.UnixNano()), NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(10, 0, 0),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
		IsCA:        true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}

const identityName = "localhost"

// IdentityConfig is TLS for one side: it shows own and trusts no certificate but other, in DER;
// nil: none yet.
func IdentityConfig(own tls.Certificate, other []byte) (*tls.Config, error) {
	trusted := x509.NewCertPool()
	if other != nil {
		certificate, err := x509.ParseCertificate(other)
		if err != nil {
			return nil, err
		}
		trusted.AddCert(certificate)
	}
	return &tls.Config{
		Certificates: []tls.Certificate{own}, RootCAs: trusted, ClientCAs: trusted,
		ClientAuth: tls.RequireAndVerifyClientCert, ServerName: identityName, MinVersion: tls.VersionTLS13,
	}, nil
}

// Identify is the TLS of a plugin: it shows itself to a host that has given it a pipe. For
// another host it is nil, which leaves the matter to go-plugin.
func Identify() (*tls.Config, error) {
	number := os.Getenv(IdentityPipe)
	if number == "" {
		return nil, nil //nolint:nilnil // what go-plugin asks for
	}
	descriptor, err := strconv.Atoi(number)
	if err != nil {
		return nil, err
	}
	own, err := NewIdentity()
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode([]byte(os.Getenv(HostCertificate)))
	if block == nil {
		return nil, errors.New(HostCertificate + " is no certificate")
	}
	pipe := os.NewFile(uintptr(descriptor), "identity")
	_, err = pipe.Write(own.Certificate[0])
	if err = errors.Join(err, pipe.Close()); err != nil {
		return nil, err
	}
	return IdentityConfig(own, block.Bytes)
}
