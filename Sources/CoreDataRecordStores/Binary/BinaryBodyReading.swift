import CoreDataStore

/// Reads the body of a binary store into rows.
struct BinaryBodyReading {
    private enum Column {
        case attribute(slot: Int, AttributeKind)
        case toOne(slot: Int)
    }

    private struct Entity {
        let layout: EntityLayout
        let columns: [Column]
        let lists: [NSRelationshipDescription]
        /// The rows, since the lists of their relationships come after those of all entities.
        var rows: [Int64: RecordLoading.Row] = [:]
    }

    private static let mostEntities = 100_000

    private let input: ByteInput
    private let setting: RecordSetting
    private var entities: [Entity] = []
    private var number = 0

    init(_ input: ByteInput, _ setting: RecordSetting) {
        self.input = input
        self.setting = setting
    }

    /// - Throws: a `LoadFailure` with the number of the record.
    mutating func run(into loading: inout RecordLoading) throws {
        let last = try input.number(Int64.self)
        guard last >= 0, last < Int64.max >> 1 else { throw failure("the last key cannot be one") }
        try readEntities(loading.tables)
        for place in entities.indices { try readRows(place, into: &loading) }
        for entity in entities {
            for relationship in entity.lists { try readMembers(of: relationship, entity, into: &loading) }
        }
        loading.tables.noteKey(last, root: 0)
    }

    private func failure(_ reason: String) -> LoadFailure { LoadFailure(reason, at: number > 0 ? number : nil) }

    // MARK: Entities

    private mutating func readEntities(_ tables: RecordTables) throws {
        let count = try input.number(UInt32.self)
        guard count <= Self.mostEntities else { throw failure("it has more entities than are read here") }
        var seen: Set<String> = []
        for _ in 0..<count {
            let name = try input.text()
            guard seen.insert(name).inserted else { throw failure("the entity '\(name)' is there twice") }
            guard let layout = tables.model.layout(named: name) else {
                throw failure("the model has no entity '\(name)'")
            }
            let columns = try readColumns(layout)
            entities.append(Entity(layout: layout, columns: columns, lists: try readLists(layout, tables)))
        }
    }

    private func readColumns(_ layout: EntityLayout) throws -> [Column] {
        let count = try input.number(UInt32.self)
        guard count <= 10_000 else { throw failure("an entity has more properties than are read here") }
        var seen: Set<String> = []
        return try (0..<count).map { _ in
            let name = try input.text()
            let kind = try input.number(UInt8.self)
            guard seen.insert(name).inserted else { throw failure("the property '\(name)' is there twice") }
            switch layout.places[name] {
            case .attribute(let slot)? where slot < layout.storedCount:
                guard case .attribute(_, let own) = layout.slots[slot].content, own.rawValue == kind else { break }
                return .attribute(slot: slot, own)
            case .toOne(let slot)? where slot < layout.storedCount && kind == BinarySlotKind.toOne:
                return .toOne(slot: slot)
            default: break
            }
            throw failure("the model has no property '\(layout.entity.name ?? "").\(name)' of that kind")
        }
    }

    private func readLists(_ layout: EntityLayout, _ tables: RecordTables) throws -> [NSRelationshipDescription] {
        let count = try input.number(UInt32.self)
        guard count <= 10_000 else { throw failure("an entity has more relationships than are read here") }
        var seen: Set<String> = []
        return try (0..<count).map { _ in
            let name = try input.text()
            guard seen.insert(name).inserted, case .toMany(let number)? = layout.places[name],
                tables.plan.source(of: layout.toMany[number]) != nil
            else { throw failure("the model has no to-many relationship '\(layout.entity.name ?? "").\(name)'") }
            return layout.toMany[number]
        }
    }

    // MARK: Rows

    private mutating func readRows(_ place: Int, into loading: inout RecordLoading) throws {
        let count = try input.number(UInt64.self)
        let entity = entities[place]
        guard count == 0 || !entity.layout.entity.isAbstract && setting.keeps(entity.layout) else {
            throw failure("the store does not keep records of the entity '\(entity.layout.entity.name ?? "")'")
        }
        var read: UInt64 = 0
        while read < count {
            number += 1
            read += 1
            let row = try loading.add(entity.layout, key: try input.number(Int64.self), at: number)
            for column in entity.columns { try readCell(column, row, into: &loading) }
            if !entity.lists.isEmpty { entities[place].rows[row.key] = row }
        }
    }

    private func readCell(_ column: Column, _ row: RecordLoading.Row, into loading: inout RecordLoading) throws {
        let tag = try input.number(UInt8.self)
        guard tag != RowTag.null else { return }
        switch column {
        case .toOne(let slot):
            guard tag == RowTag.integer || tag == BinarySlotKind.missingReference else {
                throw failure("a reference is none")
            }
            let key = try input.number(Int64.self)
            if tag == RowTag.integer {
                loading.set(tag, UInt64(bitPattern: key), slot: slot, of: row)
            } else {
                loading.setMissing(key, slot: slot, of: row)
            }
        case .attribute(let slot, let kind):
            switch tag {
            case RowTag.integer, RowTag.real:
                let bits = try input.number(UInt64.self)
                guard Self.allows(kind, tag, Int64(bitPattern: bits)) else {
                    throw failure("a value is none of its attribute's type")
                }
                loading.set(tag, bits, slot: slot, of: row)
            case RowTag.text, RowTag.blob:
                guard Self.allows(kind, tag, 0) else { throw failure("a value is none of its attribute's type") }
                let bytes = try input.bytes(Int(try input.number(UInt32.self)))
                guard kind != .uuid || bytes.count == 16 else { throw failure("a UUID has not 16 bytes") }
                try bytes.withUnsafeBytes { try loading.set(tag, bytes: $0, slot: slot, of: row) }
            default: throw failure("a value has the unknown kind \(tag)")
            }
        }
    }

    /// Whether values of an attribute may be held in a form.
    private static func allows(_ kind: AttributeKind, _ tag: UInt8, _ integer: Int64) -> Bool {
        switch (kind, tag) {
        case (.integer16, RowTag.integer): Int16(exactly: integer) != nil
        case (.integer32, RowTag.integer): Int32(exactly: integer) != nil
        case (.integer64, RowTag.integer), (.boolean, RowTag.integer): true
        case (.float, RowTag.real), (.float, RowTag.integer), (.double, RowTag.real), (.double, RowTag.integer): true
        case (.date, RowTag.real), (.date, RowTag.integer): true
        case (.decimal, RowTag.integer), (.decimal, RowTag.real), (.decimal, RowTag.text): true
        case (.string, RowTag.text), (.uri, RowTag.text): true
        case (.binary, RowTag.blob), (.uuid, RowTag.blob), (.transformable, RowTag.blob): true
        case (.composite, RowTag.blob), (.undefined, _): true
        default: false
        }
    }

    // MARK: Relationships

    private func readMembers(
        of relationship: NSRelationshipDescription, _ entity: Entity, into loading: inout RecordLoading
    ) throws {
        var seen: Set<Int64> = []
        while case let owner = try input.number(Int64.self), owner != 0 {
            guard let row = entity.rows[owner], seen.insert(owner).inserted else {
                throw LoadFailure("'\(relationship.name)' has members of a record that is not there", at: nil)
            }
            let count = try input.number(UInt32.self)
            var members: [Int64] = []
            for _ in 0..<count { members.append(try input.number(Int64.self)) }
            loading.setMembers(members, of: relationship, row)
        }
    }
}
