package agent

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/sdlc-hub/sdlc-hub/client"
	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// known is what the agent knows of its Jira.
type known struct {
	me     jira.User
	fields *jira.Fields
	// mirror is the same as the hub has it, to be compared as the hub compares.
	mirror *queue.Jira
	// told is what the hub was told, at when it was last made sure of.
	told client.JiraInput
	at   time.Time
}

func (k *known) hasSprint(sprint jira.Sprint) bool {
	id := strconv.FormatInt(sprint.ID, 10)

	return slices.ContainsFunc(k.told.Sprints, func(s client.JiraSprintInput) bool {
		return s.Id == id && s.Name == sprint.Name && s.State == sprint.State
	})
}

// mostProjects bounds of how many projects types, statuses and sprints are told: each is several questions to Jira.
const mostProjects = 100

// connect finds out which Jira this is, however long that takes, and tells the hub.
func (a *Agent) connect(ctx context.Context) error {
	err := a.insist(ctx, func() (err error) {
		a.jira, err = a.Connect(ctx)

		return err
	})
	if err != nil {
		return err
	}

	return a.learn(ctx)
}

// insist asks until Jira answers as wanted, since nothing can be done before. Only a refused login ends it.
func (a *Agent) insist(ctx context.Context, ask func() error) error {
	pauses := a.times.pauses()

	for {
		err := a.patient.read(ctx, ask)
		if err == nil || ctx.Err() != nil || jira.KindOf(err) == jira.NotLoggedIn {
			return err
		}

		a.pulse.trouble("Jira does not answer as it should: " + err.Error())

		if err := pauses.pause(ctx, 0); err != nil {
			return err
		}
	}
}

// relearn looks whether Jira changed since it last did.
func (a *Agent) relearn(ctx context.Context) error {
	if time.Since(a.known.at) < a.times.Learn {
		return nil
	}

	return a.learn(ctx)
}

// knowNames looks anew where a field is named that Jira did not have when it was last asked. A name that is simply wrong
// must not cost that every time.
func (a *Agent) knowNames(ctx context.Context, fields queue.Fields) error {
	if time.Since(a.known.at) < a.times.LongestPause {
		return nil
	}

	for name := range fields {
		if _, err := a.known.fields.Find(name); err != nil && !always(name) {
			return a.learn(ctx)
		}
	}

	return nil
}

// learn reads what Jira is, and tells the hub where that is new.
func (a *Agent) learn(ctx context.Context) error {
	var (
		next known
		err  error
	)

	err = a.insist(ctx, func() (err error) {
		next.me, err = a.jira.Myself(ctx)

		return err
	})
	if err != nil {
		return err
	}

	err = a.insist(ctx, func() (err error) {
		next.fields, err = a.jira.Fields(ctx)

		return err
	})
	if err != nil {
		return err
	}

	server := a.jira.Server()
	next.told = client.JiraInput{BaseUrl: server.BaseURL, Deployment: server.Deployment, Version: server.Version}
	next.mirror = &queue.Jira{}

	for _, field := range next.fields.All() {
		schema := field.Schema()
		next.told.Fields = append(next.told.Fields, client.JiraFieldInput{Id: field.ID, Name: field.Name, Schema: &schema})
		next.mirror.Fields = append(next.mirror.Fields, queue.JiraField{ID: field.ID, Name: field.Name})
	}

	for _, part := range []func(context.Context, *client.JiraInput) error{a.learnLinkTypes, a.learnProjects} {
		if err := part(ctx, &next.told); err != nil {
			if final := a.final(ctx, err); final != nil {
				return final
			}

			a.log.Warn("a part of what Jira is stays unknown", "error", err)
		}
	}

	next.at = time.Now()
	changed := !reflect.DeepEqual(next.told, a.known.told)
	a.known = next

	if !changed {
		return nil
	}

	return a.tell(ctx)
}

func (a *Agent) tell(ctx context.Context) error {
	err := a.toHub(ctx, func(ctx context.Context) error { return a.hub.PushJira(ctx, a.known.told) })
	if refusedForGood(err) {
		a.log.Error("the hub does not take what it was told of Jira", "error", err)

		return nil
	}

	return err
}

func (a *Agent) learnLinkTypes(ctx context.Context, told *client.JiraInput) error {
	types, err := asked(ctx, a.patient, func() ([]jira.LinkType, error) { return a.jira.LinkTypes(ctx) })
	for _, t := range types {
		told.LinkTypes = append(told.LinkTypes, client.JiraLinkTypeInput{Name: t.Name, Outward: t.Outward, Inward: t.Inward})
	}

	return err
}

func (a *Agent) learnProjects(ctx context.Context, told *client.JiraInput) error {
	projects, err := asked(ctx, a.patient, func() ([]jira.Project, error) { return a.jira.Projects(ctx) })
	if err != nil {
		return err
	}

	for i, project := range projects {
		input := client.JiraProjectInput{Key: project.Key, Name: project.Name}

		if i < mostProjects {
			if err := a.learnProject(ctx, &input, told); err != nil {
				if final := a.final(ctx, err); final != nil {
					return final
				}

				a.log.Debug("a project stays half known", "project", project.Key, "error", err)
			}
		}

		told.Projects = append(told.Projects, input)
	}

	slices.Sort(told.Statuses)
	told.Statuses = slices.Compact(told.Statuses)

	return nil
}

func (a *Agent) learnProject(ctx context.Context, project *client.JiraProjectInput, told *client.JiraInput) error {
	types, err := asked(ctx, a.patient, func() ([]jira.IssueType, error) { return a.jira.IssueTypes(ctx, project.Key) })
	if err != nil {
		return err
	}

	for _, t := range types {
		project.IssueTypes = append(project.IssueTypes, t.Name)
		told.Statuses = append(told.Statuses, t.Statuses...)
	}

	sprints, err := a.openSprints(ctx, project.Key)
	if err != nil {
		return fmt.Errorf("its sprints: %w", err)
	}

	for _, sprint := range sprints {
		id := strconv.FormatInt(sprint.ID, 10)
		if slices.ContainsFunc(told.Sprints, func(s client.JiraSprintInput) bool { return s.Id == id }) {
			continue
		}

		told.Sprints = append(told.Sprints, client.JiraSprintInput{Id: id, Name: sprint.Name, State: sprint.State})
	}

	return nil
}
