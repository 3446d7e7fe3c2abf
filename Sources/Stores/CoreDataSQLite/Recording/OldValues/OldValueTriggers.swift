import CoreDataSQL

/// The triggers that report the old values of changed rows: temporary triggers of the writing connection.
struct OldValueTriggers {
    /// SQL function `(place, key, member, first column, mask of the changed columns from there, their old values)`.
    static let changed = "CoreDataHistoryRowChanged"
    /// SQL function `(place, key, member)`.
    static let inserted = "CoreDataHistoryRowInserted"
    /// SQL function `(place, key, member, first column, old values of the columns from there)`.
    static let deleted = "CoreDataHistoryRowDeleted"

    let places: [OldValuePlace]

    /// The statements that create the triggers.
    var statements: [String] {
        places.enumerated().flatMap { number, place in
            [
                Self.trigger(
                    "RowInserted\(number)", event: "INSERT", place: place, body: [Self.insertion(number, place)]),
                Self.trigger("RowChanged\(number)", event: "UPDATE", place: place, body: Self.change(number, place)),
                Self.trigger("RowDeleted\(number)", event: "DELETE", place: place, body: Self.deletion(number, place)),
            ]
        }
    }

    private static func trigger(_ name: String, event: String, place: OldValuePlace, body: [String]) -> String {
        "CREATE TEMP TRIGGER CoreDataHistory\(name) AFTER \(event) ON main.\(SQLIdentifier.quoted(place.table)) BEGIN "
            + body.map { $0 + "; " }.joined() + "END"
    }

    private static func insertion(_ number: Int, _ place: OldValuePlace) -> String {
        "SELECT \(inserted)(\(number), \(place.keyList(in: "NEW")))"
    }

    private static func deletion(_ number: Int, _ place: OldValuePlace) -> [String] {
        place.parts.map { part in
            let values = place.columns[part].map { ", OLD.\(SQLIdentifier.quoted($0))" }.joined()
            return "SELECT \(deleted)(\(number), \(place.keyList(in: "OLD")), \(part.lowerBound)\(values))"
        }
    }

    private static func change(_ number: Int, _ place: OldValuePlace) -> [String] {
        let values = place.parts.compactMap { part -> String? in
            let names = place.columns[part].map(SQLIdentifier.quoted)
            // The version increases with every change, so its old value is not needed.
            let bits = zip(place.columns[part], names).enumerated().compactMap { bit, column in
                column.0.uppercased() == "Z_OPT" ? nil : "((OLD.\(column.1) IS NOT NEW.\(column.1)) << \(bit))"
            }
            guard !bits.isEmpty else { return nil }
            return "SELECT \(changed)(\(number), \(place.keyList(in: "OLD")), \(part.lowerBound), "
                + "\(bits.joined(separator: " | "))\(names.map { ", OLD.\($0)" }.joined()))"
        }
        guard place.keys.count > 1 else { return values }
        // A row of a join table whose keys change counts as a deletion and an insertion.
        let isOther = place.keys.map { SQLIdentifier.quoted($0) }.map { "OLD.\($0) IS NOT NEW.\($0)" }
            .joined(separator: " OR ")
        return values + (deletion(number, place) + [insertion(number, place)]).map { "\($0) WHERE \(isOther)" }
    }
}

extension OldValuePlace {
    /// The columns in groups of `maskWidth`, one call for each; a single empty group if there are no columns.
    fileprivate var parts: [Range<Int>] {
        guard !columns.isEmpty else { return [0..<0] }
        return stride(from: 0, to: columns.count, by: HistoryTriggers.maskWidth).map {
            $0..<min(columns.count, $0 + HistoryTriggers.maskWidth)
        }
    }

    fileprivate func keyList(in row: String) -> String {
        let all = keys.map { "\(row).\(SQLIdentifier.quoted($0))" } + (keys.count > 1 ? [] : ["0"])
        return all.joined(separator: ", ")
    }
}
