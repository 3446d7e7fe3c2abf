import CoreDataStore

/// Writes rows as records of an XML store.
struct XMLRecordWriting {
    let names: XMLNames
    let tables: RecordTables

    /// - Throws: a `ModelingError` for a value that does not have its attribute's type.
    func write(_ row: RowSnapshot, to writer: inout XMLStoreWriter) throws {
        let entity = names.entities[row.slab.layout.number]
        writer.beginRecord(entity: entity.name, number: row.key)
        for property in entity.properties {
            switch property.place {
            case .attribute(let slot, let attribute, let kind):
                try write(
                    row.slab.storedValue(row.index, slot), name: property.name, attribute: attribute, kind: kind,
                    to: &writer)
            case .element(let slot, let number, let attribute, let kind):
                guard row.slab.tag(row.index, slot) == RowTag.blob else { continue }
                let elements = CompositeCoding.elements(in: row.slab.bytes(row.index, slot))
                guard number < elements.count else { continue }
                try write(elements[number], name: property.name, attribute: attribute, kind: kind, to: &writer)
            case .toOne(let slot, let relationship):
                let target = row.slab.reference(row.index, slot)?.key
                let isThere = target.map { tables.hasTarget(of: relationship, $0) } ?? true
                write(
                    relationship, name: property.name, members: isThere ? target.map { [$0] } ?? [] : [],
                    missing: isThere ? nil : target, to: &writer)
            case .toMany(let relationship):
                write(
                    relationship, name: property.name, members: tables.presentMembers(of: relationship, owner: row.key),
                    to: &writer)
            }
        }
        writer.endRecord()
    }

    private func write(
        _ relationship: NSRelationshipDescription, name: String, members: [Int64], missing: Int64? = nil,
        to writer: inout XMLStoreWriter
    ) {
        let destination = relationship.destinationEntity.flatMap(tables.model.layout(of:))
        writer.writeRelationship(
            name, isToMany: relationship.isToMany,
            destination: destination.map { names.entities[$0.number].name } ?? "", members: members,
            missing: missing)
    }

    // MARK: Values

    private func write(
        _ value: StoredValue, name: String, attribute: NSAttributeDescription, kind: AttributeKind,
        to writer: inout XMLStoreWriter
    ) throws {
        guard value.tag != RowTag.null else { return }
        func plain(_ type: String, _ text: String) { writer.writeAttribute(name, type: type, plain: text) }
        switch (kind, value.tag) {
        case (.integer16, RowTag.integer) where Int16(exactly: value.integer) != nil: plain("int16", "\(value.integer)")
        case (.integer32, RowTag.integer) where Int32(exactly: value.integer) != nil: plain("int32", "\(value.integer)")
        case (.integer64, RowTag.integer), (.undefined, RowTag.integer): plain("int64", "\(value.integer)")
        case (.boolean, RowTag.integer): plain("bool", value.integer == 0 ? "0" : "1")
        case (.float, RowTag.real), (.float, RowTag.integer): plain("float", RealText.text(number(value)))
        case (.double, RowTag.real), (.double, RowTag.integer), (.undefined, RowTag.real):
            plain("double", RealText.text(number(value)))
        case (.date, RowTag.real), (.date, RowTag.integer): plain("date", RealText.seconds(number(value)))
        case (.decimal, RowTag.integer): plain("decimal", "\(value.integer)")
        case (.decimal, RowTag.real), (.decimal, RowTag.text):
            let text =
                value.tag == RowTag.text
                ? String(decoding: value.bytes, as: UTF8.self) : String(format: "%.15g", value.real)
            guard let decimal = RealText.decimal(text) else { throw unwritable(attribute) }
            plain("decimal", decimal)
        case (.string, RowTag.text), (.undefined, RowTag.text): writer.writeString(name, value.bytes)
        case (.uri, RowTag.text): writer.writeString(name, type: "uri", value.bytes)
        case (.uuid, RowTag.blob) where value.bytes.count == 16:
            plain("uuid", UUID(uuid: value.bytes.loadUnaligned(as: uuid_t.self)).uuidString)
        case (.binary, RowTag.blob), (.undefined, RowTag.blob): plain("binary", base64(value))
        case (.transformable, RowTag.blob): plain("transformable", base64(value))
        default: throw unwritable(attribute)
        }
    }

    private func number(_ value: StoredValue) -> Double {
        value.tag == RowTag.real ? value.real : Double(value.integer)
    }

    private func base64(_ value: StoredValue) -> String { Data(value.bytes).base64EncodedString() }

    private func unwritable(_ attribute: NSAttributeDescription) -> ModelingError {
        ModelingError(
            .unwritable,
            "'\(attribute.entity?.name ?? "").\(attribute.name)' of a record has a value that is none of its type")
    }
}
