import CoreDataSQL
import SQLiteKit

@testable import CoreDataSQLite

/// All rows and links of a store as its tables have them, from which what came between two states can be read off: a
/// reference for what history says, which asks neither triggers nor the graph.
struct HistoryReference: Equatable {
    /// A row by its entity's number and key.
    private struct Row: Hashable {
        let entity: Int64
        let key: Int64
    }

    /// A link of a relationship as it is stored: the end that has the relationship, the other end, and its place.
    private struct Link: Hashable {
        let relationship: String
        let owner: Row
        let member: Int64
        let place: String
    }

    private var rows: [Row: [String: Value]] = [:]
    private var links: Set<Link> = []
    private let names: [Int64: String]

    init(_ file: StoreFile) throws {
        let plans = file.schema.entities.compactMap { file.plan(number: Int64($0.number)) }
        names = Dictionary(uniqueKeysWithValues: plans.map { (Int64($0.mapping.number), $0.mapping.name) })
        for plan in plans { try add(plan, file) }
        for plan in plans {
            for toMany in plan.mapping.toManys { try add(toMany, plan.mapping, file) }
        }
    }

    private mutating func add(_ plan: RowPlan, _ file: StoreFile) throws {
        let number = Int64(plan.mapping.number)
        let columns = ["Z_PK"] + plan.fields.map(\.column)
        let text = columns.map(SQLIdentifier.quoted).joined(separator: ", ")
        for values in try file.connection.rows("SELECT \(text) FROM \(plan.mapping.table) WHERE Z_ENT = \(number)") {
            var properties: [String: Value] = [:]
            for (field, value) in zip(plan.fields, values.dropFirst()) where !field.isEntityNumber {
                properties[plan.layout.slots[field.slot].name] = value
            }
            rows[Row(entity: number, key: values[0].integer ?? 0)] = properties
        }
    }

    private mutating func add(_ toMany: ToManyMapping, _ mapping: EntityMapping, _ file: StoreFile) throws {
        let owners = rows.keys.filter { $0.entity == Int64(mapping.number) }
        let pairs: [[Value]]
        switch toMany.storage {
        case .foreignKey(let key):
            pairs = try file.connection.rows(
                "SELECT \(key.column), Z_PK, \(key.orderColumn ?? "NULL") FROM \(key.table) WHERE \(key.column) IS NOT NULL"
            )
        case .join(let join):
            pairs = try file.connection.rows(
                "SELECT \(join.ownColumn), \(join.otherColumn), \(join.orderColumn ?? "NULL") FROM \(join.table)")
        }
        let byKey = Dictionary(owners.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        for pair in pairs {
            guard let owner = byKey[pair[0].integer ?? 0] else { continue }
            links.insert(
                Link(relationship: toMany.name, owner: owner, member: pair[1].integer ?? 0, place: "\(pair[2])"))
        }
    }

    /// What a transaction between an earlier state and this one changed, as `HistoryScene.newest` tells it, without what is
    /// kept of deleted rows.
    func changes(since former: HistoryReference) -> [String] {
        var updated: [Row: Set<String>] = [:]
        for (row, values) in rows {
            guard let before = former.rows[row] else { continue }
            for (name, value) in values where before[name] != value { updated[row, default: []].insert(name) }
        }
        for link in links.symmetricDifference(former.links)
        where rows[link.owner] != nil && former.rows[link.owner] != nil {
            updated[link.owner, default: []].insert(link.relationship)
        }
        let inserted = rows.keys.filter { former.rows[$0] == nil }.map { "+" + name($0) }
        let deleted = former.rows.keys.filter { rows[$0] == nil }.map { "-" + name($0) }
        return (inserted + deleted + updated.map { (["~" + name($0)] + $1.sorted()).joined(separator: " ") }).sorted()
    }

    /// The same with the numbers of places from 0 on, as a save may leave gaps, and without keys of subjects that are gone.
    var normalized: HistoryReference {
        var result = self
        result.links = []
        let heroes = Set(rows.keys.filter { names[$0.entity]?.hasSuffix("Hero") == true }.map(\.key))
        for (row, values) in rows {
            guard let subject = values["subject"]?.integer, !heroes.contains(subject) else { continue }
            result.rows[row]?["subject"] = .null
        }
        for group in Dictionary(grouping: links, by: { "\($0.relationship) \($0.owner)" }).values {
            let places = Set(group.map(\.place)).sorted { ($0.count, $0) < ($1.count, $1) }
            for link in group {
                let rank = places.firstIndex(of: link.place) ?? 0
                result.links.insert(
                    Link(relationship: link.relationship, owner: link.owner, member: link.member, place: "\(rank)"))
            }
        }
        return result
    }

    /// The rows with their attributes and without their keys and references, which differ where a row was made anew.
    func contents(_ file: StoreFile) -> [String] {
        rows.map { row, values in
            let plan = file.plan(number: row.entity)
            let attributes = values.filter { name, _ in
                if case .attribute? = plan?.layout.places[name] { true } else { false }
            }
            return "\(names[row.entity] ?? "") \(attributes.sorted { $0.key < $1.key }.map { "\($0): \($1)" })"
        }.sorted()
    }

    private func name(_ row: Row) -> String { (names[row.entity] ?? "") + String(row.key) }
}
