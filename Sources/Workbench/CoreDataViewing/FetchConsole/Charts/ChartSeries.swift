import CoreData

/// The data of a chart: labels along the axis, and the values of one or more series.
struct ChartSeries {
    struct Series {
        let name: String
        /// A value for each label; nil for a missing value.
        var values: [Double?]
    }

    /// The greatest numbers of bars, of points, and of series; more could not be distinguished.
    static let (mostBars, mostPoints, mostSeries) = (60, 2_000, 8)

    private(set) var labels: [String] = []
    /// The positions of the labels on a numeric axis; nil if the labels are only placed one after another.
    private(set) var places: [Double]?
    private(set) var series: [Series] = []
    /// The names of the horizontal and the vertical axis.
    let (across, up): (String, String)
    /// The number of rows, or of labels, that are not drawn.
    private(set) var omitted = 0

    init(_ summary: ObjectSummary) {
        let keys = summary.columns.indices.filter { summary.columns[$0].isKey }
        let numbers = summary.columns.indices.filter { summary.columns[$0].isNumber }
        let values = numbers.filter { !summary.columns[$0].isKey }
        if summary.kind == .scatter, numbers.count > 1 {
            (across, up) = (summary.columns[numbers[0]].text, summary.columns[numbers[1]].text)
            fillPoints(summary, x: numbers[0], y: numbers[1])
        } else if keys.count == 2, values.count == 1, let split = Self.split(summary, keys[1]) {
            (across, up) = (summary.columns[keys[0]].text, summary.columns[values[0]].text)
            fill(summary, key: keys[0], by: keys[1], named: split, value: values[0])
        } else {
            across = keys.map { summary.columns[$0].text }.joined(separator: ", ")
            up = values.count == 1 ? summary.columns[values[0]].text : ""
            fill(summary, keys: keys, values: values)
        }
    }

    /// The different values of a second key, as names of series; nil if there is only one, or too many.
    private static func split(_ summary: ObjectSummary, _ key: Int) -> [String]? {
        var found: [String: PropertyReading] = [:]
        for row in summary.rows {
            found[Self.label(row[key])] = row[key]
            guard found.count <= mostSeries else { return nil }
        }
        // Sorted by value, so that a value has the same colour however the rows are sorted; null is the last.
        let names = found.filter { $0.value.value != nil }.sorted {
            SummaryOrder.precedes($0.value.value, $1.value.value)
        }
        let rest = found.filter { $0.value.value == nil }
        return found.count > 1 ? (names + rest).map(\.key) : nil
    }

    private mutating func fillPoints(_ summary: ObjectSummary, x: Int, y: Int) {
        let points = summary.rows.compactMap { row -> (Double, Double, String)? in
            guard let first = Self.number(row[x]), let second = Self.number(row[y]) else { return nil }
            return (
                first, second,
                zip(summary.columns, row).filter(\.0.isKey).map { Self.label($0.1) }.joined(separator: " · ")
            )
        }
        let shown = points.prefix(Self.mostPoints)
        omitted = points.count - shown.count
        (labels, places) = (shown.map(\.2), shown.map(\.0))
        series = [Series(name: up, values: shown.map(\.1))]
    }

    private mutating func fill(_ summary: ObjectSummary, keys: [Int], values: [Int]) {
        let rows = Self.placed(summary, keys)
        let shown = rows.prefix(summary.kind == .line ? Self.mostPoints : Self.mostBars)
        omitted = summary.rows.count - shown.count
        labels = shown.map { row in
            keys.isEmpty ? summary.entity : keys.map { Self.label(row[$0]) }.joined(separator: " · ")
        }
        if summary.kind == .line, keys.count == 1 {
            places = Self.places(shown.map { $0[keys[0]] }, summary.columns[keys[0]])
        }
        series = values.prefix(Self.mostSeries).map { column in
            Series(name: summary.columns[column].text, values: shown.map { Self.number($0[column]) })
        }
    }

    private mutating func fill(_ summary: ObjectSummary, key: Int, by other: Int, named names: [String], value: Int) {
        let most = summary.kind == .line ? Self.mostPoints : Self.mostBars
        var found: [String: Int] = [:]
        var readings: [PropertyReading] = []
        series = names.map { Series(name: $0, values: []) }
        let indexes = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let rows = Self.placed(summary, [key])
        omitted = summary.rows.count - rows.count
        for row in rows {
            let label = Self.label(row[key])
            let place = found[label] ?? labels.count
            if place == labels.count {
                found[label] = place
                guard place < most else {
                    omitted += 1
                    continue
                }
                labels.append(label)
                readings.append(row[key])
                for number in series.indices { series[number].values.append(nil) }
            }
            guard place < labels.count, let number = indexes[Self.label(row[other])] else { continue }
            series[number].values[place] = Self.number(row[value])
        }
        if summary.kind == .line { places = Self.places(readings, summary.columns[key]) }
    }

    // MARK: Values

    /// The rows; for a line on a numeric axis, without the rows whose key is null.
    private static func placed(_ summary: ObjectSummary, _ keys: [Int]) -> [[PropertyReading]] {
        guard summary.kind == .line, keys.count == 1 else { return summary.rows }
        let known = summary.rows.filter { $0[keys[0]].value != nil }
        return places(known.map { $0[keys[0]] }, summary.columns[keys[0]]) == nil ? summary.rows : known
    }

    private static func places(_ readings: [PropertyReading], _ column: ObjectSummary.Column) -> [Double]? {
        let places = readings.compactMap { reading -> Double? in
            if CalendarUnit(rawValue: column.type) != nil { return reading.text.flatMap(CalendarUnit.place) }
            return number(reading) ?? (reading.value as? Date)?.timeIntervalSinceReferenceDate
        }
        return places.count == readings.count && !places.isEmpty && places.allSatisfy(\.isFinite) ? places : nil
    }

    private static func number(_ reading: PropertyReading) -> Double? {
        guard let number = reading.value as? NSNumber, number.doubleValue.isFinite else { return nil }
        return number.doubleValue
    }

    private static func label(_ reading: PropertyReading) -> String {
        if case .object(let id) = reading { return id.shortText }
        return PrintableText.escaped(reading.text ?? "–", limit: 200)
    }
}
