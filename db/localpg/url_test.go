package localpg

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestAURLLeadsToItsSocketWhateverTheFolderIsCalled(t *testing.T) {
	t.Parallel()

	for _, dir := range []string{"/tmp/a", "/tmp/a b", "/tmp/a+b", "/tmp/a%41b", "/tmp/a'b", "/tmp/a?b=c&d", "/tmp/папка"} {
		config, err := pgx.ParseConfig(socketURL(dir, port, ownerRole, Database))
		if err != nil {
			t.Errorf("%s: %v", dir, err)

			continue
		}

		if config.Host != dir || config.Database != Database || config.User != ownerRole {
			t.Errorf("%s: leads to %q, database %q, as %q", dir, config.Host, config.Database, config.User)
		}
	}
}
