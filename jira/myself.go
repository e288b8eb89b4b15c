package jira

import (
	"context"
	"fmt"
	"net/url"
)

// Myself is the account behind the login. It answers a refused login with NotLoggedIn.
func (c *Client) Myself(ctx context.Context) (User, error) {
	var user User
	if err := c.get(ctx, c.api("/myself"), nil, &user); err != nil {
		return User{}, fmt.Errorf("asking who is logged in: %w", err)
	}

	return user, nil
}

// Permissions tells which of the named permissions (BROWSE_PROJECTS, CREATE_ISSUES...) the login has in a project.
func (c *Client) Permissions(ctx context.Context, project string, names ...string) (map[string]bool, error) {
	var wire struct {
		Permissions map[string]struct {
			HavePermission bool `json:"havePermission"`
		} `json:"permissions"`
	}

	query := url.Values{"projectKey": {project}, "permissions": {list(names)}}
	if err := c.get(ctx, c.api("/mypermissions"), query, &wire); err != nil {
		return nil, fmt.Errorf("asking for the permissions in %s: %w", project, err)
	}

	has := make(map[string]bool, len(names))
	for _, name := range names {
		has[name] = wire.Permissions[name].HavePermission
	}

	return has, nil
}
