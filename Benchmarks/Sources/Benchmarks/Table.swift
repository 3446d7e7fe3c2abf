import CoreData

/// The table of results, as wide as its contents ask.
struct Table {
    private static let header = ["workload", "ours s", "raw s", "ratio", "bar", "bytes/object", "raw bytes/object"]
    private var rows: [[String]] = [header]

    mutating func add(_ measurement: Measurement) {
        rows.append([
            measurement.workload.name,
            Self.text(measurement.ours.seconds, places: 4),
            Self.text(measurement.raw.seconds, places: 4),
            Self.text(measurement.ratio, places: 2),
            "≤ " + Self.text(measurement.workload.bar, places: 1)
                + (measurement.ratio > measurement.workload.bar ? " missed" : ""),
            Self.text(measurement.ours.bytesPerObject, places: 0),
            Self.text(measurement.raw.bytesPerObject, places: 0),
        ])
    }

    var text: String {
        let widths = Self.header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let blanks = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + blanks : blanks + cell
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private static func text(_ value: Double, places: Int) -> String { String(format: "%.\(places)f", value) }
}
