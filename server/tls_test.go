package server_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/server"
)

// certified makes a certificate for 127.0.0.1 and a pool that trusts it.
func certified(t *testing.T) (server.Exposure, *x509.CertPool) {
	t.Helper()

	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}

	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotAfter: time.Now().Add(time.Hour),
	}

	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}

	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}

	folder := t.TempDir()
	exposure := server.Exposure{CertFile: filepath.Join(folder, "cert.pem"), KeyFile: filepath.Join(folder, "key.pem")}
	inPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})

	writeFile(t, exposure.CertFile, inPEM)
	writeFile(t, exposure.KeyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))

	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(inPEM)

	return exposure, trusted
}

func TestWithACertificateTheHubSpeaksTLSAndHTTP2(t *testing.T) {
	exposure, trusted := certified(t)
	waited := 100 * time.Millisecond
	hub := startHub(t, func(setup *hubSetup) {
		setup.Trusted, setup.Config.Exposure = trusted, exposure
		setup.Config.Times.Body, setup.Config.Times.Answer = 20*time.Millisecond, 20*time.Millisecond
		setup.Answers.Claim = func(ctx context.Context, _ int) (*graph.ClaimPayload, error) {
			select {
			case <-time.After(waited):
				return &graph.ClaimPayload{}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	})

	for range 2 {
		answer := hub.Post(t, hub.Agent, `mutation { claim { idleReason } }`, nil)
		if answer.Status != 200 || answer.Code() != "" || answer.Protocol != "HTTP/2.0" {
			t.Errorf("got %d by %s: %s", answer.Status, answer.Protocol, answer.Body)
		}
	}
}

func TestAWebsocketOpensOverTLS(t *testing.T) {
	exposure, trusted := certified(t)
	hub := startHub(t, func(setup *hubSetup) { setup.Trusted, setup.Config.Exposure = trusted, exposure })
	dialer := websocket.Dialer{
		Subprotocols: []string{"graphql-transport-ws"}, TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS13},
	}

	//nolint:bodyclose // the websocket has taken it over
	conn, _, err := dialer.DialContext(t.Context(), "wss"+strings.TrimPrefix(hub.URL, "https")+"/graphql",
		http.Header{"Origin": {hub.URL}})
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() { _ = conn.Close() })
	(&client{Conn: conn, t: t}).login(hub.Operator)
}

func TestACertificateThatCannotBeReadIsAnError(t *testing.T) {
	err := runFor(t, server.Exposure{CertFile: "nowhere.pem", KeyFile: "nowhere.pem"})
	if err == nil || !strings.Contains(err.Error(), "nowhere.pem") {
		t.Errorf("got %v", err)
	}
}
