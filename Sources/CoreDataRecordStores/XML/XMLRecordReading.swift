import CoreDataStore

/// Puts the records of an XML store into rows.
struct XMLRecordReading {
    let names: XMLNames
    let setting: RecordSetting

    /// - Throws: a `LoadFailure` with the line.
    func read(_ record: XMLStoreRecord, into loading: inout RecordLoading) throws {
        guard let entity = names.entity(ofType: record.entity), !entity.layout.entity.isAbstract else {
            throw LoadFailure("the model has no entity that is written as '\(record.entity)'", at: record.line)
        }
        guard setting.keeps(entity.layout) else {
            throw LoadFailure("the store's configuration leaves out the entity '\(record.entity)'", at: record.line)
        }
        let row = try loading.add(entity.layout, key: record.number, at: record.line)
        var seen: Set<Int> = []
        var elements: [Int: [Int: XMLCell]] = [:]
        for attribute in record.attributes {
            let number = try number(attribute.name, entity, &seen, attribute.line)
            switch entity.properties[number].place {
            case .attribute(let slot, _, let kind): try set(attribute.cell(kind), slot, row, loading)
            case .element(let slot, let leaf, _, let kind):
                elements[slot, default: [:]][leaf] = try attribute.cell(kind)
            case .toOne, .toMany:
                throw LoadFailure("'\(attribute.name)' is a relationship, and not an attribute", at: attribute.line)
            }
        }
        for (slot, cells) in elements {
            let coded = Self.composite(cells, count: entity.elementCounts[slot] ?? 0)
            try coded.withUnsafeBytes { try loading.set(RowTag.blob, bytes: $0, slot: slot, of: row) }
        }
        for relationship in record.relationships {
            try read(relationship, entity, &seen, row, record.line, into: &loading)
        }
    }

    private func number(_ name: String, _ entity: XMLNames.Entity, _ seen: inout Set<Int>, _ line: Int) throws -> Int {
        guard let number = entity.byName[name] else {
            throw LoadFailure("the entity '\(entity.name)' has no property that is written as '\(name)'", at: line)
        }
        guard seen.insert(number).inserted else { throw LoadFailure("'\(name)' is there twice", at: line) }
        return number
    }

    private func set(_ cell: XMLCell, _ slot: Int, _ row: RecordLoading.Row, _ loading: RecordLoading) throws {
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
        _ relationship: XMLStoreRecord.Relationship, _ entity: XMLNames.Entity, _ seen: inout Set<Int>,
        _ row: RecordLoading.Row, _ line: Int, into loading: inout RecordLoading
    ) throws {
        switch entity.properties[try number(relationship.name, entity, &seen, line)].place {
        case .toOne(let slot, _):
            guard relationship.members.count <= 1 else {
                throw LoadFailure("'\(relationship.name)' leads to more than one record", at: line)
            }
            guard let member = relationship.members.first else {
                if let missing = relationship.missing { loading.setMissing(missing, slot: slot, of: row) }
                return
            }
            loading.set(RowTag.integer, UInt64(bitPattern: member), slot: slot, of: row)
        case .toMany(let description): loading.setMembers(relationship.members, of: description, row)
        case .attribute, .element:
            throw LoadFailure("'\(relationship.name)' is an attribute, and not a relationship", at: line)
        }
    }
}
