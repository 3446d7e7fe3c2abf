import CoreDataStore

/// Reads the body of a binary store and adds its records to a `RecordLoading`.
struct BinaryBodyReading {
    private enum Column {
        case attribute(slot: Int, AttributeKind)
        case toOne(slot: Int)
        /// A property that the model lacks, or that has another type there; its values are skipped.
        case unknown
    }

    private struct Entity {
        let name: String
        /// Nil for an entity that the model lacks; its records are skipped.
        let layout: EntityLayout?
        let columns: [Column]
        /// The to-many relationships; nil for those that the model lacks.
        let lists: [NSRelationshipDescription?]
        /// The rows by key; kept because the to-many relationships follow after the rows of all entities.
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

    /// - Throws: a `LoadFailure` with the number of the record being read.
    mutating func run(into loading: inout RecordLoading) throws {
        let last = try input.number(Int64.self)
        guard last >= 0, last < Int64.max >> 1 else { throw failure("the last key cannot be one") }
        try readEntities(loading)
        for place in entities.indices { try readRows(place, into: &loading) }
        for entity in entities {
            for relationship in entity.lists { try readMembers(of: relationship, entity, into: &loading) }
        }
        loading.tables.noteKey(last, root: 0)
    }

    private func failure(_ reason: String) -> LoadFailure { LoadFailure(reason, at: number > 0 ? number : nil) }

    // MARK: Entities

    private mutating func readEntities(_ loading: RecordLoading) throws {
        let count = try input.number(UInt32.self)
        guard count <= Self.mostEntities else { throw failure("it has more entities than are read here") }
        var seen: Set<String> = []
        for _ in 0..<count {
            let name = try input.text()
            guard seen.insert(name).inserted else { throw failure("the entity '\(name)' is there twice") }
            let layout = loading.tables.model.layout(named: name)
            if layout == nil {
                try loading.fault(
                    .unknownEntity, reason: "the model has no entity '\(name)'",
                    record: .init(entity: name, place: nil),
                    remedy: "Its records are left out.")
            }
            let columns = try readColumns(name, layout: layout, loading: loading)
            let lists = try readLists(name, layout: layout, loading: loading)
            entities.append(Entity(name: name, layout: layout, columns: columns, lists: lists))
        }
    }

    private func readColumns(
        _ entity: String, layout: EntityLayout?, loading: RecordLoading
    ) throws -> [Column] {
        let count = try input.number(UInt32.self)
        guard count <= 10_000 else { throw failure("an entity has more properties than are read here") }
        var seen: Set<String> = []
        return try (0..<count).map { _ in
            let name = try input.text()
            let kind = try input.number(UInt8.self)
            guard seen.insert(name).inserted else { throw failure("the property '\(name)' is there twice") }
            guard let layout else { return .unknown }
            switch layout.places[name] {
            case .attribute(let slot)? where slot < layout.storedCount:
                guard case .attribute(_, let own) = layout.slots[slot].content, own.rawValue == kind else { break }
                return .attribute(slot: slot, own)
            case .toOne(let slot)? where slot < layout.storedCount && kind == BinarySlotKind.toOne:
                return .toOne(slot: slot)
            default: break
            }
            try loading.fault(
                .unknownProperty, reason: "the model has no property '\(entity).\(name)' of that kind",
                record: .init(entity: entity, place: nil), property: name, remedy: "Its values are left out.")
            return .unknown
        }
    }

    private func readLists(
        _ entity: String, layout: EntityLayout?, loading: RecordLoading
    ) throws -> [NSRelationshipDescription?] {
        let count = try input.number(UInt32.self)
        guard count <= 10_000 else { throw failure("an entity has more relationships than are read here") }
        var seen: Set<String> = []
        return try (0..<count).map { _ in
            let name = try input.text()
            guard seen.insert(name).inserted else { throw failure("the property '\(name)' is there twice") }
            guard let layout else { return nil }
            if case .toMany(let number)? = layout.places[name],
                loading.tables.plan.source(of: layout.toMany[number]) != nil
            {
                return layout.toMany[number]
            }
            try loading.fault(
                .unknownProperty, reason: "the model has no to-many relationship '\(entity).\(name)'",
                record: .init(entity: entity, place: nil), property: name, remedy: "Its values are left out.")
            return nil
        }
    }

    // MARK: Rows

    private mutating func readRows(_ place: Int, into loading: inout RecordLoading) throws {
        let count = try input.number(UInt64.self)
        let entity = entities[place]
        let isKept = entity.layout.map { !$0.entity.isAbstract && setting.keeps($0) } ?? false
        if count > 0, !isKept, entity.layout != nil {
            try loading.fault(
                .unknownEntity, reason: "the store does not keep records of the entity '\(entity.name)'",
                record: .init(entity: entity.name, place: nil), remedy: "Its records are left out.")
        }
        var read: UInt64 = 0
        while read < count {
            number += 1
            read += 1
            let key = try input.number(Int64.self)
            var row: RecordLoading.Row?
            if isKept, let layout = entity.layout { row = try loading.add(layout, key: key, at: number) }
            for column in entity.columns { try readCell(row == nil ? .unknown : column, row, into: &loading) }
            if let row, !entity.lists.isEmpty { entities[place].rows[row.key] = row }
        }
    }

    private func readCell(_ column: Column, _ row: RecordLoading.Row?, into loading: inout RecordLoading) throws {
        let tag = try input.number(UInt8.self)
        guard tag != RowTag.null else { return }
        guard let row else { return try skip(tag) }
        switch column {
        case .unknown: try skip(tag)
        case .toOne(let slot):
            guard tag == RowTag.integer || tag == BinarySlotKind.missingReference else {
                try skip(tag)
                return try wrongType("a reference is none", slot: slot, row: row, loading: loading)
            }
            let key = try input.number(Int64.self)
            if tag == RowTag.integer {
                loading.set(tag, UInt64(bitPattern: key), slot: slot, of: row)
            } else {
                loading.setMissing(key, slot: slot, of: row)
            }
        case .attribute(let slot, let kind): try readValue(tag, kind: kind, slot: slot, row: row, loading: loading)
        }
    }

    private func readValue(
        _ tag: UInt8, kind: AttributeKind, slot: Int, row: RecordLoading.Row, loading: RecordLoading
    ) throws {
        switch tag {
        case RowTag.integer, RowTag.real:
            let bits = try input.number(UInt64.self)
            guard Self.allows(kind, tag: tag, integer: Int64(bitPattern: bits)) else {
                return try wrongType("a value is none of its attribute's type", slot: slot, row: row, loading: loading)
            }
            loading.set(tag, bits, slot: slot, of: row)
        case RowTag.text, RowTag.blob:
            let bytes = try input.bytes(Int(try input.number(UInt32.self)))
            guard Self.allows(kind, tag: tag, integer: 0) else {
                return try wrongType("a value is none of its attribute's type", slot: slot, row: row, loading: loading)
            }
            guard kind != .uuid || bytes.count == 16 else {
                return try wrongType("a UUID has not 16 bytes", slot: slot, row: row, loading: loading)
            }
            try bytes.withUnsafeBytes { try loading.set(tag, bytes: $0, slot: slot, of: row) }
        default: throw failure("a value has the unknown kind \(tag)")
        }
    }

    /// Reads a value and ignores it.
    private func skip(_ tag: UInt8) throws {
        switch tag {
        case RowTag.null: return
        case RowTag.integer, RowTag.real, BinarySlotKind.missingReference: _ = try input.number(UInt64.self)
        case RowTag.text, RowTag.blob: _ = try input.bytes(Int(try input.number(UInt32.self)))
        default: throw failure("a value has the unknown kind \(tag)")
        }
    }

    private func wrongType(
        _ reason: String, slot: Int, row: RecordLoading.Row, loading: RecordLoading
    ) throws {
        let property: String? =
            switch row.layout.slots[slot].content {
            case .attribute(let attribute, _): attribute.name
            case .toOne(let relationship): relationship.name
            default: nil
            }
        try loading.fault(
            .wrongType, reason: reason, record: .init(entity: row.layout.entity.name, key: row.key, place: number),
            property: property,
            remedy: RecordLoading.becomesNil)
    }

    /// Whether an attribute's values may have a storage class and, for integers, a value.
    private static func allows(_ kind: AttributeKind, tag: UInt8, integer: Int64) -> Bool {
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
        of relationship: NSRelationshipDescription?, _ entity: Entity, into loading: inout RecordLoading
    ) throws {
        var seen: Set<Int64> = []
        while case let owner = try input.number(Int64.self), owner != 0 {
            let count = try input.number(UInt32.self)
            var members: [Int64] = []
            for _ in 0..<count { members.append(try input.number(Int64.self)) }
            // The members of a record that was left out are ignored too.
            guard let relationship, entity.layout != nil else { continue }
            guard let row = entity.rows[owner], seen.insert(owner).inserted else {
                try loading.fault(
                    .danglingLink, reason: "'\(relationship.name)' has members of a record that is not there",
                    record: .init(entity: entity.name, place: nil), property: relationship.name,
                    remedy: "They are left out.")
                continue
            }
            loading.setMembers(members, of: relationship, row)
        }
    }
}
