import CoreData

/// The rows for people, as a table as wide as its contents ask, or for programs, as JSON.
struct Report {
    let rows: [Row]

    var table: String {
        let header =
            [
                "workload", "ours s", "± %", "raw s", "ratio", "bar", "stretch",
            ] + peers.map { "\($0.rawValue) s" } + ["bytes/object", "raw bytes/object"]
        let cells = [header] + rows.map(cells)
        let widths = header.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        return cells.map { row in
            row.enumerated().map { column, cell in
                let blanks = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + blanks : blanks + cell
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// The libraries that did the work of some row.
    private var peers: [Peer.Library] {
        Peer.Library.allCases.filter { library in rows.contains { $0.peerSeconds[library] != nil } }
    }

    private func cells(_ row: Row) -> [String] {
        let (ours, raw) = (row.measurement?.ours, row.measurement?.raw)
        let bar = row.bar.map { "≤ \(plain($0))\(row.isMissed ? " missed" : "")" }
        return [
            row.name, text(ours?.seconds, 4), text((row.measurement?.spread).map { $0 * 100 }, 0),
            text(raw?.seconds, 4), text(row.value, 2), bar ?? "", row.stretch.map(plain) ?? "",
        ] + peers.map { text(row.peerSeconds[$0], 4) } + [bytes(ours), bytes(raw)]
    }

    private func bytes(_ sample: Sample?) -> String {
        sample.map { $0.bytesPerObject == 0 ? "" : text($0.bytesPerObject, 0) } ?? ""
    }

    /// An array of `{"name","ratio","bar","stretch","seconds","rawSeconds","peerSeconds","grdbSeconds"}`; null where there
    /// is none. `peerSeconds` are those of SQLAlchemy.
    func json() throws -> String {
        let entries = rows.map { row -> [String: Any] in
            [
                "name": row.name, "ratio": row.value, "bar": row.bar ?? NSNull(), "stretch": row.stretch ?? NSNull(),
                "seconds": row.measurement?.ours.seconds ?? NSNull(),
                "rawSeconds": row.measurement?.raw.seconds ?? NSNull(),
                "peerSeconds": row.peerSeconds[.sqlalchemy] ?? NSNull(),
                "grdbSeconds": row.peerSeconds[.grdb] ?? NSNull(),
            ]
        }
        let data = try JSONSerialization.data(withJSONObject: entries, options: [.prettyPrinted, .sortedKeys])
        return String(decoding: data, as: UTF8.self)
    }

    private func plain(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }

    private func text(_ value: Double?, _ places: Int) -> String {
        value.map { String(format: "%.\(places)f", $0) } ?? ""
    }
}
