import CoreDataStore

extension QueryTranslator {
    /// Translates a key path from a record.
    ///
    /// - Throws: `QueryError` naming the entity and the step that it does not have or that is not stored.
    mutating func operand(at path: ArraySlice<String>, from start: Record) throws -> Operand {
        var record = start
        var steps = path
        while let step = steps.popFirst() {
            if step == "self" || step == "SELF" || step == "objectID" { continue }
            guard let property = try description(of: record).propertiesByName[step] else {
                if step == "entity" { return try entity(of: record, steps) }
                if let subentity = SubentityStep.entity(step, from: try description(of: record)) {
                    return try operand(at: steps, from: record, as: subentity)
                }
                throw try unknownKey(step, of: record)
            }
            try requireStored(property, record)
            switch property {
            case is NSAttributeDescription: return try attribute(step, steps, of: record)
            case let relationship as NSRelationshipDescription where relationship.isToMany:
                return try collectionOperand(step, steps, of: record)
            default: record = try destination(step, of: record)
            }
        }
        return .record(record)
    }

    /// Translates a key path from a record of a subentity; its value is NULL for records of other entities.
    private mutating func operand(
        at path: ArraySlice<String>, from record: Record, as subentity: NSEntityDescription
    ) throws -> Operand {
        guard let mapping = schema.entity(named: subentity.name ?? "") else {
            throw QueryError(.unknownEntity, entity: subentity.name ?? "", "the store has no such entity")
        }
        let found = try operand(at: path, from: Record(key: record.key, entity: mapping, source: record.source))
        guard case .scalar(let value, let kind) = found else { return found }
        let isSuch = isEntity(.column(SQLColumn(try alias(of: record), "Z_ENT")), oneOf: mapping.familyNumbers)
        return .scalar(.conditional(isSuch, then: value, otherwise: .parameter(.null)), kind)
    }

    /// Returns the entity of a record, or the entity's name.
    private mutating func entity(of record: Record, _ rest: ArraySlice<String>) throws -> Operand {
        let number = SQLExpression.column(SQLColumn(try alias(of: record), "Z_ENT"))
        if rest.isEmpty { return .entity(number) }
        guard rest == ["name"] else {
            throw QueryError(
                .unknownKey, entity: record.entity.name, key: "entity." + rest.joined(separator: "."),
                "a store knows the name of an entity only", suggestion: NameSuggestion("entity.name"))
        }
        return .entityName(number, record.entity.familyNumbers)
    }

    static func steps(_ path: String) -> ArraySlice<String> {
        path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
    }

    func description(of record: Record) throws -> NSEntityDescription {
        guard let layout = model.layout(named: record.entity.name) else {
            throw QueryError(.unknownEntity, entity: record.entity.name, "the model has no such entity")
        }
        return layout.entity
    }

    private func unknownKey(_ key: String, of record: Record) throws -> QueryError {
        let near = NameSuggestion(for: key, in: try description(of: record).propertiesByName.keys)
        return QueryError(
            .unknownKey, entity: record.entity.name, key: key, "the entity has no property of this name",
            suggestion: near)
    }

    private func requireStored(_ property: NSPropertyDescription, _ record: Record) throws {
        let (entity, key) = (record.entity.name, property.name)
        if property is NSFetchedPropertyDescription {
            throw QueryError(.notStored, entity: entity, key: key, "a fetched property cannot be asked of a store")
        }
        if property.isTransient {
            throw QueryError(
                .transientProperty, entity: entity, key: key,
                "a transient property is not stored; filter or sort the fetched objects by it")
        }
    }

    private mutating func destination(_ step: String, of record: Record) throws -> Record {
        guard let mapping = record.entity.toOne(step) else { throw notStored(step, record) }
        let alias = try alias(of: record)
        return Record(
            key: SQLColumn(alias, mapping.column), entity: try entity(mapping.destination), source: record.source)
    }

    private func notStored(_ key: String, _ record: Record) -> QueryError {
        QueryError(.notStored, entity: record.entity.name, key: key, "the store has no column for this property")
    }

    /// Returns an attribute, an element of a composite attribute, or the length of a text.
    private mutating func attribute(
        _ step: String, _ rest: ArraySlice<String>, of record: Record
    ) throws -> Operand {
        if let composite = try composite(step, rest, of: record) { return composite }
        let candidates = record.entity.attributes.filter { $0.name == step && rest.starts(with: $0.elementPath) }
        guard let mapping = candidates.first, let kind = ValueKind(mapping.type) else { throw notStored(step, record) }
        let alias = try alias(of: record)
        let place = SQLColumn(alias, mapping.column)
        noteSearchable(place, of: record)
        let column = SQLExpression.column(place)
        let kindInStore: ValueKind =
            mapping.allowsExternalStorage ? .opaque : kind == .number(.decimal) ? .number(decimals) : kind
        let rest = rest.dropFirst(mapping.elementPath.count).filter { $0 != "self" && $0 != "SELF" }
        if rest.isEmpty { return .scalar(column, kindInStore) }
        guard rest.count == 1, rest.first == "length", kind == .text else {
            throw QueryError(
                .unknownKey, entity: record.entity.name, key: ([step] + rest).joined(separator: "."),
                "the value of an attribute has no properties")
        }
        return .scalar(.call(SQLFunctionLibrary.name(of: .length), [column]), .number(.whole))
    }

    /// Returns a complete composite attribute, or a composite within one: NULL if all columns of its elements are NULL,
    /// and only comparable with nil. Nil if the path leads to an element, or to an attribute that is not composite.
    private mutating func composite(
        _ step: String, _ rest: ArraySlice<String>, of record: Record
    ) throws -> Operand? {
        let names = rest.filter { $0 != "self" && $0 != "SELF" }
        let elements = record.entity.attributes.filter {
            $0.name == step && $0.elementPath.count > names.count && $0.elementPath.starts(with: names)
        }
        guard let first = elements.first else { return nil }
        let alias = try alias(of: record)
        let place = CompositePlace(
            entity: record.entity.name, key: ([step] + names).joined(separator: "."),
            element: ([step] + first.elementPath).joined(separator: "."))
        let present = SQLExpression.disjunction(elements.map { .isNotNull(.column(SQLColumn(alias, $0.column))) })
        return .scalar(.conditional(present, then: .number(1), otherwise: .parameter(.null)), .composite(place))
    }

    private mutating func collectionOperand(
        _ step: String, _ rest: ArraySlice<String>, of record: Record
    ) throws -> Operand {
        guard let mapping = record.entity.toMany(step) else { throw notStored(step, record) }
        return try operand(at: rest, from: Collection(owner: record, mapping: mapping))
    }

    /// Translates a key path from a collection: a value of each element, or an aggregate over all elements.
    mutating func operand(at path: ArraySlice<String>, from collection: Collection) throws -> Operand {
        var collection = collection
        guard let sign = path.firstIndex(where: { $0.hasPrefix("@") }) else {
            collection.path += path
            return .collection(collection)
        }
        collection.path += path[..<sign]
        let rest = path[(sign + 1)...]
        if let isDistinct = Self.unions[path[sign]], !rest.contains(where: { $0.hasPrefix("@") }) {
            collection.path += rest
            collection.leavesOutNil = true
            collection.isDistinct = isDistinct
            return .collection(collection)
        }
        guard let function = Self.aggregates[path[sign]], function != .count || rest.isEmpty else {
            throw QueryError(
                .unsupported, entity: collection.owner.entity.name,
                key: ([collection.mapping.name] + path).joined(separator: "."),
                "the operator \(path[sign]) has no SQL",
                suggestion: NameSuggestion(for: path[sign], in: Self.aggregates.keys))
        }
        collection.path += rest
        let owner = collection.owner
        let (value, kind) =
            function == .count
            ? try count(of: collection, countsNil: true) : try aggregate(function, of: collection)
        return .scalar(ofSomebody(value, owner), kind)
    }

    /// Returns an aggregate over a collection, or NULL if the collection's owner is nil.
    func ofSomebody(_ value: SQLExpression, _ owner: Record) -> SQLExpression {
        guard !owner.isOwnRow else { return value }
        return .conditional(.isNotNull(.column(owner.key)), then: value, otherwise: .parameter(.null))
    }

    private static let aggregates: [String: ExpressionFunction] = [
        "@count": .count, "@sum": .sum, "@avg": .average, "@min": .min, "@max": .max,
    ]

    /// The operators that collect values into a list, and whether they collect equal values once.
    private static let unions: [String: Bool] = [
        "@unionOfObjects": false, "@distinctUnionOfObjects": true,
    ]
}
