package jira

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTextComesBackFromADocumentToTheLetter(t *testing.T) {
	for _, text := range []string{
		"", " ", "\n", "\n\n", "\n\n\n", "\n\n\n\n\n", "a", "a\nb", "a\n\nb", "a\n\n\nb", "a\n\n\n\nb\n", "\na", "a\n\n", "a\r\nb\r\n\r\nc", "\r", "a\rb",
		"trailing  \nspaces \n\n  leading", "\ttab\t", "👩‍👩‍👧‍👦 🇷🇺 é é", "h1. wiki {code}x{code} *bold* [link|http://x] || a || b ||",
		"- item\n- item\n\n1. one", `{"type":"doc"}`, "<b>&amp;</b>\u2028\u2029", "Русский текст — с тире…",
		strings.Repeat("я", 32_767), strings.Repeat("a\n", 16_383), strings.Repeat("\n", 32_767),
	} {
		if got := roundTrip(t, text); got != text {
			t.Errorf("%.60q came back as %.60q", text, got)
		}
	}
}

func FuzzTextThroughADocument(f *testing.F) {
	for _, text := range []string{"", "a\n\nb", "\n\n\n", "a \r\n\r\n b\r", "👩‍👩‍👧", "*b* {code}", "\n\n\n\na\n"} {
		f.Add(text)
	}

	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		if got := roundTrip(t, text); got != text {
			t.Errorf("%q came back as %q", text, got)
		}
	})
}

func roundTrip(t *testing.T, text string) string {
	t.Helper()

	raw, err := encode(ToDocument(text))
	check(t, err)

	var sent any
	check(t, decode(raw, &sent))

	if !document(sent) {
		t.Errorf("no document: %s", raw)
	}

	if strings.Contains(string(raw), `"text":""`) {
		t.Errorf("an empty text node: %s", raw)
	}

	return FromDocument(sent)
}

func TestDocumentsThatPeopleWroteAreReadable(t *testing.T) {
	paragraph := func(text string) string {
		return `{"type":"paragraph","content":[{"type":"text","text":"` + text + `"}]}`
	}
	item := func(blocks string) string { return `{"type":"listItem","content":[` + blocks + `]}` }

	for name, c := range map[string]struct{ content, want string }{
		"heading and paragraph": {`{"type":"heading","attrs":{"level":1},"content":[{"type":"text","text":"Title"}]},` + paragraph("Body"), "Title\n\nBody"},
		"marks":                 {`{"type":"paragraph","content":[{"type":"text","text":"bold","marks":[{"type":"strong"}]},{"type":"text","text":" plain"}]}`, "bold plain"},
		"link":                  {`{"type":"paragraph","content":[{"type":"text","text":"here","marks":[{"type":"link","attrs":{"href":"https://x/y"}}]},{"type":"text","text":" "},{"type":"text","text":"https://z","marks":[{"type":"link","attrs":{"href":"https://z"}}]}]}`, "here (https://x/y) https://z"},
		"hard break":            {`{"type":"paragraph","content":[{"type":"text","text":"a"},{"type":"hardBreak"},{"type":"text","text":"b"}]}`, "a\nb"},
		"bullets":               {`{"type":"bulletList","content":[` + item(paragraph("a")) + `,` + item(paragraph("b")+`,{"type":"bulletList","content":[`+item(paragraph("c"))+`]}`) + `]}`, "- a\n- b\n  - c"},
		"numbers":               {`{"type":"orderedList","attrs":{"order":9},"content":[` + item(paragraph("a")) + `,` + item(paragraph("b")+`,`+paragraph("more")) + `]}`, "9. a\n10. b\n    more"},
		"tasks":                 {`{"type":"taskList","attrs":{"localId":"1"},"content":[{"type":"taskItem","attrs":{"localId":"2","state":"DONE"},"content":[{"type":"text","text":"done"}]},{"type":"taskItem","attrs":{"state":"TODO"},"content":[{"type":"text","text":"to "},{"type":"text","text":"do"}]},{"type":"taskList","content":[{"type":"taskItem","attrs":{"state":"TODO"},"content":[{"type":"text","text":"inner"}]}]}]}`, "[x] done\n[ ] to do\n  [ ] inner"},
		"decisions":             {`{"type":"decisionList","content":[{"type":"decisionItem","attrs":{"state":"DECIDED"},"content":[{"type":"text","text":"yes"}]}]}`, "- yes"},
		"code":                  {`{"type":"codeBlock","attrs":{"language":"go"},"content":[{"type":"text","text":"if x {\n\n  y\n}"}]}`, "if x {\n\n  y\n}"},
		"quote":                 {`{"type":"blockquote","content":[` + paragraph("a") + `,` + paragraph("b") + `]}`, "> a\n\n> b"},
		"panel":                 {`{"type":"panel","attrs":{"panelType":"info"},"content":[` + paragraph("a") + `,` + paragraph("b") + `]}`, "a\n\nb"},
		"rule":                  {paragraph("a") + `,{"type":"rule"},` + paragraph("b"), "a\n\n---\n\nb"},
		"table":                 {`{"type":"table","content":[{"type":"tableRow","content":[{"type":"tableHeader","content":[` + paragraph("Name") + `]},{"type":"tableHeader","content":[` + paragraph("Value") + `]}]},{"type":"tableRow","content":[{"type":"tableCell","content":[` + paragraph("a") + `,` + paragraph("b") + `]},{"type":"tableCell","content":[]}]}]}`, "Name | Value\na b | "},
		"mention and emoji":     {`{"type":"paragraph","content":[{"type":"mention","attrs":{"id":"5b1","text":"@Ann"}},{"type":"text","text":" "},{"type":"mention","attrs":{"id":"5b2"}},{"type":"emoji","attrs":{"shortName":":smile:","text":"😄"}},{"type":"emoji","attrs":{"shortName":":x:"}}]}`, "@Ann @5b2😄:x:"},
		"date and status":       {`{"type":"paragraph","content":[{"type":"date","attrs":{"timestamp":"1772323200000"}},{"type":"text","text":" "},{"type":"status","attrs":{"text":"DONE","color":"green"}}]}`, "2026-03-01 DONE"},
		"cards":                 {`{"type":"paragraph","content":[{"type":"inlineCard","attrs":{"url":"https://x/1"}}]},{"type":"blockCard","attrs":{"url":"https://x/2"}}`, "https://x/1\n\nhttps://x/2"},
		"media":                 {`{"type":"mediaSingle","attrs":{"layout":"center"},"content":[{"type":"media","attrs":{"type":"file","id":"6e7","alt":"shot.png"}},{"type":"caption","content":[{"type":"text","text":"A shot"}]}]},{"type":"mediaGroup","content":[{"type":"media","attrs":{"id":"6e8","type":"file"}},{"type":"media"}]}`, "[shot.png]\nA shot\n\n[6e8]\n[file]"},
		"expand":                {`{"type":"expand","attrs":{"title":"More"},"content":[` + paragraph("a") + `]}`, "More\n\na"},
		"columns":               {`{"type":"layoutSection","content":[{"type":"layoutColumn","attrs":{"width":50},"content":[` + paragraph("a") + `]},{"type":"layoutColumn","content":[` + paragraph("b") + `]}]}`, "a\n\nb"},
		"an unknown block":      {`{"type":"carousel","attrs":{"text":"Label"},"content":[` + paragraph("a") + `]}`, "Label\n\na"},
		"an unknown in a line":  {`{"type":"paragraph","content":[{"type":"text","text":"a"},{"type":"sparkle","content":[{"type":"text","text":"b"}]}]}`, "ab"},
		"nonsense":              {`null,1,"x",[],{"type":5,"content":{"a":1}},{"content":[{"text":"loose"},{"type":"text","text":7}]},{"type":"text","text":"top"},{"type":"text","text":"level"}`, "\n\nloose\n\n\n\ntoplevel"},
	} {
		t.Run(name, func(t *testing.T) {
			var value any
			check(t, decode([]byte(`{"type":"doc","version":1,"content":[`+c.content+`]}`), &value))

			if got := FromDocument(value); got != c.want {
				t.Errorf("\n got %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestADeepDocumentIsReadAllTheSame(t *testing.T) {
	nested := `{"type":"text","text":"deep"}`
	for range 3000 {
		nested = `{"type":"blockquote","content":[` + nested + `]}`
	}

	var value any
	check(t, decode([]byte(`{"type":"doc","version":1,"content":[`+nested+`]}`), &value))

	if got := FromDocument(value); !strings.HasSuffix(got, "deep") || len(got) > 200 {
		t.Errorf("%d characters", len(got))
	}
}

func FuzzAnyDocument(f *testing.F) {
	f.Add(`{"type":"doc","version":1,"content":[{"type":"bulletList","content":[{"type":"listItem","content":[{"type":"paragraph"}]}]}]}`)
	f.Add(`{"content":[{"type":"taskList","content":[{"type":"taskList"},{"type":"table","content":[{"type":"tableRow","content":[null]}]}]}]}`)
	f.Add(`{"content":[{"type":"date","attrs":{"timestamp":1e999}},{"type":"orderedList","attrs":{"order":"x"},"content":[{}]}]}`)
	f.Add(`[{"type":"text"}]`)

	f.Fuzz(func(_ *testing.T, raw string) {
		var value any
		if json.Unmarshal([]byte(raw), &value) == nil {
			FromDocument(value)
		}
	})
}
