package sim

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

func serverInfo(c *call) answer {
	info := object{
		"baseUrl": c.base, "serverTitle": "Jira (имитация)", "serverTime": c.time(c.store.now()), "scmInfo": "a1b2c3d4",
		"buildDate": "2026-10-01T00:00:00.000+0300", "buildNumber": 100_275,
	}

	if c.store.cloud() {
		info["deploymentType"], info["version"], info["versionNumbers"] = "Cloud", "1001.0.0-SNAPSHOT", []int{1001, 0, 0}

		return ok(info)
	}

	numbers := []int{}

	for part := range strings.SplitSeq(c.sim.config.Version, ".") {
		number, _ := strconv.Atoi(part)
		numbers = append(numbers, number)
	}

	info["deploymentType"], info["version"], info["versionNumbers"] = "Server", c.sim.config.Version, numbers

	return ok(info)
}

func myself(c *call) answer { return ok(c.user(c.store.me)) }

// myPermissions says that the account may do everything that it needs.
func myPermissions(c *call) answer {
	known := []string{
		"BROWSE_PROJECTS", "CREATE_ISSUES", "EDIT_ISSUES", "TRANSITION_ISSUES", "LINK_ISSUES", "ADD_COMMENTS", "SCHEDULE_ISSUES",
		"MANAGE_SPRINTS_PERMISSION", "ASSIGN_ISSUES", "RESOLVE_ISSUES", "DELETE_ISSUES", "MOVE_ISSUES",
	}

	if key := c.query("projectKey"); key != "" {
		if _, ok := c.store.project(key); !ok {
			return refused(http.StatusNotFound, "No project could be found with key '"+key+"'.")
		}
	}

	asked := c.values("permissions")
	if c.store.cloud() && len(asked) == 0 {
		return refused(http.StatusBadRequest, "The 'permissions' query parameter is required.")
	}

	permissions := object{}

	for at, key := range known {
		if len(asked) == 0 || slices.Contains(asked, key) {
			permissions[key] = object{
				"id": strconv.Itoa(at + 10), "key": key, "name": strings.ReplaceAll(strings.ToLower(key), "_", " "),
				"type": "PROJECT", "description": "", "havePermission": true,
			}
		}
	}

	for _, key := range asked {
		if permissions[key] == nil {
			return refused(http.StatusBadRequest, "Unrecognized permission "+key)
		}
	}

	return ok(object{"permissions": permissions})
}

// searchUsers finds people by a part of their name; Cloud refuses what it took until it hid their names.
func searchUsers(c *call) answer {
	wanted := c.query("query")

	if name := c.query("username"); name != "" {
		if c.store.cloud() {
			return refused(http.StatusBadRequest, gdpr)
		}

		wanted = name
	}

	if account := c.query("accountId"); account != "" {
		wanted = account
	}

	wanted = strings.ToLower(wanted)
	found := slices.Clone(c.store.users)
	found = slices.DeleteFunc(found, func(u *user) bool {
		said := u.display + "\x00" + c.store.userID(u)
		if !c.store.cloud() {
			said += "\x00" + u.email
		}

		return wanted != "." && !strings.Contains(strings.ToLower(said), wanted)
	})

	start, limit := c.page(50, 1000)

	return ok(each(cut(found, start, limit), c.user))
}
