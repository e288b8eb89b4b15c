package e2e

import (
	"os"
	"os/exec"
	"testing"
)

func TestTheClientOfGraphQLSSEGetsEveryChangeOnce(t *testing.T) { play(t, "sse.test.mjs") }

func TestGraphiQLWorksInABrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")

	switch {
	case err == nil:
	case os.Getenv("CI") != "":
		t.Fatal("chromium is missing: `make browser` installs Debian's package of that name")
	default:
		t.Skip("NOT TESTED: GraphiQL. chromium is missing: `make browser` installs Debian's package of that name, or says why it cannot")
	}

	if _, err := os.Stat("../web/dist/built/graphiql.html.gz"); err != nil {
		t.Fatal("the pages are not built: `make web` builds them")
	}

	play(t, "graphiql.test.mjs", "E2E_CHROMIUM="+browser)
}
