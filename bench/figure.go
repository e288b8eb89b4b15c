package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// figure is one line of the table: the hub beside its floor.
type figure struct {
	// Row is the name of the row it belongs to, Work what was done.
	Row, Work string
	// Floor and Hub are the medians of both, with their unit; Floor is "" where the mark is no ratio.
	Floor, Hub string
	// Values has the ratio, or the measured number itself, of each pair.
	Values []float64
	// Worst tells that the largest of the values counts, not their median.
	Worst bool
	Mark  mark
}

// mark is what a figure must reach.
type mark struct {
	limit float64
	// least tells that the limit is the least allowed, else it is the most.
	least bool
	// none tells that the figure is only shown.
	none bool
}

func atLeast(limit float64) mark { return mark{limit: limit, least: true} }
func within(limit float64) mark  { return mark{limit: limit} }
func onlyShown() mark            { return mark{none: true} }

func (m mark) String() string {
	switch {
	case m.none:
		return ""
	case m.least:
		return "at least " + number(m.limit)
	default:
		return "within " + number(m.limit)
	}
}

func (m mark) reached(value float64) bool {
	return m.none || m.least && value >= m.limit || !m.least && value <= m.limit
}

func (f figure) reached() bool { return f.Mark.reached(f.counted()) }

// counted is the value that is held against the mark.
func (f figure) counted() float64 {
	if f.Worst {
		return slices.Max(f.Values)
	}

	return median(f.Values)
}

// verdict is a word for the last column.
func (f figure) verdict() string {
	switch {
	case f.Mark.none:
		return ""
	case f.reached():
		return "reached"
	default:
		return "MISSED"
	}
}

// value is what counts, with the spread.
func (f figure) value() string {
	return fmt.Sprintf("%s (%s–%s)", number(f.counted()), number(slices.Min(f.Values)), number(slices.Max(f.Values)))
}

// line is the figure for whoever watches.
func (f figure) line() string {
	parts := []string{f.Work + ": " + f.value()}

	if f.Floor != "" {
		parts = append(parts, "floor "+f.Floor)
	}

	parts = append(parts, f.Hub, f.Mark.String(), f.verdict())

	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}

// number writes two decimals, or none where the value is whole.
func number(value float64) string {
	if value == float64(int64(value)) {
		return strconv.FormatInt(int64(value), 10)
	}

	return strconv.FormatFloat(value, 'f', 2, 64)
}

// rate is so much work a second, by the median time.
func rate(work int, times []time.Duration) string {
	return fmt.Sprintf("%.0f/s", float64(work)/median(times).Seconds())
}

// took is the median time.
func took(times []time.Duration) string {
	milliseconds := median(times).Seconds() * 1000
	if milliseconds < 10 {
		return fmt.Sprintf("%.1f ms", milliseconds)
	}

	return fmt.Sprintf("%.0f ms", milliseconds)
}
