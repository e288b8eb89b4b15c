package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/sdlc-hub/sdlc-hub/client"
	"github.com/sdlc-hub/sdlc-hub/jira"
)

// Checks looks whether an agent could work: whether it reaches hub and Jira and may use them. It writes nothing, to
// neither.
type Checks struct {
	Hub     *client.Client
	Connect func(ctx context.Context) (*jira.Client, error)
	// Projects are those that the agent must be able to work in; none: at least one of those it sees.
	Projects []string
	// Tell is given each finding as it is made.
	Tell func(Finding)
}

// Finding is one thing that was looked at.
type Finding struct {
	// Good is false where an agent could not work, or not all of its work.
	Good bool
	What string
	Text string
}

// Run goes through all checks, and tells whether every one was good. One that could not be made is not.
func (c *Checks) Run(ctx context.Context) bool {
	hub := c.hub(ctx)
	jira := c.jira(ctx)

	return hub && jira
}

func (c *Checks) tell(good bool, what, format string, args ...any) bool {
	c.Tell(Finding{Good: good, What: what, Text: fmt.Sprintf(format, args...)})

	return good
}

func (c *Checks) hub(ctx context.Context) bool {
	viewer, err := c.Hub.Viewer(ctx)
	if err != nil {
		return c.tell(false, "hub", "%v", err)
	}

	if viewer.Role != client.RoleAgent {
		return c.tell(false, "hub", "%s takes the token, but %q is its %s; an agent's is needed", c.Hub.Endpoint(), viewer.Name, viewer.Role)
	}

	return c.tell(true, "hub", "%s takes %q as agent of the site %q", c.Hub.Endpoint(), viewer.Name, viewer.Site)
}

func (c *Checks) jira(ctx context.Context) bool {
	connected, err := c.Connect(ctx)
	if err != nil {
		return c.tell(false, "jira", "%v", err)
	}

	server := connected.Server()
	c.tell(true, "jira", "%s %s at %s", server.Deployment, server.Version, server.BaseURL)

	me, err := connected.Myself(ctx)
	if err != nil {
		return c.tell(false, "login", "%v", err)
	}

	c.tell(true, "login", "as %s (%s)", me.DisplayName, strings.TrimSpace(me.Name+" "+me.AccountID))

	fields := c.fields(ctx, connected)
	projects := c.projects(ctx, connected)

	return fields && projects
}

// fields looks for those that commands need by what they are, whatever they are called.
func (c *Checks) fields(ctx context.Context, connected *jira.Client) bool {
	fields, err := connected.Fields(ctx)
	if err != nil {
		return c.tell(false, "fields", "%v", err)
	}

	type needed struct {
		name string
		find func() (jira.Field, bool)
	}

	all := []needed{{"sprint", fields.Sprint}}
	if !connected.Server().Cloud() {
		all = append(all, needed{"epic link", fields.EpicLink}, needed{"epic name", fields.EpicName})
	}

	good := true

	for _, need := range all {
		if field, ok := need.find(); ok {
			c.tell(true, "field", "%s is %s (%q)", need.name, field.ID, field.Name)
		} else {
			good = c.tell(false, "field", "%s: Jira has none, or this login does not see it", need.name)
		}
	}

	return good
}

// permissions are what the seven kinds of commands need.
func permissions() []string {
	return []string{
		"BROWSE_PROJECTS", "CREATE_ISSUES", "EDIT_ISSUES", "TRANSITION_ISSUES", "LINK_ISSUES", "SCHEDULE_ISSUES", "ADD_COMMENTS",
	}
}

func (c *Checks) projects(ctx context.Context, connected *jira.Client) bool {
	wanted := c.Projects

	if len(wanted) == 0 {
		seen, err := connected.Projects(ctx)
		if err != nil {
			return c.tell(false, "projects", "%v", err)
		}

		for _, project := range seen[:min(len(seen), mostProjects)] {
			wanted = append(wanted, project.Key)
		}
	}

	able := 0

	for _, project := range wanted {
		if c.project(ctx, connected, project) {
			able++
		}
	}

	switch {
	case len(wanted) == 0:
		return c.tell(false, "projects", "the login sees none")
	case len(c.Projects) > 0:
		return able == len(wanted)
	case able == 0:
		return c.tell(false, "projects", "there is none in which the agent may do all that commands ask for")
	default:
		return true
	}
}

func (c *Checks) project(ctx context.Context, connected *jira.Client, project string) bool {
	has, err := connected.Permissions(ctx, project, permissions()...)
	if err != nil {
		return c.tell(false, "project", "%s: %v", project, err)
	}

	var missing []string

	for _, name := range permissions() {
		if !has[name] {
			missing = append(missing, name)
		}
	}

	if len(missing) > 0 {
		return c.tell(false, "project", "%s: the login lacks %s", project, strings.Join(missing, ", "))
	}

	return c.tell(true, "project", "%s: the login may do all that commands ask for", project)
}
