import CoreDataFoundation

/// Reads the source of a mapping model: an XML store with the editor's objects.
///
/// | entity | what |
/// |---|---|
/// | `XDDEVMAPPINGMODEL` | the two models, the mappings |
/// | `XDDEVENTITYMAPPING` | a mapping of an entity |
/// | `XDDEVATTRIBUTEMAPPING`, `XDDEVRELATIONSHIPMAPPING` | a property of one |
///
/// Source: mapping models that Xcode 4 to 15 wrote.
struct MappingSourceReader {
    private var models: [XMLStoreRecord] = []
    private var entities: [Int64: XMLStoreRecord] = [:]
    private var attributes: [Int64: XMLStoreRecord] = [:]
    private var relationships: [Int64: XMLStoreRecord] = [:]
    /// The numbers of the property mappings that name an entity mapping as their owner, by its number.
    private var owned: [Int64: [Int64]] = [:]

    /// - Throws: `ModelingError` with the line.
    static func read(_ data: Data) throws -> MappingSource {
        var reader = MappingSourceReader()
        var rules = MarkupRules()
        rules.text = BoundedFile.greatestModelSize
        _ = try XMLStoreReader(MarkupEventReader(data, rules: rules)).read { try reader.take($0) }
        return try reader.makeSource()
    }

    private mutating func take(_ record: XMLStoreRecord) throws {
        let isKnown: Bool
        switch record.entity {
        case "XDDEVMAPPINGMODEL":
            models.append(record)
            isKnown = false
        case "XDDEVENTITYMAPPING": isKnown = entities.updateValue(record, forKey: record.number) != nil
        case "XDDEVATTRIBUTEMAPPING": isKnown = attributes.updateValue(record, forKey: record.number) != nil
        case "XDDEVRELATIONSHIPMAPPING": isKnown = relationships.updateValue(record, forKey: record.number) != nil
        default:
            throw ModelingError(
                .unexpectedClass, "a mapping model has no objects of '\(record.entity)'", line: record.line)
        }
        guard !isKnown else { throw ModelingError(.malformed, "two objects are z\(record.number)", line: record.line) }
        for owner in record.members("entitymapping") { owned[owner, default: []].append(record.number) }
    }

    private func makeSource() throws -> MappingSource {
        guard let model = models.first(where: { !$0.members("entitymappings").isEmpty }) ?? models.first else {
            throw ModelingError(.malformed, "the file holds no mapping model")
        }
        var source = MappingSource()
        source.sourceModel = copy(model, "source")
        source.destinationModel = copy(model, "destination")
        var numbers = Set(model.members("entitymappings"))
        for record in entities.values where record.members("mappingmodel").contains(model.number) {
            numbers.insert(record.number)
        }
        let records = numbers.compactMap { entities[$0] }.sorted { (order($0), $0.number) < (order($1), $1.number) }
        source.entities = try records.map(makeEntity)
        let used = source.entities.reduce(0) { $0 + 1 + $1.attributes.count + $1.relationships.count }
        source.orphanCount = entities.count + attributes.count + relationships.count - used
        return source
    }

    private func order(_ record: XMLStoreRecord) -> Int {
        (record.attribute("mappingnumber")?.value as? Int16).map(Int.init) ?? .max
    }

    private func copy(_ model: XMLStoreRecord, _ side: String) -> MappingSource.ModelCopy {
        .init(path: text(model, side + "modelpath"), data: model.attribute(side + "modeldata")?.value as? Data)
    }

    private func text(_ record: XMLStoreRecord, _ name: String) -> String? {
        record.attribute(name).flatMap { $0.text.isEmpty ? nil : $0.text }
    }

    private func flag(_ record: XMLStoreRecord, _ name: String) -> Bool? { record.attribute(name)?.value as? Bool }

    // MARK: Entities

    private func makeEntity(_ record: XMLStoreRecord) throws -> MappingSource.Entity {
        var entity = MappingSource.Entity()
        entity.name = text(record, "name")
        entity.sourceName = text(record, "sourcename")
        entity.destinationName = text(record, "destinationname")
        entity.policy = text(record, "migrationpolicyclassname")
        entity.filter = text(record, "sourcefilterpredicatestring")
        entity.userInfo = try userInfo(record)
        entity.attributes = try members(record, name: "attributemappings", known: attributes).map(makeProperty)
        entity.relationships = try members(record, name: "relationshipmappings", known: relationships).map(makeProperty)
        guard entity.sourceName != nil || entity.destinationName != nil else {
            throw ModelingError(.invalidModel, "a mapping names no entity", line: record.line)
        }
        return entity
    }

    /// The property mappings that an entity mapping lists or that name it as their owner, sorted by name.
    private func members(
        _ record: XMLStoreRecord, name: String, known: [Int64: XMLStoreRecord]
    ) -> [XMLStoreRecord] {
        let numbers = Set(record.members(name)).union(owned[record.number] ?? [])
        return numbers.compactMap { known[$0] }
            .sorted { (text($0, "name") ?? "", $0.number) < (text($1, "name") ?? "", $1.number) }
    }

    private func userInfo(_ record: XMLStoreRecord) throws -> [AnyHashable: Any]? {
        guard let data = record.attribute("userinfodata")?.value as? Data, !data.isEmpty else { return nil }
        let archive = try ModelingError.ofArchive { try KeyedArchive(data) }
        return archive.userInfo(archive.top["root"] ?? archive.top.values.first)
    }

    private func makeProperty(_ record: XMLStoreRecord) throws -> MappingSource.Property {
        guard let name = text(record, "name") else {
            throw ModelingError(.malformed, "a mapping of a property has no name", line: record.line)
        }
        var property = MappingSource.Property(name: name)
        property.generatesExpression = flag(record, "autogenerateexpression") ?? true
        property.mappingName = text(record, "sourcemappingname")
        property.keyPath = text(record, "sourcekeypath")
        property.expression = try expression(record, of: name)
        return property
    }

    private func expression(_ record: XMLStoreRecord, of name: String) throws -> NSExpression? {
        guard let attribute = record.attribute("valueexpressiondata"), !attribute.text.isEmpty else { return nil }
        do {
            guard let data = attribute.value as? Data else { throw ArchiveError(.malformed, "it is not in base 64") }
            let archive = try KeyedArchive(data)
            guard archive.reference(archive.root) != nil else { return nil }
            var reader = ArchivedPredicate(archive)
            let expression = try reader.expression(archive.root)
            try MappingFunctionCheck.check(expression, of: "'\(name)'")
            return expression
        } catch let error as ModelingError {
            throw ModelingError(error.code, error.cause, line: record.line, hint: error.hint)
        } catch {
            let cause = (error as? ArchiveError)?.cause ?? "\(error)"
            throw ModelingError(
                .malformed, "the expression of '\(name)' cannot be used: \(cause)", line: record.line)
        }
    }
}
