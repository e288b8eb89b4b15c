package jira

import (
	"net/http"
	"strings"
	"testing"
)

func TestTheKindOfJiraIsToldByItsDeployment(t *testing.T) {
	for info, cloud := range map[string]bool{
		`{"deploymentType":"Cloud","version":"1001.0.0"}`:     true,
		`{"deploymentType":"Server","version":"9.12.2"}`:      false,
		`{"deploymentType":"Data Center","version":"10.3.0"}`: false,
		`{"version":"6.4"}`: false,
	} {
		f := start(t)
		f.route("GET /jira/rest/api/2/serverInfo", info)

		client, err := Connect(t.Context(), Config{URL: f.url + "/jira/", Token: "secret"})
		check(t, err)
		client.Close()

		if client.Server().Cloud() != cloud || client.Server().Deployment == "" || client.Server().BaseURL != f.url+"/jira" {
			t.Errorf("%s: %+v", info, client.Server())
		}
	}
}

func TestAnAddressThatCannotBeJirasIsRefused(t *testing.T) {
	for _, address := range []string{
		"", "jira.example.com", "ftp://jira.example.com", "https://", "https://me:secret@jira.example.com",
		"https://jira.example.com?x=1", "https://jira.example.com#x", "https://jira .example.com",
	} {
		_, err := Connect(t.Context(), Config{URL: address, Token: "secret"})
		if err == nil || KindOf(err) != 0 {
			t.Errorf("%q: %v", address, err)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error tells the secret: %v", address, err)
		}
	}

	if _, err := Connect(t.Context(), Config{URL: "https://jira.example.com"}); err == nil {
		t.Error("no token, and nothing was said")
	}
}

func TestTheLoginIsBearerWithoutAUserAndBasicWithOne(t *testing.T) {
	for user, want := range map[string]string{"": "Bearer secret", "me@example.com": "Basic bWVAZXhhbXBsZS5jb206c2VjcmV0"} {
		f := start(t)
		f.route("GET /rest/api/2/serverInfo", `{}`)

		client, err := Connect(t.Context(), Config{URL: f.url, User: user, Token: "secret"})
		check(t, err)
		client.Close()

		if got := f.seen[0].header.Get("Authorization"); got != want {
			t.Errorf("user %q: %q", user, got)
		}
	}
}

func TestWritesAndReadsNameTheProgramAndOnlyWritesPassTheCheck(t *testing.T) {
	f := server(t, routes{
		"GET /rest/api/2/myself":          `{"name":"agent"}`,
		"PUT /rest/api/2/issue/A-1":       answers(http.StatusNoContent, ""),
		"POST /rest/api/2/issueLink":      answers(http.StatusCreated, ""),
		"DELETE /rest/api/2/issueLink/17": answers(http.StatusNoContent, ""),
	})

	_, err := f.client.Myself(t.Context())
	check(t, err)
	check(t, f.client.EditIssue(t.Context(), "A-1", map[string]any{"summary": "x"}))
	check(t, f.client.Link(t.Context(), "Blocks", "A-1", "A-2"))
	check(t, f.client.DeleteLink(t.Context(), "17"))

	for _, r := range f.seen {
		if got := r.header.Get("User-Agent"); got != "test-agent/1" {
			t.Errorf("%s %s: User-Agent %q", r.method, r.path, got)
		}

		want := "no-check"
		if r.method == http.MethodGet {
			want = ""
		}

		if got := r.header.Get("X-Atlassian-Token"); got != want {
			t.Errorf("%s %s: X-Atlassian-Token %q", r.method, r.path, got)
		}
	}
}

func TestNothingGoesToAnotherHost(t *testing.T) {
	other := start(t)
	other.route("/", `{"key":"A-9"}`)

	elsewhere := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.url+"/rest/api/2/myself?token=1", http.StatusFound)
	}
	f := server(t, routes{"GET /rest/api/2/myself": elsewhere, "POST /rest/api/2/issue": elsewhere})

	_, err := f.client.Myself(t.Context())
	if KindOf(err) != Refused || !strings.Contains(err.Error(), other.url+"/rest/api/2/myself") || strings.Contains(err.Error(), "token=") {
		t.Errorf("a read: %v", err)
	}

	if _, err := f.client.CreateIssue(t.Context(), NewIssue{Project: "A", IssueType: "Task", Summary: "s"}); KindOf(err) != Refused {
		t.Errorf("a write: %v", err)
	}

	if len(other.seen) != 0 {
		t.Errorf("the other host was asked: %+v", other.seen)
	}
}

func TestARedirectAtHomeIsFollowedByReadsOnly(t *testing.T) {
	moved := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/there", http.StatusFound) }
	f := server(t, routes{
		"GET /rest/api/2/myself": moved, "POST /rest/api/2/issue": moved, "GET /there": `{"name":"agent","key":"A-1"}`,
		"GET /rest/api/2/issueLinkType": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/rest/api/2/issueLinkType", http.StatusFound)
		},
	})

	user, err := f.client.Myself(t.Context())
	check(t, err)

	if user.Name != "agent" {
		t.Errorf("%+v", user)
	}

	if _, err := f.client.CreateIssue(t.Context(), NewIssue{Project: "A", IssueType: "Task", Summary: "s"}); KindOf(err) != Refused {
		t.Errorf("a write: %v", err)
	}

	if _, err := f.client.LinkTypes(t.Context()); KindOf(err) != Refused {
		t.Errorf("in a circle: %v", err)
	}
}

func TestARedirectToALoginIsARefusedLogin(t *testing.T) {
	for _, target := range []string{
		"/login.jsp?os_destination=%2F", "https://login.microsoftonline.com/7/saml2?SAMLRequest=x",
		"https://sso.example.com/", "https://id.example.com/realms/x/protocol/openid-connect/auth?client_id=jira",
	} {
		f := server(t, routes{
			"PUT /rest/api/2/issue/A-1": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, target, http.StatusFound) },
		})

		if err := f.client.EditIssue(t.Context(), "A-1", map[string]any{"summary": "x"}); KindOf(err) != NotLoggedIn {
			t.Errorf("%s: %v", target, err)
		}
	}
}
