import CoreData

/// A chart as an SVG drawing with a title and a description in words, for files and for the browser's page.
///
/// The drawing contains no links or scripts. Its elements have classes, and an embedded style sheet follows the
/// reader's choice of light or dark.
package struct ChartDrawing {
    /// The default width, and the range of allowed widths: a narrow page has no room for the default.
    package static let (usualWidth, widths) = (800, 240...2_000)
    private static let height = 440.0
    private static let (left, right, top) = (76.0, 18.0, 16.0)

    private let summary: ObjectSummary
    private let chart: ChartSeries
    private let scale: ChartScale
    private let across: ChartScale?
    private let bottom: Double
    private let head: Double
    private let width: Double

    /// - Throws: `InspectionError` of code `badValue` for a table, and for rows without numbers to draw.
    package init(_ summary: ObjectSummary, width: Int = ChartDrawing.usualWidth) throws {
        self.summary = summary
        self.width = Double(width)
        chart = ChartSeries(summary)
        guard summary.kind != .table else {
            throw InspectionError(
                .badValue, subject: "kind", cause: "a table is not a drawing", hint: "take bar, line or scatter")
        }
        guard !chart.series.isEmpty, chart.series.contains(where: { !$0.values.compactMap(\.self).isEmpty }) else {
            throw InspectionError(
                .badValue, subject: "chart", cause: "there are no numbers to draw",
                hint: "scatter needs two columns of numbers, the others one")
        }
        guard summary.kind != .scatter || chart.places != nil else {
            throw InspectionError(.badValue, subject: "chart", cause: "scatter needs two columns of numbers")
        }
        let isFromZero = summary.kind != .scatter
        scale = ChartScale(chart.series.flatMap { $0.values.compactMap(\.self) }, includesZero: isFromZero)
        let isLine = summary.kind == .line
        across = chart.places.flatMap {
            isLine ? ChartScale(endingAt: $0) : ChartScale($0, includesZero: false, marks: min(8, max(3, width / 90)))
        }
        bottom =
            ChartLabels.height(
                of: chart.labels, maySlant: summary.kind == .bar, within: Double(width) - Self.left - Self.right)
            + (chart.across.isEmpty ? 0 : 18)
        let columns = Self.legendColumns(Double(width))
        head =
            Self.top + (chart.series.count > 1 ? 22 * Double((chart.series.count + columns - 1) / columns) : 0)
            + (chart.up.isEmpty ? 0 : 16)
    }

    /// The number of columns of the legend.
    private static func legendColumns(_ width: Double) -> Int { max(1, min(4, Int((width - left - right) / 150))) }

    private var plotWidth: Double { width - Self.left - Self.right }
    /// The greatest number of characters of an axis name.
    private var unitLength: Int { min(80, Int(plotWidth / 7)) }
    private var plotHeight: Double { Self.height - bottom - head }

    /// The drawing as SVG; the same rows give the same bytes.
    package var svg: String {
        let frame = [
            "<rect class=\"paper\" x=\"0\" y=\"0\" width=\"\(Self.number(width))\" height=\"440\"/>"
        ]
        let parts =
            frame + legend + marks + axis + (summary.kind == .bar ? bars : summary.kind == .line ? lines : points)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(width)) 440" role="img" direction="ltr" \
            aria-labelledby="chart-title chart-desc" font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" font-size="12">
            <title id="chart-title">\(GraphText.xml(title, limit: 300))</title>
            <desc id="chart-desc">\(GraphText.xml(description, limit: 3_000))</desc>
            <style>\(ChartStyle.sheet)</style>
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }

    private var title: String {
        let values = chart.up.isEmpty ? chart.series.map(\.name).joined(separator: ", ") : chart.up
        return "\(summary.entity): \(values)" + (chart.across.isEmpty ? "" : " by \(chart.across)")
    }

    /// The drawing in words: the number of bars or points, and the least and the greatest value of each series.
    private var description: String {
        var sentences = [
            "\(summary.kind.rawValue.capitalized) chart with \(chart.labels.count) \(summary.kind == .bar ? "bars" : "points")."
        ]
        for series in chart.series {
            let known = zip(chart.labels, series.values).compactMap { label, value in value.map { (label, $0) } }
            guard let least = known.min(by: { $0.1 < $1.1 }), let most = known.max(by: { $0.1 < $1.1 }) else {
                continue
            }
            sentences.append(
                "\(series.name): from \(ChartScale.text(least.1)) (\(least.0)) to \(ChartScale.text(most.1)) (\(most.0))."
            )
        }
        if chart.omitted > 0 { sentences.append("Not drawn: \(chart.omitted) rows.") }
        if !summary.isComplete { sentences.append("There are more rows than were asked for.") }
        return sentences.joined(separator: " ")
    }

    // MARK: Frame

    private var legend: [String] {
        var lines: [String] = []
        if !chart.up.isEmpty {
            let name = ChartLabels.cut(chart.up, unitLength)
            lines.append(Self.text("unit", x: Self.left, y: Self.top + 2, anchor: "start", text: name))
        }
        guard chart.series.count > 1 else { return lines }
        let begin = Self.top + (chart.up.isEmpty ? 0 : 16)
        let columns = Self.legendColumns(width)
        for (number, series) in chart.series.enumerated() {
            let x = Self.left + Double(number % columns) * plotWidth / Double(columns)
            let y = begin + Double(number / columns) * 22
            lines.append(
                "<rect class=\"s\(number)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"11\" height=\"11\"/>"
            )
            lines.append(
                Self.text("legend", x: x + 16, y: y + 10, anchor: "start", text: ChartLabels.cut(series.name, 24)))
        }
        return lines
    }

    private var marks: [String] {
        scale.marks.flatMap { mark in
            let y = Self.number(self.y(mark))
            return [
                "<line class=\"\(mark == 0 ? "zero" : "mark")\" x1=\"\(Self.number(Self.left))\" y1=\"\(y)\" "
                    + "x2=\"\(Self.number(width - Self.right))\" y2=\"\(y)\"/>",
                Self.text("number", x: Self.left - 8, y: self.y(mark) + 4, anchor: "end", text: ChartScale.text(mark)),
            ]
        }
    }

    private var axis: [String] {
        let y = Self.height - bottom
        var lines: [String] = []
        if summary.kind == .scatter, let across {
            lines = across.marks.map {
                Self.text(
                    "number", x: Self.left + across.place($0) * plotWidth, y: y + 18, anchor: "middle",
                    text: ChartScale.text($0))
            }
        } else {
            let labels = ChartLabels(
                chart.labels, at: chart.labels.indices.map(x), within: plotWidth, maySlant: summary.kind == .bar)
            lines = labels.shown.map { label in
                guard labels.isSlanted else {
                    return Self.text("label", x: label.x, y: y + 18, anchor: "middle", text: label.text)
                }
                let place = "\(Self.number(label.x + 4)) \(Self.number(y + 14))"
                return Self.text(
                    "label", x: label.x + 4, y: y + 14, anchor: "end", text: label.text,
                    more: " transform=\"rotate(-40 \(place))\"")
            }
        }
        if !chart.across.isEmpty {
            lines.append(
                Self.text(
                    "unit", x: Self.left + plotWidth / 2, y: Self.height - 6, anchor: "middle",
                    text: ChartLabels.cut(chart.across, unitLength)))
        }
        return lines
    }

    // MARK: Values

    private var bars: [String] {
        let step = plotWidth / Double(max(1, chart.labels.count))
        let room = step * 0.8
        let each = room / Double(chart.series.count)
        return chart.series.enumerated().flatMap { number, series in
            series.values.enumerated().compactMap { place, value -> String? in
                guard let value else { return nil }
                let x = Self.left + Double(place) * step + (step - room) / 2 + Double(number) * each
                let (high, low) = (y(max(value, 0)), y(min(value, 0)))
                return
                    "<rect class=\"s\(number)\" x=\"\(Self.number(x))\" y=\"\(Self.number(high))\" width=\"\(Self.number(max(each - 1, 0.5)))\" "
                    + "height=\"\(Self.number(max(low - high, 0.5)))\">\(tip(place, series: series, value: value))</rect>"
            }
        }
    }

    private var lines: [String] {
        chart.series.enumerated().flatMap { number, series in
            var path = ""
            var isDrawing = false
            var dots: [String] = []
            for (place, value) in series.values.enumerated() {
                guard let value else {
                    isDrawing = false
                    continue
                }
                path += "\(isDrawing ? "L" : "M")\(Self.number(x(place))) \(Self.number(y(value))) "
                isDrawing = true
                if series.values.count <= 120 {
                    dots.append(dot(number, x: x(place), y: y(value), tip: tip(place, series: series, value: value)))
                }
            }
            return [
                "<path class=\"l\(number)\"\(Self.dashes(number)) d=\"\(path.trimmingCharacters(in: .whitespaces))\"/>"
            ] + dots
        }
    }

    /// The dash pattern of a line, which distinguishes lines in addition to their colours.
    private static func dashes(_ number: Int) -> String {
        let patterns = ["", "7 4", "2 4", "10 3 2 3"]
        let pattern = patterns[number % patterns.count]
        return pattern.isEmpty ? "" : " stroke-dasharray=\"\(pattern)\""
    }

    private var points: [String] {
        chart.series.enumerated().flatMap { number, series in
            series.values.enumerated().compactMap { place, value in
                value.map { dot(number, x: x(place), y: y($0), tip: tip(place, series: series, value: $0)) }
            }
        }
    }

    private func dot(_ number: Int, x: Double, y: Double, tip: String) -> String {
        "<circle class=\"s\(number)\" cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"3.5\">\(tip)</circle>"
    }

    /// The tooltip of a value.
    private func tip(_ place: Int, series: ChartSeries.Series, value: Double) -> String {
        let name = chart.series.count > 1 ? ", \(series.name)" : ""
        return "<title>\(GraphText.xml("\(chart.labels[place])\(name): \(ChartScale.text(value))", limit: 300))</title>"
    }

    private func x(_ place: Int) -> Double {
        if let across, let places = chart.places { return Self.left + across.place(places[place]) * plotWidth }
        return Self.left + (Double(place) + 0.5) * plotWidth / Double(max(1, chart.labels.count))
    }

    private func y(_ value: Double) -> Double { head + (1 - scale.place(value)) * plotHeight }

    // MARK: Elements

    private static func text(
        _ name: String, x: Double, y: Double, anchor: String, text: String, more: String = ""
    ) -> String {
        "<text class=\"\(name)\" x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\"\(more)>\(GraphText.xml(text, limit: 100))</text>"
    }

    /// A length with at most two digits of fraction.
    private static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 100_000 else { return "0" }
        let rounded = (value * 100).rounded() / 100
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
