package graphqlhttp

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// format is the media type of an answer.
type format string

// The formats. The two of GraphQL over HTTP differ in more than the name: in the older one a request whose document is
// wrong is answered with 200, since its clients take any other status for a fault of the network.
const (
	jsonFormat    format = "application/json"
	graphqlFormat format = "application/graphql-response+json"
	// streamFormat is that of graphql-sse, which alone can answer a subscription.
	streamFormat format = "text/event-stream"
)

// acceptedFormat picks the format by the Accept header: the one it weighs highest; of several alike, the newer where it
// is named, then the older, then a stream of events, and the older where only a wildcard covers it. False where none is
// acceptable.
func acceptedFormat(header http.Header) (format, bool) {
	accept := strings.Join(header.Values("Accept"), ",")
	if strings.TrimSpace(accept) == "" {
		return jsonFormat, true
	}

	var (
		best      format
		bestRank  int
		bestScore float64
	)

	for part := range strings.SplitSeq(accept, ",") {
		offered, rank, score := weigh(part)
		if score > bestScore || score > 0 && score == bestScore && rank > bestRank {
			best, bestRank, bestScore = offered, rank, score
		}
	}

	return best, bestScore > 0
}

// weigh gives the format that one part of an Accept header covers, how exactly it names it, and its quality: 0 where it
// covers none.
func weigh(part string) (format, int, float64) {
	mediaType, parameters, err := mime.ParseMediaType(strings.TrimSpace(part))
	if err != nil {
		return "", 0, 0
	}

	if charset, ok := parameters["charset"]; ok && !isUTF8(charset) {
		return "", 0, 0
	}

	score := 1.0

	if quality, ok := parameters["q"]; ok {
		if score, err = strconv.ParseFloat(quality, 64); err != nil {
			return "", 0, 0
		}
	}

	const (
		wildcard = iota
		stream
		older
		newer
	)

	switch mediaType {
	case string(graphqlFormat):
		return graphqlFormat, newer, score
	case string(jsonFormat):
		return jsonFormat, older, score
	case string(streamFormat):
		return streamFormat, stream, score
	case "*/*", "application/*":
		return jsonFormat, wildcard, score
	default:
		return "", 0, 0
	}
}

func isUTF8(charset string) bool {
	return strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "utf8")
}
