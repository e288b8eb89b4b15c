package server

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// Exposure says how callers from other machines are kept from being listened to. One of the three is needed for any
// address but loopback, since a token in clear text is anyone's.
type Exposure struct {
	// CertFile and KeyFile are the hub's own certificate and its key, in PEM.
	CertFile, KeyFile string
	// BehindProxy says that a proxy in front of the hub speaks TLS. It is believed about where a caller calls from.
	BehindProxy bool
	// Insecure says that clear text is wanted all the same.
	Insecure bool
}

func (e Exposure) hasTLS() bool { return e.CertFile != "" && e.KeyFile != "" }

// CheckListen tells whether the hub may listen on that address, host and port. Its error says what to do.
func CheckListen(address string, exposure Exposure) error {
	if (exposure.CertFile == "") != (exposure.KeyFile == "") {
		return errors.New("a certificate and its key belong together: " +
			"give both --tls-cert (HUB_TLS_CERT) and --tls-key (HUB_TLS_KEY), or neither")
	}

	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("--listen (HUB_LISTEN) must be host:port, such as 127.0.0.1:8080, not %.80q", address)
	}

	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("--listen (HUB_LISTEN) must end with a port from 0 to 65535, such as 127.0.0.1:8080, not %.80q", address)
	}

	if isLoopback(host) || exposure.hasTLS() || exposure.BehindProxy || exposure.Insecure {
		return nil
	}

	return fmt.Errorf("not listening on %s in clear text, where other machines could read the tokens. Give a certificate "+
		"(--tls-cert and --tls-key, or HUB_TLS_CERT and HUB_TLS_KEY), or say that a proxy in front speaks TLS (--behind-proxy, or "+
		"HUB_BEHIND_PROXY=yes), or that clear text is wanted all the same (--insecure-listen, or HUB_INSECURE_LISTEN=yes)", address)
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}

	address, err := netip.ParseAddr(host)

	return err == nil && address.Unmap().IsLoopback()
}
