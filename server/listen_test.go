package server_test

import (
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/server"
)

func TestOtherThanLoopbackIsListenedOnOnlyWithAReason(t *testing.T) {
	for _, address := range []string{
		"127.0.0.1:8080", "127.9.9.9:0", "[::1]:8080", "localhost:8080", "LOCALHOST:8080", "[::ffff:127.0.0.1]:1",
	} {
		if err := server.CheckListen(address, server.Exposure{}); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}

	for _, address := range []string{":8080", "0.0.0.0:8080", "[::]:8080", "192.0.2.1:8080", "hub.example:8080", "localhost.example:80"} {
		err := server.CheckListen(address, server.Exposure{})
		if err == nil || !strings.HasPrefix(err.Error(), "not listening on "+address+" in clear text") {
			t.Errorf("%s: %v", address, err)
		}

		for name, reason := range map[string]server.Exposure{
			"TLS": {CertFile: "c.pem", KeyFile: "k.pem"}, "a proxy": {BehindProxy: true}, "by name": {Insecure: true},
		} {
			if err := server.CheckListen(address, reason); err != nil {
				t.Errorf("%s with %s: %v", address, name, err)
			}
		}
	}
}

func TestAnAddressThatIsNoneIsRefused(t *testing.T) {
	for _, address := range []string{"", "8080", "localhost", "::1:8080"} {
		err := server.CheckListen(address, server.Exposure{})
		if err == nil || !strings.HasPrefix(err.Error(), "--listen (HUB_LISTEN) must be host:port, such as 127.0.0.1:8080, not ") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestACertificateAndItsKeyBelongTogether(t *testing.T) {
	for _, half := range []server.Exposure{{CertFile: "c.pem"}, {KeyFile: "k.pem", Insecure: true}} {
		if err := server.CheckListen("127.0.0.1:1", half); err == nil || !strings.HasPrefix(err.Error(), "a certificate and its key") {
			t.Errorf("%+v: %v", half, err)
		}
	}
}

func TestAConfigThatLacksSomethingIsRefused(t *testing.T) {
	if made, err := server.New(server.Config{}); err == nil || err.Error() != "a server needs Schema in its Config" {
		t.Errorf("got %v, %v", made, err)
	}
}
