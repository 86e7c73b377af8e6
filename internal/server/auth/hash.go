package auth

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// Hash is what is kept of a password: by Argon2id (RFC 9106), in the text form that its
// reference implementation has.
type Hash struct {
	memory  uint32 // KiB
	time    uint32
	threads uint8
	salt    []byte
	key     []byte
}

// The cost of a guess, as OWASP advises for Argon2id.
const (
	hashMemory  = 19 << 10
	hashTime    = 2
	hashThreads = 1
	saltSize    = 16
	keySize     = 32
)

// HashOf hashes a password with a salt of its own.
func HashOf(password string) Hash {
	h := Hash{memory: hashMemory, time: hashTime, threads: hashThreads, salt: make([]byte, saltSize)}
	_, _ = rand.Read(h.salt) // never fails
	h.key = h.derive(password, keySize)
	return h
}

func (h Hash) derive(password string, size int) []byte {
	return argon2.IDKey([]byte(password), h.salt, h.time, h.memory, h.threads, uint32(size))
}

// matches takes as long for a wrong password as for the right one.
func (h Hash) matches(password string) bool {
	return subtle.ConstantTimeCompare(h.derive(password, len(h.key)), h.key) == 1
}

var base64text = base64.RawStdEncoding

func (h Hash) String() string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.memory, h.time, h.threads,
		base64text.EncodeToString(h.salt), base64text.EncodeToString(h.key))
}

// ParseHash reads what String gives.
func ParseHash(text string) (Hash, error) {
	parts := strings.Split(text, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return Hash{}, &HashError{"it should begin with $argon2id$v=19$"}
	}
	var h Hash
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.memory, &h.time, &h.threads); err != nil {
		return Hash{}, &HashError{"its cost should be like m=19456,t=2,p=1"}
	}
	var err1, err2 error
	h.salt, err1 = base64text.DecodeString(parts[4])
	h.key, err2 = base64text.DecodeString(parts[5])
	if err1 != nil || err2 != nil || !h.bearable() {
		return Hash{}, &HashError{"its salt or key is no base64, too short, or its cost is out of bounds"}
	}
	return h, nil
}

// bearable tells whether the cost is one that a server can pay, and a guess must.
func (h Hash) bearable() bool {
	return h.memory >= 8 && h.memory <= 1<<20 && h.time >= 1 && h.time <= 100 && h.threads >= 1 &&
		len(h.salt) >= 8 && len(h.key) >= 16 && len(h.key) <= 1024
}

// HashError is a text that is no hash.
type HashError struct{ Why string }

func (e *HashError) Error() string { return "this is no hash of a password: " + e.Why }
