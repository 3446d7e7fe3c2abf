import CoreData
import SQLiteKit
import TestBasics
import Testing

/// One save of a context: the rows before and after it, and what the context says that it changed.
struct SavedStep {
    /// The keys that may differ in each row of a table.
    private(set) var touched: [String: [Int64: Set<String>]] = [:]
    /// What every saved object that is still there shows, by URI.
    private(set) var expectations: [URL: String] = [:]
    private(set) var deleted: [URL] = []
    private let before: RawStore.Tables
    private let after: RawStore.Tables

    /// Saves what the context of an open store holds.
    init(_ open: OpenStore) throws {
        open.context.processPendingChanges()
        let context = open.context
        before = try Self.tables(open)
        let changed = context.updatedObjects.map { ($0, Self.changedColumns($0)) }
        let inserted = context.insertedObjects
        let gone = context.deletedObjects
        deleted = gone.map { $0.objectID.uriRepresentation() }
        try context.save()
        after = try Self.tables(open)
        for object in gone { touch(object, ["*"]) }
        for (object, columns) in changed { touch(object, columns) }
        for object in inserted {
            #expect(!object.objectID.isTemporaryID)
            touch(object, ["*"])
        }
        for object in changed.map(\.0) + inserted {
            expectations[object.objectID.uriRepresentation()] = Self.text(of: object)
        }
    }

    private static func tables(_ open: OpenStore) throws -> RawStore.Tables {
        let raw = try RawStore(open.url, open.model)
        defer { raw.connection.close() }
        #expect(try raw.connection.integrityFaults() == [])
        return try raw.tables()
    }

    private mutating func touch(_ object: NSManagedObject, _ columns: Set<String>) {
        touched[RawStore.table(object.entity), default: [:]][object.key] = columns
    }

    /// The columns of the properties that changed, and of those that the store derives.
    private static func changedColumns(_ object: NSManagedObject) -> Set<String> {
        let derived = object.entity.attributesByName.filter { $0.value is NSDerivedAttributeDescription }.keys
        return Set((Array(object.changedValues().keys) + derived).map(RawStore.column))
    }

    // MARK: Checks

    /// Nothing else differs, to the byte; places in an order apart.
    func expectTheRestUntouched() {
        for (table, rows) in before where table != "Z_PRIMARYKEY" {
            let now = after[table] ?? [:]
            for key in Set(rows.keys).union(now.keys) {
                let (old, new) = (rows[key].map(Self.withoutPlaces), now[key].map(Self.withoutPlaces))
                // History grows by what the save did.
                if old == nil, ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(table) { continue }
                guard old != new else { continue }
                if table.hasPrefix("Z_") {
                    expectPairIsTouched(old ?? new ?? [:], table)
                } else {
                    expectRowIsTouched(table, key, old, new)
                }
            }
        }
    }

    /// Only rows that were changed otherwise too have other places in an order.
    func expectOldPlacesKept() {
        for (table, key) in movedRows where !table.hasPrefix("Z_") {
            #expect(touched[table]?[key] != nil, "\(table) \(key)")
        }
    }

    private static func withoutPlaces(_ row: [String: Value]) -> [String: Value] {
        row.filter { !$0.key.hasPrefix("Z_FOK_") }
    }

    private func expectRowIsTouched(_ table: String, _ key: Int64, _ old: [String: Value]?, _ new: [String: Value]?) {
        guard let columns = touched[table]?[key] else {
            Issue.record("\(table) \(key) was not changed: \(old ?? [:]) became \(new ?? [:])")
            return
        }
        guard let old, let new, !columns.contains("*") else { return }
        #expect(new["Z_OPT"] == .integer((old["Z_OPT"]?.integer ?? 0) + 1), "\(table) \(key)")
        for (column, value) in old where value != new[column] && column != "Z_OPT" {
            #expect(Self.mayChange(column, columns), "\(table) \(key) \(column)")
        }
    }

    /// A key's column, and the column beside it with the target's entity.
    private static func mayChange(_ column: String, _ changed: Set<String>) -> Bool {
        changed.contains {
            column == $0 || column == "Z_FOK_" + $0.dropFirst() || column.hasSuffix("_" + $0.dropFirst())
        }
    }

    /// A pair of a join table comes and goes only with an end that was changed.
    private func expectPairIsTouched(_ row: [String: Value], _ table: String) {
        let keys = Set(touched.values.flatMap(\.keys))
        let ends = row.compactMap(\.value.integer)
        #expect(ends.count == 2 && ends.allSatisfy(keys.contains), "\(table) \(row)")
    }

    /// The rows that have another place in an order than before.
    var movedRows: [(table: String, key: Int64)] {
        before.flatMap { table, rows in
            rows.keys.filter { key in
                guard let old = rows[key], let new = after[table]?[key] else { return false }
                return old.contains { $0.key.hasPrefix("Z_FOK_") && new[$0.key] != $0.value }
            }.map { (table, $0) }
        }
    }

    /// What was saved is read by others as it was written.
    func expectSameValues(in open: OpenStore) throws {
        for (uri, text) in expectations {
            let id = try #require(open.coordinator.managedObjectID(forURIRepresentation: uri))
            let read = Self.text(of: try open.context.existingObject(with: id))
            #expect(read == text, "\(uri.lastPathComponent)")
        }
        for uri in deleted {
            let id = try #require(open.coordinator.managedObjectID(forURIRepresentation: uri))
            expectError(133000) { try open.context.existingObject(with: id) }
        }
    }

    private static func text(of object: NSManagedObject) -> String {
        let attributes = object.entity.attributesByName.filter { !$0.value.isTransient }.sorted { $0.key < $1.key }
            .map { "\($0.key)=\(text(of: object.value(forKey: $0.key)))" }
        let relationships = object.relationships.map { relationship in
            let single = (object.value(forKey: relationship.name) as? NSManagedObject).map { [$0] }
            let members = (single ?? object.members(relationship.name)).map { "\($0.entity.name ?? "")\($0.key)" }
            return "\(relationship.name)=\(relationship.isOrdered ? members : members.sorted())"
        }
        return (attributes + relationships).joined(separator: ";")
    }

    private static func text(of value: Any?) -> String {
        switch value {
        case nil: "nil"
        case let date as Date: "\(date.timeIntervalSinceReferenceDate.bitPattern)"
        case let data as Data: "\(data.base64EncodedString())"
        case let dictionary as [String: Any]:
            "\(dictionary.sorted { $0.key < $1.key }.map { "\($0.key)=\(text(of: $0.value))" })"
        case let value?: "\(value)"
        }
    }
}
