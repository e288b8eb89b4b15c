package acceptance

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

// get fetches a path of the hub as a caller who accepts GraphQL and may have a
// token, and returns the status.
func get(t testing.TB, path, token string) int {
	t.Helper()
	ask, err := http.NewRequestWithContext(t.Context(), http.MethodGet, hub.URL+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	ask.Header.Set("Accept", "application/graphql-response+json")
	if token != "" {
		ask.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

func TestHealthAndReadinessNeedNoToken(t *testing.T) {
	t.Parallel()
	same(t, "/healthz", get(t, "/healthz", ""), http.StatusOK)
	same(t, "/readyz", get(t, "/readyz", ""), http.StatusOK)
}

const (
	queryName   = `query { viewer { name } }`
	pauseByName = `mutation { pauseQueue { paused } }`
)

func TestAQueryMayComeByGETAndAMutationMayNot(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	same(t, "query", get(t, "/graphql?query="+url.QueryEscape(queryName), site.Operator.Token), http.StatusOK)
	same(t, "mutation", get(t, "/graphql?query="+url.QueryEscape(pauseByName), site.Operator.Token),
		http.StatusMethodNotAllowed)
	same(t, "paused", site.Queue(t).Pace.Paused, false)
}

func TestARefusedFieldIsAnExecutedOperationAndHTTPAnswers200(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	response, err := site.Operator.Send(t.Context(), hubtest.CreateLargeBatch, vars{"input": hubtest.BatchInput(nil)})
	if err != nil {
		t.Fatal(err)
	}
	response.Refused(t, "UNPROCESSABLE")
	same(t, "HTTP status", response.HTTPStatus, http.StatusOK)
	same(t, "data", string(response.Data), `{"answer":null}`)
}
