package server

import (
	"net/http"
	"testing"
)

func TestACallerIsCountedByWhatItCannotChoose(t *testing.T) {
	for name, from := range map[string]struct {
		remote    string
		forwarded []string
		proxied   bool
		want      string
	}{
		"IPv4":                           {"192.0.2.7:1234", nil, false, "192.0.2.7"},
		"IPv6, by its network":           {"[2001:db8:1:2:3:4:5:6]:1234", nil, false, "2001:db8:1:2::/64"},
		"IPv4 in IPv6":                   {"[::ffff:192.0.2.7]:1234", nil, false, "192.0.2.7"},
		"a zone":                         {"[fe80::1%eth0]:1234", nil, false, "fe80::/64"},
		"a header without a proxy":       {"192.0.2.7:1234", []string{"198.51.100.1"}, false, "192.0.2.7"},
		"a proxy":                        {"127.0.0.1:1234", []string{"198.51.100.1"}, true, "198.51.100.1"},
		"a proxy that adds to a header":  {"127.0.0.1:1234", []string{"203.0.113.9, 198.51.100.1"}, true, "198.51.100.1"},
		"a proxy that adds a header":     {"127.0.0.1:1234", []string{"203.0.113.9", "198.51.100.1"}, true, "198.51.100.1"},
		"a proxy that says nothing":      {"192.0.2.8:1234", nil, true, "192.0.2.8"},
		"a proxy that says no address":   {"127.0.0.1:1234", []string{"unknown"}, true, "unknown"},
		"no address at all, as in tests": {"pipe", nil, false, "pipe"},
	} {
		request := &http.Request{RemoteAddr: from.remote, Header: http.Header{"X-Forwarded-For": from.forwarded}}
		if got := callerAddress(request, from.proxied); got != from.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
