package sim

import (
	"net/http"
	"strconv"
	"strings"
)

// restRoutes are the calls of the API, by the dialect.
func (s *Sim) restRoutes() http.Handler {
	mux := http.NewServeMux()
	on := func(method, path string, h handler) { mux.HandleFunc(method+" "+path, h.serve) }

	s.siteRoutes(on)
	s.issueRoutes(on)
	s.searchRoutes(on)
	agileRoutes(on)

	return mux
}

// route adds one call.
type route func(method, path string, h handler)

// siteRoutes are what this Jira is: people, words, projects.
func (s *Sim) siteRoutes(on route) {
	api := s.api()

	on("GET", api+"/serverInfo", serverInfo)
	on("GET", api+"/myself", myself)
	on("GET", api+"/mypermissions", myPermissions)
	on("GET", api+"/user/search", searchUsers)
	on("GET", api+"/user/assignable/search", searchUsers)

	on("GET", api+"/field", listFields)
	on("GET", api+"/status", listStatuses)
	on("GET", api+"/priority", listPriorities)
	on("GET", api+"/resolution", listResolutions)
	on("GET", api+"/issueLinkType", listLinkTypes)

	on("GET", api+"/project", listProjects)
	on("GET", api+"/project/{project}", getProject)
	on("GET", api+"/project/{project}/statuses", projectStatuses)
	on("GET", api+"/project/{project}/components", projectComponents)
	on("GET", api+"/project/{project}/versions", projectVersions)

	if s.config.Dialect == Cloud {
		on("GET", "/rest/api/2/serverInfo", serverInfo)
		on("GET", "/rest/api/2/myself", myself)
		on("GET", api+"/project/search", searchProjects)
	}
}

func (s *Sim) issueRoutes(on route) {
	api := s.api()

	on("POST", api+"/issue", createIssue)
	on("GET", api+"/issue/{key}", getIssue)
	on("PUT", api+"/issue/{key}", editIssue)
	on("DELETE", api+"/issue/{key}", deleteIssue)
	on("GET", api+"/issue/{key}/editmeta", editMeta)
	on("PUT", api+"/issue/{key}/assignee", assign)
	on("GET", api+"/issue/{key}/transitions", listTransitions)
	on("POST", api+"/issue/{key}/transitions", transit)
	on("GET", api+"/issue/{key}/comment", listComments)
	on("POST", api+"/issue/{key}/comment", createComment)
	on("GET", api+"/issue/{key}/properties", listProperties)
	on("GET", api+"/issue/{key}/properties/{property}", getProperty)
	on("PUT", api+"/issue/{key}/properties/{property}", setProperty)
	on("DELETE", api+"/issue/{key}/properties/{property}", deleteProperty)

	on("POST", api+"/issueLink", createLink)
	on("GET", api+"/issueLink/{link}", getLink)
	on("DELETE", api+"/issueLink/{link}", deleteLink)

	if s.hasOldCreateMeta() {
		on("GET", api+"/issue/createmeta", oldCreateMeta)
	}
}

func agileRoutes(on route) {
	on("GET", "/rest/agile/1.0/board", listBoards)
	on("GET", "/rest/agile/1.0/board/{board}", getBoard)
	on("GET", "/rest/agile/1.0/board/{board}/sprint", boardSprints)
	on("GET", "/rest/agile/1.0/sprint/{sprint}", getSprint)
	on("GET", "/rest/agile/1.0/sprint/{sprint}/issue", sprintIssues)
	on("POST", "/rest/agile/1.0/sprint/{sprint}/issue", moveToSprint)
	on("POST", "/rest/agile/1.0/backlog/issue", moveToBacklog)
}

func (s *Sim) searchRoutes(on route) {
	api := s.api()

	if s.config.Dialect == Cloud {
		on("POST", api+"/issue/bulkfetch", bulkFetch)
		on("GET", api+"/search/jql", searchPage)
		on("POST", api+"/search/jql", searchPage)
		on("POST", api+"/search/approximate-count", approximateCount)

		for _, removed := range []string{"/rest/api/2/search", "/rest/api/3/search"} {
			on("GET", removed, searchRemoved)
			on("POST", removed, searchRemoved)
		}
	} else {
		on("GET", api+"/search", search)
		on("POST", api+"/search", search)
	}
}

// createMetaRoutes stand apart: to a ServeMux a project could be the word properties.
func (s *Sim) createMetaRoutes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+s.api()+"/issue/createmeta/{project}/issuetypes", handler(createMetaTypes).serve)
	mux.HandleFunc("GET "+s.api()+"/issue/createmeta/{project}/issuetypes/{type}", handler(createMetaFields).serve)

	return mux
}

// hasOldCreateMeta: Data Center 9 took the old form away, where it is read as an issue that does not exist.
func (s *Sim) hasOldCreateMeta() bool {
	major, _, _ := strings.Cut(s.config.Version, ".")
	number, err := strconv.Atoi(major)

	return s.config.Dialect == Cloud || err == nil && number < 9
}
