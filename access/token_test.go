package access

import (
	"math/big"
	"regexp"
	"strings"
	"testing"
)

func TestATokenHasItsPrefixItsLengthAndItsChecksum(t *testing.T) {
	form := regexp.MustCompile(`^hub_[0-9A-Za-z]{49}$`)
	seen := make(map[string]bool)

	for range 1000 {
		token := NewToken()
		if !form.MatchString(token) || !wellFormed(token) {
			t.Fatalf("not of the form of a token: %s", token)
		}

		if seen[token] {
			t.Fatal("the same token twice")
		}

		seen[token] = true
	}
}

func TestATokenHolds256Bits(t *testing.T) {
	most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))

	for _, secret := range []*big.Int{big.NewInt(0), big.NewInt(61), most} {
		text := base62(secret, secretLength)

		back, ok := new(big.Int).SetString(text, tokenAlphabet)
		if len(text) != secretLength || !ok || back.Cmp(secret) != 0 {
			t.Errorf("%s became %s", secret, text)
		}
	}
}

func TestAMistypedTokenIsNoToken(t *testing.T) {
	token := NewToken()

	changed := func(at int) string {
		other := byte('a')
		if token[at] == other {
			other = 'b'
		}

		return token[:at] + string(other) + token[at+1:]
	}

	for at := len(tokenPrefix); at < len(token); at++ {
		if wellFormed(changed(at)) {
			t.Errorf("a wrong character at %d was not noticed", at)
		}
	}

	for _, text := range []string{
		"", "hub_", token[:len(token)-1], token + "0", strings.ToUpper(token), "ghp_" + token[4:], " " + token,
	} {
		if wellFormed(text) {
			t.Errorf("%q passes for a token", text)
		}
	}
}

func TestHashesAreCompared(t *testing.T) {
	one, other := Hash("hub_1"), Hash("hub_2")
	if !SameHash(one, Hash("hub_1")) || SameHash(one, other) {
		t.Error("hashes are not told apart")
	}
}
