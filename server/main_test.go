package server_test

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Headers that tests look for.
const (
	requestIDHeader    = "X-Request-ID"
	authenticateHeader = "WWW-Authenticate"
)
