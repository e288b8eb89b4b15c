package db

import (
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/queue"
)

func TestASiteIsMadeOnceUnderItsName(t *testing.T) {
	d := migrated(t)

	names := []string{"main", "Main", "a", strings.Repeat("я", 100), "team-2_x.y"}
	for _, name := range names {
		id, err := d.CreateSite(t.Context(), name)
		if err != nil || id == 0 {
			t.Fatalf("%q: %v", name, err)
		}

		if site, err := d.SiteByName(t.Context(), name); err != nil || site.ID != id || site.Name != name || site.CreatedAt.IsZero() {
			t.Errorf("%+v, %v", site, err)
		}

		if _, err := d.CreateSite(t.Context(), name); queue.CodeOf(err) != queue.Conflict || !strings.Contains(err.Error(), "already") {
			t.Errorf("twice: %v", err)
		}
	}

	sites, err := d.Sites(t.Context())
	if err != nil || len(sites) != len(names) {
		t.Fatalf("%v, %v", sites, err)
	}

	listed := make([]string, 0, len(sites))
	for _, site := range sites {
		listed = append(listed, site.Name)
	}

	same(t, "by name", listed, "Main", "a", "main", "team-2_x.y", strings.Repeat("я", 100))
}

func TestASiteWithoutAProperNameIsRefused(t *testing.T) {
	d := migrated(t)

	for _, name := range []string{"", " ", "a b", "a/b", "a\x00", "\xff", strings.Repeat("a", 101), "a\n"} {
		_, err := d.CreateSite(t.Context(), name)
		unprocessable(t, name, err)

		if _, err := d.SiteByName(t.Context(), name); queue.CodeOf(err) != queue.NotFound {
			t.Errorf("%q: %v", name, err)
		}
	}
}
