package jira

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// A page that asks for a login, by its title or by its form.
var (
	loginTitle = regexp.MustCompile(`(?i)\blog(ged)?[ -]?(in|on)\b|\bsign(ed)?[ -]?[io]n\b|\bauthenticat|\bsso\b|\bsaml\b|` +
		`\banmelde|(^|\s)вход|авториз|аутентиф`)
	loginForm = regexp.MustCompile(`(?i)name=["']?(os_username|os_password|SAMLRequest|SAMLResponse|RelayState)\b|` +
		`type=["']?password\b|login\.jsp`)
	loginPath = regexp.MustCompile(`(?i)(^|[/.])(login|signin|sign-in|sso|saml2?|auth|oauth2?|idp|adfs)([/.]|$)`)
)

// loginDenied is Jira's reason for not taking the login, in the headers that it has for it; "" where it gives none.
// They come with a status of 200 too, where Jira goes on as if nobody had logged in.
func loginDenied(header http.Header) string {
	denied := header.Get("X-Authentication-Denied-Reason")
	if denied != "" {
		reason, _, _ := strings.Cut(denied, ";")

		return reason
	}

	for _, reason := range header.Values("X-Seraph-Loginreason") {
		if strings.Contains(reason, "DENIED") || strings.Contains(reason, "FAILED") {
			return reason
		}
	}

	return ""
}

func loginPage(body []byte) bool {
	start := body[:min(len(body), pageStart)]

	return loginTitle.MatchString(pageTitle(start)) || loginForm.Match(start)
}

func loginAddress(target *url.URL) bool {
	return loginPath.MatchString(target.Path) || strings.HasPrefix(target.Hostname(), "login.") ||
		target.Query().Has("SAMLRequest") || loginPath.MatchString(strings.ReplaceAll(target.Hostname(), ".", "/"))
}
