package scalar_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/queue"
	"github.com/sdlc-hub/sdlc-hub/resolvers/scalar"
)

// of makes a reading of one scalar comparable with the others.
func of[T any](unmarshal func(any) (T, error)) func(any) (any, error) {
	return func(value any) (any, error) { return unmarshal(value) }
}

func fieldValues(value any) (any, error) {
	return scalar.UnmarshalFieldValues(context.Background(), value)
}

func fieldValue(value any) (any, error) {
	return scalar.UnmarshalFieldValue(context.Background(), value)
}

func TestWhatAScalarTakes(t *testing.T) {
	t.Parallel()

	object := map[string]any{"a": int64(7), "b": 1.5, "c": []any{nil, "x", true, map[string]any{"d": json.Number("1e400")}}}
	taken := map[string]any{
		"a": json.Number("7"), "b": json.Number("1.5"), "c": []any{nil, "x", true, map[string]any{"d": json.Number("1e400")}},
	}

	for name, one := range map[string]struct {
		read  func(any) (any, error)
		given any
		want  any
	}{
		"a text":                        {of(scalar.UnmarshalString), "7", "7"},
		"an empty text":                 {of(scalar.UnmarshalString), "", ""},
		"a NUL, for the rules to judge": {of(scalar.UnmarshalString), "\x00", "\x00"},
		"any text as a key":             {of(scalar.UnmarshalIssueKey), "nothing like a key", queue.Key("nothing like a key")},
		"true":                          {of(scalar.UnmarshalBoolean), true, true},
		"a literal Int":                 {of(scalar.UnmarshalInt), int64(-5), -5},
		"the largest Int":               {of(scalar.UnmarshalInt), json.Number("2147483647"), math.MaxInt32},
		"an Int with an empty fraction": {of(scalar.UnmarshalInt), json.Number("50.0"), 50},
		"an Int with an exponent":       {of(scalar.UnmarshalInt), json.Number("1e3"), 1000},
		"a text as ID":                  {of(scalar.UnmarshalID), "007", "007"},
		"a number as ID":                {of(scalar.UnmarshalID), json.Number("7"), "7"},
		"a literal number as ID":        {of(scalar.UnmarshalID), int64(7), "7"},
		"a command's id":                {of(scalar.UnmarshalCommandID), "7", queue.CommandID(7)},
		"a batch's id":                  {of(scalar.UnmarshalBatchID), json.Number("7"), queue.BatchID(7)},
		"a time in a zone": {
			of(scalar.UnmarshalTime), "2026-01-31T12:30:00.5+03:00", time.Date(2026, 1, 31, 9, 30, 0, 500_000_000, time.UTC),
		},
		"a cursor": {
			of(scalar.UnmarshalCursor), queue.Cursor{Seq: 5, Mark: -9}.String(), queue.Cursor{Seq: 5, Mark: -9},
		},
		"fields, whose numbers keep their spelling": {fieldValues, object, queue.Fields(taken)},
		"an object as a value":                      {fieldValue, object, taken},
		"null as a value":                           {fieldValue, nil, nil},
	} {
		if got, err := one.read(one.given); err != nil || !reflect.DeepEqual(got, one.want) {
			t.Errorf("%s: %#v gives %#v, %v; want %#v", name, one.given, got, err, one.want)
		}
	}
}

func TestWhatAScalarRefusesIsABadRequest(t *testing.T) {
	t.Parallel()

	for name, one := range map[string]struct {
		read  func(any) (any, error)
		given []any
	}{
		"String":      {of(scalar.UnmarshalString), []any{json.Number("7"), int64(7), 1.5, true, nil, []any{"a"}, map[string]any{}}},
		"IssueKey":    {of(scalar.UnmarshalIssueKey), []any{json.Number("7"), int64(7), true, nil, []any{"A-1"}}},
		"Cursor":      {of(scalar.UnmarshalCursor), []any{json.Number("7"), int64(7), true, nil}},
		"Boolean":     {of(scalar.UnmarshalBoolean), []any{"true", json.Number("1"), int64(0), nil}},
		"ID":          {of(scalar.UnmarshalID), []any{json.Number("7.5"), 7.5, true, nil, []any{"7"}}},
		"CommandID":   {of(scalar.UnmarshalCommandID), []any{json.Number("7.5"), true, nil}},
		"BatchID":     {of(scalar.UnmarshalBatchID), []any{json.Number("7.5"), true, nil}},
		"FieldValues": {fieldValues, []any{"{}", json.Number("7"), true, nil, []any{}, map[string]any{"a": struct{}{}}}},
		"FieldValue":  {fieldValue, []any{struct{}{}, []any{struct{}{}}}},
		"Int": {of(scalar.UnmarshalInt), []any{
			"7", json.Number("1.5"), json.Number("2147483648"), json.Number("-2147483649"), json.Number("1e400"),
			int64(1 << 40), 0.5, math.Inf(1), math.NaN(), true, nil,
		}},
		"Time": {of(scalar.UnmarshalTime), []any{
			"2026-01-31", "2026-01-31T12:30:00", "2026-02-30T12:30:00Z", "2026-01-31 12:30:00Z", "2026-01-31T12:30:00,5Z", "2026-01-31T2:30:00Z",
			"2026-01-31T12:30:00+99:00",
			"", json.Number("0"), nil,
		}},
	} {
		for _, given := range one.given {
			_, err := one.read(given)

			var refusal *gqlerror.Error
			if !errors.As(err, &refusal) || refusal.Extensions["code"] != "BAD_REQUEST" || refusal.Extensions["status"] != 400 {
				t.Errorf("%s of %#v: %v", name, given, err)
			}
		}
	}
}

func TestWhatIsNoCursorOrIDIsRefusedByTheDomain(t *testing.T) {
	t.Parallel()

	if _, err := scalar.UnmarshalCursor("nothing like a cursor"); queue.CodeOf(err) != queue.Unprocessable {
		t.Errorf("a cursor that is none: %v", err)
	}

	if _, err := scalar.UnmarshalCommandID("007"); queue.CodeOf(err) != queue.NotFound {
		t.Errorf("a command's id that is none: %v", err)
	}

	if _, err := scalar.UnmarshalBatchID("-1"); queue.CodeOf(err) != queue.NotFound {
		t.Errorf("a batch's id that is none: %v", err)
	}
}

func written(t *testing.T, marshaler any) string {
	t.Helper()

	var out bytes.Buffer

	switch marshaler := marshaler.(type) {
	case graphql.Marshaler:
		marshaler.MarshalGQL(&out)
	case graphql.ContextMarshaler:
		if err := marshaler.MarshalGQLContext(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
	default:
		t.Fatalf("%T writes nothing", marshaler)
	}

	return out.String()
}

func TestWhatAScalarWrites(t *testing.T) {
	t.Parallel()

	moscow := time.FixedZone("", 3*60*60)
	cursor := queue.Cursor{Seq: 5, Mark: 9}

	for want, marshaler := range map[string]any{
		`"a \"b\""`:                       scalar.MarshalString(`a "b"`),
		`"A-1"`:                           scalar.MarshalIssueKey("A-1"),
		`"` + cursor.String() + `"`:       scalar.MarshalCursor(cursor),
		`true`:                            scalar.MarshalBoolean(true),
		`-7`:                              scalar.MarshalInt(-7),
		`"x"`:                             scalar.MarshalID("x"),
		`"12"`:                            scalar.MarshalCommandID(12),
		`"13"`:                            scalar.MarshalBatchID(13),
		`"2026-01-31T09:30:00.000000Z"`:   scalar.MarshalTime(time.Date(2026, 1, 31, 12, 30, 0, 0, moscow)),
		`"2026-01-31T09:30:00.123456Z"`:   scalar.MarshalTime(time.Date(2026, 1, 31, 9, 30, 0, 123456789, time.UTC)),
		`{}`:                              scalar.MarshalFieldValues(nil),
		`{"a":"<&>","b":1.10,"c":[null]}`: scalar.MarshalFieldValues(queue.Fields{"b": json.Number("1.10"), "a": "<&>", "c": []any{nil}}),
		`null`:                            scalar.MarshalFieldValue(nil),
		`12345678901234567890`:            scalar.MarshalFieldValue(json.Number("12345678901234567890")),
	} {
		if got := written(t, marshaler); got != want {
			t.Errorf("%s was written; want %s", got, want)
		}
	}
}

func TestATimeThatWasReadCanBeSentBack(t *testing.T) {
	t.Parallel()

	at := time.Date(2026, 1, 31, 9, 30, 0, 123_456_000, time.UTC)

	if got, err := scalar.UnmarshalTime(strings.Trim(written(t, scalar.MarshalTime(at)), `"`)); err != nil || !got.Equal(at) {
		t.Fatalf("%s came back as %s, %v", at, got, err)
	}
}

func FuzzFieldValuesComeBackAsTheyWereGiven(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a":1.0}`, `{"a":[1e400,null,{"b":"\u0000"}]}`, `{"<&>":"\ud800"}`, `{"a":12345678901234567890}`, `[]`, `7`,
	} {
		f.Add([]byte(seed))
	}

	f.Fuzz(func(t *testing.T, text []byte) {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()

		var given any
		if decoder.Decode(&given) != nil {
			return
		}

		fields, err := scalar.UnmarshalFieldValues(t.Context(), given)

		if _, isObject := given.(map[string]any); !isObject {
			if err == nil {
				t.Fatalf("%s was taken for fields", text)
			}

			return
		}

		if err != nil {
			t.Fatalf("%s was refused: %v", text, err)
		}

		again := json.NewDecoder(strings.NewReader(written(t, scalar.MarshalFieldValues(fields))))
		again.UseNumber()

		var back any
		if err := again.Decode(&back); err != nil || !reflect.DeepEqual(back, given) {
			t.Fatalf("%s came back as %#v, %v", text, back, err)
		}
	})
}
