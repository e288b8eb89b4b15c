package sim

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

const maxAgilePage = 50

func (c *call) board(b *board) any {
	shown := object{"id": b.id, "self": c.agile("board", b.id), "name": b.name, "type": b.kind()}
	if c.store.cloud() {
		shown["location"] = object{
			"projectKey": b.project.key, "projectName": b.project.name, "projectTypeKey": "software",
			"displayName": b.project.name + " (" + b.project.key + ")", "name": b.project.name + " (" + b.project.key + ")",
		}
	}

	return shown
}

func (c *call) agile(what string, id int) string {
	return c.base + "/rest/agile/1.0/" + what + "/" + strconv.Itoa(id)
}

func (c *call) sprint(sp *sprint) any {
	shown := object{
		"id": sp.id, "self": c.agile("sprint", sp.id), "state": sp.state, "name": sp.name, "originBoardId": sp.board.id, "goal": sp.goal,
	}
	if sp.state != sprintFuture {
		shown["startDate"], shown["endDate"] = "2026-11-16T09:00:00.000+03:00", "2026-11-30T18:00:00.000+03:00"
	}

	if sp.state == sprintClosed {
		shown["completeDate"] = "2026-11-30T18:05:11.000+03:00"
	}

	return shown
}

func listBoards(c *call) answer {
	boards := slices.Clone(c.store.boards)

	if wanted := c.query("projectKeyOrId"); wanted != "" {
		p, found := c.store.project(wanted)
		if !found {
			return refused(http.StatusBadRequest, "No project could be found with key or id '"+wanted+"'.")
		}

		boards = slices.DeleteFunc(boards, func(b *board) bool { return b.project != p })
	}

	if kinds := c.values("type"); len(kinds) > 0 {
		boards = slices.DeleteFunc(boards, func(b *board) bool { return !slices.Contains(kinds, b.kind()) })
	}

	if name := c.query("name"); name != "" {
		boards = slices.DeleteFunc(boards, func(b *board) bool {
			return !strings.Contains(strings.ToLower(b.name), strings.ToLower(name))
		})
	}

	return c.agilePage(len(boards), func(start, limit int) []any { return each(cut(boards, start, limit), c.board) }, true)
}

// agilePage is the Agile API's page; Data Center does not count sprints.
func (c *call) agilePage(total int, page func(start, limit int) []any, counted bool) answer {
	start, limit := c.page(maxAgilePage, maxAgilePage)
	values := page(start, limit)
	shown := object{"startAt": start, "maxResults": limit, "isLast": start+len(values) >= total, "values": values}

	if counted || c.store.cloud() {
		shown["total"] = total
	}

	return ok(shown)
}

func (c *call) pathBoard() (*board, answer, bool) {
	id, _ := strconv.Atoi(c.r.PathValue("board"))

	b, found := c.store.board(id)
	if !found {
		return nil, refused(http.StatusNotFound, "Board does not exist or you do not have permission to see it."), false
	}

	return b, answer{}, true
}

func getBoard(c *call) answer {
	b, no, found := c.pathBoard()
	if !found {
		return no
	}

	return ok(c.board(b))
}

func boardSprints(c *call) answer {
	b, no, found := c.pathBoard()
	if !found {
		return no
	}

	if b.kanban {
		return refused(http.StatusBadRequest, "The board does not support sprints")
	}

	states := c.values("state")
	sprints := slices.DeleteFunc(slices.Clone(c.store.sprints), func(sp *sprint) bool {
		return sp.board != b || len(states) > 0 && !slices.Contains(states, sp.state)
	})

	return c.agilePage(len(sprints), func(start, limit int) []any { return each(cut(sprints, start, limit), c.sprint) }, false)
}
