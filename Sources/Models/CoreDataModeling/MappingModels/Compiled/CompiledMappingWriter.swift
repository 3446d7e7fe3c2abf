import CoreDataFoundation

/// Writes a mapping model as the keyed archive of a `.cdm`; equal models give equal bytes.
struct CompiledMappingWriter {
    private typealias Key = MappingArchive.Key

    private var archive = ArchiveBuilder()

    /// - Throws: `ModelingError` for a block expression and for a value of a class that cannot be archived.
    static func write(_ model: NSMappingModel) throws -> Data {
        var writer = CompiledMappingWriter()
        return try ModelingError.ofArchive { try writer.writeModel(model) }
    }

    private mutating func writeModel(_ model: NSMappingModel) throws -> Data {
        let mappings = model.entityMappings ?? []
        let places = try mappings.map { try write($0) }
        let pairs = zip(mappings, places).sorted { ($0.0.name ?? "").precedesInBytes($1.0.name ?? "") }
        let byName = archive.dictionary(
            "NSMutableDictionary", pairs.map { (key: archive.text($0.0.name), value: $0.1) })
        let root = archive.add(
            MappingArchive.model,
            [Key.entities: archive.collection("NSArray", places), Key.entitiesByName: byName])
        return archive.data(root: root)
    }

    private mutating func write(_ mapping: NSEntityMapping) throws -> PropertyList {
        guard let name = mapping.name, !name.isEmpty else {
            throw ModelingError(.invalidModel, "a mapping without a name cannot be written")
        }
        var fields: [String: PropertyList] = [
            Key.name: archive.text(name), Key.type: .integer(Int64(mapping.mappingType.rawValue)),
            Key.sourceName: archive.text(mapping.sourceEntityName),
            Key.destinationName: archive.text(mapping.destinationEntityName),
            Key.sourceHash: data(mapping.sourceEntityVersionHash),
            Key.destinationHash: data(mapping.destinationEntityVersionHash),
            Key.policy: archive.text(mapping.entityMigrationPolicyClassName),
        ]
        fields[Key.userInfo] = try userInfo(mapping.userInfo)
        fields[Key.sourceExpression] = try expression(mapping.sourceExpression, of: "the source of '\(name)'")
        fields[Key.attributes] = try properties(mapping.attributeMappings, of: name)
        fields[Key.relationships] = try properties(mapping.relationshipMappings, of: name)
        return archive.add(MappingArchive.entity, fields)
    }

    private mutating func data(_ data: Data?) -> PropertyList {
        data.map { archive.append(.data($0)) } ?? ArchiveBuilder.null
    }

    private mutating func userInfo(_ info: [AnyHashable: Any]?) throws -> PropertyList {
        try info.map { try archive.dictionary($0) } ?? ArchiveBuilder.null
    }

    private mutating func expression(_ expression: NSExpression?, of subject: String) throws -> PropertyList {
        guard let expression else { return ArchiveBuilder.null }
        do {
            return try archive.expression(expression)
        } catch let error as ArchiveError {
            throw ModelingError(.invalidModel, "the expression of \(subject) cannot be written: \(error.cause)")
        }
    }

    private mutating func properties(_ mappings: [NSPropertyMapping]?, of entity: String) throws -> PropertyList {
        guard let mappings else { return ArchiveBuilder.null }
        let places = try mappings.map { mapping in
            var fields: [String: PropertyList] = [
                Key.property: archive.text(mapping.name), Key.transforms: ArchiveBuilder.null,
            ]
            fields[Key.userInfo] = try userInfo(mapping.userInfo)
            fields[Key.value] = try expression(
                mapping.valueExpression, of: "'\(mapping.name ?? "")' in the mapping '\(entity)'")
            return archive.add(MappingArchive.property, fields)
        }
        return archive.collection("NSArray", places)
    }
}
