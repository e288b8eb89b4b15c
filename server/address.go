package server

import (
	"net/http"
	"net/netip"
	"strings"
)

// homeBits is how much of an IPv6 address a home or a server has to itself: whoever has one has 2^64 of them.
const homeBits = 64

// callerAddress is what failed logins are counted under. Behind a proxy it is the last entry of X-Forwarded-For, the
// one that the proxy itself has put there; those before it are the caller's own to choose.
func callerAddress(r *http.Request, behindProxy bool) string {
	if behindProxy {
		if chain := r.Header.Values("X-Forwarded-For"); len(chain) > 0 {
			last := chain[len(chain)-1]

			return networkOf(strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:]))
		}
	}

	if from, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		return networkOf(from.Addr().String())
	}

	return r.RemoteAddr
}

func networkOf(text string) string {
	address, err := netip.ParseAddr(text)
	if err != nil {
		return text
	}

	address = address.Unmap().WithZone("")
	if address.Is4() {
		return address.String()
	}

	network, err := address.Prefix(homeBits)
	if err != nil {
		return text
	}

	return network.String()
}
