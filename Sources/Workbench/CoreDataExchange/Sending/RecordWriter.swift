import CoreData

/// Writes an object as the record that a mapping makes it of.
final class RecordWriter {
    private enum Content {
        case attribute(NSPropertyDescription, AttributeKind, ValueConversion)
        case related(NSRelationshipDescription, [String: RecordWriter])
    }

    private struct Field {
        let name: String
        let path: [String]
        let content: Content

        /// Whether a record has a list or an object for it.
        var isList: Bool {
            switch content {
            case .attribute(_, _, let conversion): conversion.separator != nil
            case .related: true
            }
        }
    }

    private let entity: String
    private var fields: [Field] = []
    /// Where the record says its entity, and by which text.
    private var kind: (path: [String], text: String)?

    /// - Throws: `InspectionError` for a property that cannot be written, with its name.
    init(_ plan: MappingPlan.Records, entity name: String) throws {
        entity = name
        if case .byValue(let path, let words) = plan.rule.entity {
            guard let text = words.filter({ $0.value == name && $0.key != "*" }).keys.min() else {
                throw Self.wrong(name, "no text stands for the entity alone")
            }
            kind = (try Self.names(path, of: name), text)
        }
        for property in plan.entities[name]?.properties ?? [] {
            guard let path = property.rule.source.paths.first else { continue }
            let names = try Self.names(path, of: property.rule.name)
            let content: Content
            switch property.content {
            case .attribute(let attribute, let kind, let conversion):
                try conversion.requireInverse(property.rule.name)
                content = .attribute(attribute, kind, conversion)
            case .related(let relationship, let related):
                var writers: [String: RecordWriter] = [:]
                for entity in related.entities.keys { writers[entity] = try RecordWriter(related, entity: entity) }
                content = .related(relationship, writers)
            }
            fields.append(Field(name: property.rule.name, path: names, content: content))
        }
        try requireDistinctPaths()
    }

    static func wrong(_ name: String, _ cause: String) -> InspectionError {
        InspectionError(
            .badValue, subject: name, cause: "the mapping cannot be used the other way round: \(cause)")
    }

    private static func names(_ path: DocumentPath, of name: String) throws -> [String] {
        try path.steps.map { step in
            guard case .name(let text) = step, Int(text) == nil else {
                throw wrong(name, "its path '\(path.text)' has a number, a condition or any name")
            }
            return text
        }
    }

    private func requireDistinctPaths() throws {
        var paths: [(name: String, path: [String])] = fields.map { ($0.name, $0.path) }
        if let kind { paths.append(("entity", kind.path)) }
        for (number, one) in paths.enumerated() {
            if let other = paths.dropFirst(number + 1).first(where: { other in
                let length = min(one.path.count, other.path.count)
                return one.path.prefix(length).elementsEqual(other.path.prefix(length))
            }) {
                throw Self.wrong(one.name, "'\(other.name)' comes from the same place")
            }
        }
    }

    /// The titles of a table with the records.
    ///
    /// - Throws: `InspectionError` where a table cannot have them.
    func titles() throws -> [String] {
        for field in fields where field.isList {
            throw Self.wrong(field.name, "a field of a table has one value, and no object")
        }
        return try (fields.map { ($0.name, $0.path) } + (kind.map { [("entity", $0.path)] } ?? [])).map { name, path in
            guard path.count == 1 else {
                throw Self.wrong(name, "its path leads into a value, which a table does not have")
            }
            return path[0]
        }
    }

    /// The record of an object; `failures` receives what cannot be read of it.
    func value(of record: ObjectRecord, failures: (String, String) -> Void) throws -> JSONValue {
        if fields.count == 1, fields[0].path.isEmpty, kind == nil { return try value(fields[0], record, failures) }
        var tree = MemberTree()
        if let kind { tree.set(.string(kind.text), at: kind.path[...]) }
        for field in fields { tree.set(try value(field, record, failures), at: field.path[...]) }
        return tree.json
    }

    private func value(
        _ field: Field, _ record: ObjectRecord, _ failures: (String, String) -> Void
    ) throws -> JSONValue {
        switch field.content {
        case .attribute(_, let kind, let conversion):
            let reading = record.read(try KeyRoute(field.name, from: record.object.entity))
            if case .unreadable(let reason) = reading { failures("\(record.id.shortText) \(field.name)", reason) }
            guard case .value(let value, _) = reading else {
                guard conversion.standard == nil else {
                    throw Self.wrong(field.name, "\(record.id.shortText) has no value, which would become the default")
                }
                return .null
            }
            return try conversion.inverse(value, kind, field.name)
        case .related(let relationship, let writers):
            let reading = record.reading(of: relationship)
            switch reading {
            case .object(let id): return try related(id, writers, record, field, failures)
            case .objects(let ids, _): return .array(try ids.map { try related($0, writers, record, field, failures) })
            default: return relationship.isToMany ? .array([]) : .null
            }
        }
    }

    private func related(
        _ id: NSManagedObjectID, _ writers: [String: RecordWriter], _ record: ObjectRecord, _ field: Field,
        _ failures: (String, String) -> Void
    ) throws -> JSONValue {
        guard let context = record.object.managedObjectContext, let writer = writers[id.entity.name ?? ""] else {
            throw Self.wrong(field.name, "it leads to an object of entity '\(id.entity.name ?? "")'")
        }
        let object = context.object(with: id)
        return try writer.value(of: ObjectRecord(object: object, reader: record.reader), failures: failures)
    }
}

/// Members of objects within each other.
private struct MemberTree {
    private var values: [(key: String, value: JSONValue?, tree: [MemberTree])] = []

    mutating func set(_ value: JSONValue, at path: ArraySlice<String>) {
        guard let first = path.first else { return }
        let rest = path.dropFirst()
        let place = values.firstIndex { $0.key == first }
        if rest.isEmpty { return values.append((first, value, [])) }
        if let place {
            values[place].tree[0].set(value, at: rest)
        } else {
            var tree = MemberTree()
            tree.set(value, at: rest)
            values.append((first, nil, [tree]))
        }
    }

    var json: JSONValue { .object(values.map { ($0.key, $0.value ?? $0.tree[0].json) }) }
}
