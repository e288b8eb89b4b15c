package operation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/server/operation"
)

// Queries that take every kind of variable.
const (
	batchQuery    = `mutation($input: BatchInput!) { createBatch(input: $input) { batch { id } } }`
	commandsQuery = `query($filter: CommandFilter, $first: Int! = 50) { commands(filter: $filter, first: $first) { totalCount } }`
	cancelQuery   = `mutation($ids: [ID!]!, $force: Boolean! = false) { cancelCommands(ids: $ids, force: $force) { cancelledCount } }`
	pauseQuery    = `mutation($reason: String) { pauseQueue(reason: $reason) { paused } }`
	paceQuery     = `mutation($input: PaceInput!) { setPace(input: $input) { paused } }`
	firstQuery    = `query($n: Int) { commands(first: $n) { totalCount } }`
	skipQuery     = `query($skip: Boolean = false) { viewer { name @skip(if: $skip) site } }`
	statusesQuery = `query($s: [CommandStatus!]) { commands(filter: {statuses: $s}) { totalCount } }`
)

func TestVariablesOfTheirTypesPass(t *testing.T) {
	for name, asked := range map[string]struct{ query, variables string }{
		"one of each command": {batchQuery, `{"input": {"title": null, "held": true, "commands": [
			{"ensureIssue": {"tempKey": "new:1", "project": "AURORA", "issueType": "Task", "summary": "x", "fields": {"a": [1, {"b": null}]}}},
			{"ensureFields": {"key": "A-1", "fields": {"customfield_1": 123456789012345678901234567890}}},
			{"ensureStatus": {"key": "A-1", "path": ["To Do", "Done"]}},
			{"ensureLink": {"source": "A-1", "target": "A-2", "type": "Blocks"}},
			{"ensureSprint": {"key": "A-1", "sprint": null}},
			{"ensureComment": {"key": "A-1", "body": "x"}},
			{"refresh": {"keys": ["A-1"]}}]}}`},
		"a list of one, without brackets": {cancelQuery, `{"ids": "4"}`},
		"an id as a number":               {cancelQuery, `{"ids": [4, "5", 12345678901234567890]}`},
		"an enum":                         {commandsQuery, `{"filter": {"statuses": ["QUEUED", "CONFIRMED_BY_STATE"]}}`},
		"null for a nullable":             {commandsQuery, `{"filter": null}`},
		"a default":                       {commandsQuery, ""},
		"the largest Int":                 {commandsQuery, `{"first": 2147483647}`},
		"one that is not declared":        {commandsQuery, `{"other": {"a": 1}}`},
		"a whole number written 1.0":      {commandsQuery, `{"first": 5.0}`},
		"a whole number written 1e3":      {commandsQuery, `{"first": 1e3}`},
		"a keys' number, for its scalar":  {batchQuery, `{"input": {"commands": [{"refresh": {"keys": [5]}}]}}`},
		"a nullable left out":             {firstQuery, ""},
		"a switch left out":               {skipQuery, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if _, problems := ask(t, checked(operation.Limits{}), asked.query, asked.variables); problems != nil {
				t.Errorf("refused: %v", problems)
			}
		})
	}
}

func TestAVariableOfAnotherTypeIsABadRequestThatNamesIt(t *testing.T) {
	const (
		oneOf     = "ensureIssue, ensureFields, ensureStatus, ensureLink, ensureSprint, ensureComment, refresh"
		ofBatch   = "a BatchInput has title, clientKey, held, commands"
		ofCommand = "must be an object (CommandInput)"
		statuses  = "there is QUEUED, CLAIMED, DONE, FAILED, CANCELLED, SKIPPED, CONFIRMED_BY_STATE"
		pace      = `{"input": {"minPauseSeconds": "1", "maxPauseSeconds": 2}}`
	)

	for name, asked := range map[string]struct{ query, variables, message string }{
		"not given":             {batchQuery, `{}`, "$input must be given: it is a BatchInput!"},
		"null":                  {batchQuery, `{"input": null}`, "$input must not be null: it is a BatchInput!"},
		"a text for an object":  {batchQuery, `{"input": "x"}`, "$input must be an object (BatchInput), not a text"},
		"a list for an object":  {batchQuery, `{"input": [1]}`, "$input must be an object (BatchInput), not a list"},
		"a field not given":     {batchQuery, `{"input": {}}`, "$input.commands must be given: it is a [CommandInput!]!"},
		"a field null":          {batchQuery, `{"input": {"commands": null}}`, "$input.commands must not be null: it is a [CommandInput!]!"},
		"null with a default":   {batchQuery, `{"input": {"held": null, "commands": []}}`, "$input.held must not be null: it is a Boolean!"},
		"an item null":          {batchQuery, `{"input": {"commands": [null]}}`, "$input.commands[0] must not be null: it is a CommandInput!"},
		"an unknown field":      {batchQuery, `{"input": {"command": []}}`, "$input.command is unknown: " + ofBatch},
		"a field in other case": {batchQuery, `{"input": {"Commands": []}}`, "$input.Commands is unknown: " + ofBatch},
		"an unknown field of a command": {
			batchQuery, `{"input": {"commands": [{"refresh": {"jql": "a", "key": "A-1"}}]}}`,
			"$input.commands[0].refresh.key is unknown: a RefreshInput has keys, jql",
		},
		"none of @oneOf": {
			batchQuery, `{"input": {"commands": [{"refresh": {}}, {}]}}`,
			"$input.commands[1] must have exactly one of " + oneOf + ", and has 0",
		},
		"two of @oneOf": {
			batchQuery, `{"input": {"commands": [{"refresh": {}, "ensureSprint": {"key": "A-1"}}]}}`,
			"$input.commands[0] must have exactly one of " + oneOf + ", and has 2",
		},
		"one of @oneOf and a null": {
			batchQuery, `{"input": {"commands": [{"refresh": {}, "ensureSprint": null}]}}`,
			"$input.commands[0] must have exactly one of " + oneOf + ", and has 2",
		},
		"null of @oneOf": {
			batchQuery, `{"input": {"commands": [{"refresh": null}]}}`,
			"$input.commands[0].refresh must not be null: it is the one of CommandInput that counts",
		},
		"@oneOf without brackets": {
			batchQuery, `{"input": {"commands": {}}}`, "$input.commands must have exactly one of " + oneOf + ", and has 0",
		},
		"a text for a @oneOf":  {batchQuery, `{"input": {"commands": ["refresh"]}}`, "$input.commands[0] " + ofCommand + ", not a text"},
		"a number for a text":  {pauseQuery, `{"reason": 5}`, "$reason must be a String, not the number 5"},
		"a boolean for a text": {pauseQuery, `{"reason": true}`, "$reason must be a String, not true"},
		"an object for a text": {pauseQuery, `{"reason": {}}`, "$reason must be a String, not an object"},
		"a number for an inner text": {
			batchQuery, `{"input": {"commands": [{"ensureStatus": {"key": "A-1", "path": ["To Do", 5]}}]}}`,
			"$input.commands[0].ensureStatus.path[1] must be a String, not the number 5",
		},
		"a text for a number":       {commandsQuery, `{"first": "5"}`, "$first must be an Int, not a text"},
		"a fraction for an Int":     {commandsQuery, `{"first": 5.5}`, "$first must be an Int, not the number 5.5"},
		"an Int of 33 bits":         {commandsQuery, `{"first": 2147483648}`, "$first: 2147483648 is no Int: it has 32 bits"},
		"an Int beyond all":         {commandsQuery, `{"first": 1e400}`, "$first must be an Int, not the number 1e400"},
		"a text for an inner Int":   {paceQuery, pace, "$input.minPauseSeconds must be an Int, not a text"},
		"a text for a Boolean":      {cancelQuery, `{"ids": ["1"], "force": "true"}`, "$force must be a Boolean, not a text"},
		"a number for a Boolean":    {cancelQuery, `{"ids": ["1"], "force": 1}`, "$force must be a Boolean, not the number 1"},
		"a fraction for an id":      {cancelQuery, `{"ids": [1.5]}`, "$ids[0] must be an ID, not the number 1.5"},
		"an unknown enum":           {statusesQuery, `{"s": ["NOPE"]}`, `$s[0]: there is no CommandStatus "NOPE"; ` + statuses},
		"an enum in lower case":     {statusesQuery, `{"s": "queued"}`, `$s: there is no CommandStatus "queued"; ` + statuses},
		"a number for an enum":      {statusesQuery, `{"s": [0]}`, "$s[0] must be a CommandStatus, not the number 0"},
		"null where the default is": {firstQuery, `{"n": null}`, "$n must not be null: it is used where null may not stand"},
		"null for a switch":         {skipQuery, `{"skip": null}`, "$skip must not be null: it is used where null may not stand"},
		"null in an enum list":      {statusesQuery, `{"s": [null]}`, "$s[0] must not be null: it is a CommandStatus!"},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := ask(t, checked(operation.Limits{}), asked.query, asked.variables)
			if code(problems) != "BAD_REQUEST" || problems[0].Message != asked.message {
				t.Errorf("got %v", problems)
			}
		})
	}
}

func TestNumbersInVariablesStayExact(t *testing.T) {
	const large = "123456789012345678901234567890.12345678901234567890"

	asked, problems := ask(t, checked(operation.Limits{}), batchQuery,
		`{"input": {"commands": [{"ensureFields": {"key": "A-1", "fields": {"n": `+large+`}}}]}}`)
	if problems != nil {
		t.Fatal(problems)
	}

	if got := fmt.Sprint(asked.Variables); !strings.Contains(got, "n:"+large) {
		t.Errorf("got %s", got)
	}
}

func TestAWholeNumberIsTakenHoweverItIsWritten(t *testing.T) {
	for written, want := range map[string]string{"5": "5", "5.0": "5", "1e3": "1000", "-0.0": "0"} {
		asked, problems := ask(t, checked(operation.Limits{}), commandsQuery, `{"first": `+written+`}`)
		if problems != nil || fmt.Sprint(asked.Variables["first"]) != want {
			t.Errorf("%s: %v, %v", written, asked.Variables, problems)
		}
	}
}
