import CoreData

/// The rows for people, as a table as wide as its contents ask, or for programs, as JSON.
struct Report {
    let rows: [Row]

    var table: String {
        let header = [
            "workload", "ours s", "±", "raw s", "ratio", "bar", "stretch", "bytes/object", "raw bytes/object",
        ]
        let cells = [header] + rows.map(Self.cells)
        let widths = header.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        return cells.map { row in
            row.enumerated().map { column, cell in
                let blanks = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + blanks : blanks + cell
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private static func cells(_ row: Row) -> [String] {
        let sides = row.measurement
        let bytes = sides.map { [$0.ours.bytesPerObject, $0.raw.bytesPerObject] } ?? [0, 0]
        return [
            row.name, text(sides?.ours.seconds, 4), sides.map { String(format: "%.0f %%", $0.spread * 100) } ?? "",
            text(sides?.raw.seconds, 4), text(row.value, 2),
            row.bar.map { "≤ \(plain($0))" + (row.isMissed ? " missed" : "") } ?? "",
            row.stretch.map(plain) ?? "",
        ] + bytes.map { $0 == 0 ? "" : text($0, 0) }
    }

    /// An array of `{"name","ratio","bar","stretch","seconds","rawSeconds"}`; null where there is none.
    func json() throws -> String {
        let entries = rows.map { row -> [String: Any] in
            [
                "name": row.name, "ratio": row.value, "bar": row.bar ?? NSNull(), "stretch": row.stretch ?? NSNull(),
                "seconds": row.measurement?.ours.seconds ?? NSNull(),
                "rawSeconds": row.measurement?.raw.seconds ?? NSNull(),
            ]
        }
        let data = try JSONSerialization.data(withJSONObject: entries, options: [.prettyPrinted, .sortedKeys])
        return String(decoding: data, as: UTF8.self)
    }

    private static func plain(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }

    private static func text(_ value: Double?, _ places: Int) -> String {
        value.map { String(format: "%.\(places)f", $0) } ?? ""
    }
}
