import CoreData

extension StoreActivity {
    /// Adds what a span describes.
    mutating func add(_ span: CoreDataInstruments.Span) {
        func text(_ key: String) -> String? {
            guard case .string(let text)? = span.attributes[key] else { return nil }
            return text
        }
        func number(_ key: String) -> Int {
            guard case .integer(let number)? = span.attributes[key] else { return 0 }
            return number
        }
        guard text("db.system.name") == "coredata" else {
            guard let sql = text("db.query.text"), Self.isOfRecords(text("db.query.summary") ?? sql) else { return }
            statements.append(
                Statement(sql: sql, rows: max(number("db.response.returned_rows"), number("coredata.rows.changed"))))
            return
        }
        let entity = text("db.collection.name") ?? ""
        switch text("db.operation.name") {
        case "fault": faults.append(Fault(entity: entity, relationship: nil))
        case "members": faults.append(Fault(entity: entity, relationship: text("coredata.relationship")))
        case "save":
            saves += 1
            inserted += number("coredata.objects.inserted")
            updated += number("coredata.objects.updated")
            deleted += number("coredata.objects.deleted")
        default: break
        }
    }

    /// Whether a statement reads or writes records, by its summary, such as `SELECT ZHERO`.
    private static func isOfRecords(_ summary: String) -> Bool {
        let words = summary.split(separator: " ")
        guard let first = words.first?.uppercased() else { return false }
        guard ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "REPLACE"].contains(first) else { return false }
        let own: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "SQLITE_MASTER", "SQLITE_SCHEMA"]
        let tables = words.dropFirst().map { $0.uppercased() }
        // SELECT without a table asks the database itself, such as for its version of the data.
        guard !tables.isEmpty else { return first == "WITH" }
        return !tables.allSatisfy { own.contains($0) }
    }
}
