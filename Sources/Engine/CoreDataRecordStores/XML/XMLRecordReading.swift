import CoreDataStore

/// Adds the records of an XML store to a `RecordLoading`.
struct XMLRecordReading {
    let names: XMLNames
    let setting: RecordSetting

    /// Reads a record; returns false if it is left out.
    ///
    /// - Throws: a `LoadFailure` with the line number, unless faults are collected.
    func read(_ record: XMLStoreRecord, into loading: inout RecordLoading) throws -> Bool {
        let place = RecordLoading.FaultyRecord(key: nil, place: record.line)
        guard let entity = names.entity(ofType: record.entity), !entity.layout.entity.isAbstract else {
            try loading.fault(
                .unknownEntity, reason: "the model has no entity that is written as '\(record.entity)'", record: place,
                remedy: RecordLoading.leftOut)
            return false
        }
        guard setting.keeps(entity.layout) else {
            try loading.fault(
                .unknownEntity, reason: "the store's configuration leaves out the entity '\(record.entity)'",
                record: place,
                remedy: RecordLoading.leftOut)
            return false
        }
        guard let row = try loading.add(entity.layout, key: record.number, at: record.line) else { return false }
        try readAttributes(record, entity: entity, row: row, into: &loading)
        return true
    }

    private func readAttributes(
        _ record: XMLStoreRecord, entity: XMLNames.Entity, row: RecordLoading.Row,
        into loading: inout RecordLoading
    ) throws {
        var seen: Set<Int> = []
        var elements: [Int: [Int: XMLCell]] = [:]
        for attribute in record.attributes {
            let name = attribute.name
            guard
                let number = try number(
                    name, entity: entity, seen: &seen, record: at(attribute.line, row), loading: loading)
            else { continue }
            switch entity.properties[number].place {
            case .attribute(let slot, _, let kind):
                guard let cell = try cell(attribute, kind: kind, row: row, loading: loading) else { continue }
                try set(cell, slot: slot, row: row, loading: loading)
            case .element(let slot, let leaf, _, let kind):
                elements[slot, default: [:]][leaf] = try cell(attribute, kind: kind, row: row, loading: loading)
            case .toOne, .toMany:
                try loading.fault(
                    .unknownProperty, reason: "'\(name)' is a relationship, and not an attribute",
                    record: at(attribute.line, row),
                    property: name, remedy: Self.dropped)
            }
        }
        for (slot, cells) in elements {
            let coded = Self.composite(cells, count: entity.elementCounts[slot] ?? 0)
            try coded.withUnsafeBytes { try loading.set(RowTag.blob, bytes: $0, slot: slot, of: row) }
        }
        for relationship in record.relationships {
            try read(relationship, entity: entity, seen: &seen, row: row, into: &loading)
        }
    }

    /// The remedy for a property that the record's entity lacks.
    private static let dropped = "The value is left out."

    private func at(_ line: Int, _ row: RecordLoading.Row) -> RecordLoading.FaultyRecord {
        .init(entity: row.layout.entity.name, key: row.key, place: line)
    }

    /// The index of a property in `entity.properties`; nil if it is unknown or repeated, which is reported as a fault.
    private func number(
        _ name: String, entity: XMLNames.Entity, seen: inout Set<Int>, record: RecordLoading.FaultyRecord,
        loading: RecordLoading
    ) throws -> Int? {
        guard let number = entity.byName[name] else {
            try loading.fault(
                .unknownProperty, reason: "the entity '\(entity.name)' has no property that is written as '\(name)'",
                record: record,
                property: name, remedy: Self.dropped)
            return nil
        }
        guard seen.insert(number).inserted else {
            try loading.fault(
                .doubledValue, reason: "'\(name)' is there twice", record: record, property: name,
                remedy: "The first one stays.")
            return nil
        }
        return number
    }

    /// The value of an attribute; nil if it is invalid, which is reported as a fault.
    private func cell(
        _ attribute: XMLStoreRecord.Attribute, kind: AttributeKind, row: RecordLoading.Row,
        loading: RecordLoading
    ) throws -> XMLCell? {
        do {
            return try attribute.cell(kind)
        } catch let failure as LoadFailure {
            try loading.fault(
                .wrongType, reason: failure.reason, record: at(attribute.line, row), property: attribute.name,
                remedy: "The value becomes nil.")
            return nil
        }
    }

    private func set(_ cell: XMLCell, slot: Int, row: RecordLoading.Row, loading: RecordLoading) throws {
        switch cell {
        case .bits(let tag, let bits): loading.set(tag, bits, slot: slot, of: row)
        case .bytes(let tag, let bytes):
            try bytes.withUnsafeBytes { try loading.set(tag, bytes: $0, slot: slot, of: row) }
        }
    }

    private static func composite(_ cells: [Int: XMLCell], count: Int) -> [UInt8] {
        var coding = CompositeCoding()
        for number in 0..<count {
            switch cells[number] {
            case .bits(let tag, let bits): coding.append(tag, bits: bits)
            case .bytes(let tag, let bytes): bytes.withUnsafeBytes { coding.append(tag, bytes: $0) }
            case nil: coding.append(RowTag.null, bits: 0)
            }
        }
        return coding.bytes
    }

    private func read(
        _ relationship: XMLStoreRecord.Relationship, entity: XMLNames.Entity, seen: inout Set<Int>,
        row: RecordLoading.Row, into loading: inout RecordLoading
    ) throws {
        let (name, place) = (relationship.name, at(row.place, row))
        guard let number = try number(name, entity: entity, seen: &seen, record: place, loading: loading) else {
            return
        }
        switch entity.properties[number].place {
        case .toOne(let slot, _):
            if relationship.members.count > 1 {
                try loading.fault(
                    .wrongReference, reason: "'\(name)' leads to more than one record", record: place, property: name,
                    remedy: "It leads to the first.")
            }
            guard let member = relationship.members.first else {
                if let missing = relationship.missing { loading.setMissing(missing, slot: slot, of: row) }
                return
            }
            loading.set(RowTag.integer, UInt64(bitPattern: member), slot: slot, of: row)
        case .toMany(let description): loading.setMembers(relationship.members, of: description, row)
        case .attribute, .element:
            try loading.fault(
                .unknownProperty, reason: "'\(name)' is an attribute, and not a relationship", record: place,
                property: name,
                remedy: Self.dropped)
        }
    }
}
