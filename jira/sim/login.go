package sim

import (
	"net/http"
	"strings"
)

// maxFailedLogins is after how many wrong ones Data Center asks for a CAPTCHA.
const maxFailedLogins = 3

const notAuthenticated = "Client must be authenticated to access this resource."

// login looks at who calls. Sim.mu is held.
func (s *Sim) login(r *http.Request) (answer, bool) {
	user, password, basic := r.BasicAuth()
	bearer, hasBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")

	switch {
	case !basic && !hasBearer:
		// What this Jira is may be asked by anyone.
		if strings.HasSuffix(r.URL.Path, "/serverInfo") {
			return answer{}, true
		}

		return denied(), false
	case s.config.Dialect == Cloud:
		// A token of an account is no bearer token on Cloud.
		if basic && user == s.config.User && password == s.config.Token {
			return answer{}, true
		}

		return denied(), false
	case hasBearer:
		if bearer == s.config.Token {
			return answer{}, true
		}

		return denied(), false
	case s.failedLogins >= maxFailedLogins:
		return captcha(s.base(r)), false
	case user == s.config.User && password == s.config.Token:
		s.failedLogins = 0

		return answer{}, true
	default:
		s.failedLogins++

		return answer{
			status: http.StatusUnauthorized, body: raw(basicFailure("AUTHENTICATED_FAILED")),
			header: map[string]string{"X-Seraph-Loginreason": "AUTHENTICATED_FAILED", "WWW-Authenticate": `OAuth realm="sim"`},
		}, false
	}
}

func denied() answer {
	a := refused(http.StatusUnauthorized, notAuthenticated)
	a.header = map[string]string{"X-Seraph-Loginreason": "AUTHENTICATED_FAILED", "WWW-Authenticate": `OAuth realm="sim"`}

	return a
}

func captcha(base string) answer {
	return answer{
		status: http.StatusForbidden, body: raw(basicFailure("AUTHENTICATION_DENIED")),
		header: map[string]string{
			"X-Authentication-Denied-Reason": "CAPTCHA_CHALLENGE; login-url=" + base + "/login.jsp",
			"X-Seraph-Loginreason":           "AUTHENTICATION_DENIED",
			"WWW-Authenticate":               `OAuth realm="sim"`,
		},
	}
}

func basicFailure(reason string) string {
	return "<html><head><title>Unauthorized (401)</title></head><body>Basic Authentication Failure - Reason : " + reason + "</body></html>"
}
