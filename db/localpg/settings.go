package localpg

import (
	"maps"
	"slices"
	"strconv"
)

// settings are the ones that the server is started with, as its command line takes
// them. What is not here (max_connections, shared_buffers, ...) keeps the value that
// initdb wrote to postgresql.conf, where the owner of the folder may edit it.
func settings(cfg Config, socketDir string) []string {
	all := map[string]string{
		"timezone":     "UTC",
		"log_timezone": "UTC",
		"cluster_name": "sdlc-hub", // Seen in ps.
		// Compiling a plan costs more than the hub's short statements ever take.
		"jit": "off",
		// The log is one file that this package bounds.
		"logging_collector": "off",
		"log_destination":   "stderr",
		"log_line_prefix":   "%m [%p] %q%u@%d ",
		// A failed statement's text would put people's texts into the log.
		"log_min_error_statement": "panic",
	}

	if cfg.Unsafe {
		maps.Copy(all, map[string]string{
			"fsync":              "off",
			"full_page_writes":   "off",
			"synchronous_commit": "off",
		})
	}

	maps.Copy(all, cfg.Settings)

	// The promises of this package are not for Settings to change.
	maps.Copy(all, map[string]string{
		"listen_addresses":        "",
		"port":                    strconv.Itoa(port),
		"unix_socket_directories": quoteListItem(socketDir),
		"unix_socket_permissions": "0700",
		"unix_socket_group":       "",
		"ssl":                     "off",
	})

	args := make([]string, 0, 2*len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		args = append(args, "-c", name+"="+all[name])
	}

	return args
}

// quoteListItem keeps a comma or a space in a path from parting it in two.
func quoteListItem(path string) string {
	quoted := []byte{'"'}
	for i := range len(path) {
		if path[i] == '"' {
			quoted = append(quoted, '"')
		}

		quoted = append(quoted, path[i])
	}

	return string(append(quoted, '"'))
}
