package launch

import (
	"crypto/tls"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/penstock-db/penstock/internal/handshake"
)

// identity is how host and plugin know each other (see handshake.NewIdentity).
type identity struct {
	own tls.Certificate
	tls *tls.Config // go-plugin's, which fills in a certificate that comes by its handshake
}

func newIdentity() (*identity, error) {
	own, err := handshake.NewIdentity()
	if err != nil {
		return nil, err
	}
	config, err := handshake.IdentityConfig(own, nil)
	return &identity{own, config}, err
}

// environment is what a plugin whose pipe has this number is told.
func (i *identity) environment(pipe int) []string {
	return []string{i.entry(), fmt.Sprintf("%s=%d", handshake.IdentityPipe, pipe)}
}

// entry is in the environment of this plugin alone, and of the processes that it makes.
func (i *identity) entry() string {
	block := &pem.Block{Type: "CERTIFICATE", Bytes: i.own.Certificate[0]}
	return fmt.Sprintf("%s=%s", handshake.HostCertificate, pem.EncodeToMemory(block))
}

// maxCertificate is more than a certificate has.
const maxCertificate = 64 << 10

// meet believes the certificate that the plugin has put into its pipe before the
// handshake. One that puts none there has shown it in the handshake, or is not believed.
func (i *identity) meet(pipe *os.File, timeout time.Duration) error {
	_ = pipe.SetReadDeadline(time.Now().Add(timeout)) // pipes have deadlines
	shown, err := readCertificate(pipe)
	if err != nil || len(shown) == 0 {
		return err
	}
	config, err := handshake.IdentityConfig(i.own, shown)
	if err != nil {
		return err
	}
	i.tls.RootCAs = config.RootCAs
	return nil
}

// readCertificate reads DER as far as it says that it goes, or to the end: children of a plugin may hold the pipe open.
func readCertificate(pipe io.Reader) (shown []byte, err error) {
	buffer := make([]byte, maxCertificate)
	for len(shown) < len(buffer) {
		n, err := pipe.Read(buffer[len(shown):])
		shown = buffer[:len(shown)+n]
		var whole asn1.RawValue
		if _, syntax := asn1.Unmarshal(shown, &whole); syntax == nil || errors.Is(err, io.EOF) {
			return shown, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("it shows a certificate of more than %d bytes", maxCertificate)
}
