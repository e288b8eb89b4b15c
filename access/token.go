package access

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"hash/crc32"
	"math/big"
	"strings"
)

// A token's text is the prefix, 256 random bits and a checksum over both, the latter two in base 62: letters and
// digits alone, so that a double click takes all of it. The prefix and the checksum let a secret scanner be sure of
// what it found, and a mistyped or cut token be refused without asking anyone.
const (
	tokenPrefix   = "hub_"
	secretBytes   = 32
	secretLength  = 43 // 62^43 > 2^256
	sumLength     = 6  // 62^6 > 2^32
	tokenLength   = len(tokenPrefix) + secretLength + sumLength
	tokenAlphabet = 62
)

// NewToken makes a token of 256 random bits. It is shown once; only its Hash is kept.
func NewToken() string {
	var secret [secretBytes]byte

	// rand.Read does not fail: without randomness the process ends.
	_, _ = rand.Read(secret[:])

	body := tokenPrefix + base62(new(big.Int).SetBytes(secret[:]), secretLength)

	return body + checksum(body)
}

// Hash is what is stored of a token and what it is found by. A plain SHA-256 does: 256 random bits cannot be searched
// for, however fast the hash is.
func Hash(token string) [sha256.Size]byte { return sha256.Sum256([]byte(token)) }

// SameHash compares two hashes in constant time; whoever compares them in Go uses it.
func SameHash(a, b [sha256.Size]byte) bool { return subtle.ConstantTimeCompare(a[:], b[:]) == 1 }

// wellFormed tells whether the text can be a token at all.
func wellFormed(token string) bool {
	if len(token) != tokenLength || !strings.HasPrefix(token, tokenPrefix) {
		return false
	}

	body, sum := token[:tokenLength-sumLength], token[tokenLength-sumLength:]

	return subtle.ConstantTimeCompare([]byte(checksum(body)), []byte(sum)) == 1
}

func checksum(body string) string {
	return base62(big.NewInt(int64(crc32.ChecksumIEEE([]byte(body)))), sumLength)
}

// base62 writes n with leading zeros, so that every token has the same length.
func base62(n *big.Int, length int) string {
	digits := n.Text(tokenAlphabet)

	return strings.Repeat("0", length-len(digits)) + digits
}
