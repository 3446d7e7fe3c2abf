import CoreDataFoundation

/// Reads a compiled mapping model, the keyed archive of a `.cdm`.
///
/// Objects of the archive may be shared and may contain themselves; names must be unique and the numbers of mappings
/// are bounded, so the result is bounded too.
struct CompiledMappingReader {
    private typealias Key = MappingArchive.Key

    /// The largest numbers of entity mappings and of property mappings in a model.
    static let greatestEntityCount = 10_000
    static let greatestPropertyCount = 1_000_000

    private let archive: KeyedArchive
    private var expressions: ArchivedPredicate
    private var propertyCount = 0

    /// - Throws: `ModelingError`, which names mapping and property, if the bytes are not an archive of a valid mapping
    ///   model.
    static func read(_ data: Data) throws -> [NSEntityMapping] {
        let archive = try KeyedArchive(model: data)
        var reader = CompiledMappingReader(archive: archive)
        return try reader.readModel()
    }

    private init(archive: KeyedArchive) {
        self.archive = archive
        expressions = ArchivedPredicate(archive)
    }

    private mutating func readModel() throws -> [NSEntityMapping] {
        let model = try archive.rootObject(ofClass: MappingArchive.model, "a mapping model")
        guard let elements = archive.elements(model.fields[Key.entities]) else {
            throw ModelingError(.malformed, "the archived mapping model has no mappings")
        }
        guard elements.count <= Self.greatestEntityCount else {
            throw ModelingError(.limitExceeded, "the mapping model has \(elements.count) mappings")
        }
        var names = Set<String>()
        return try elements.map { element in
            let mapping = try readEntity(element)
            guard names.insert(mapping.name ?? "").inserted else {
                throw ModelingError(.invalidModel, "two mappings are named '\(mapping.name ?? "")'")
            }
            return mapping
        }
    }

    private mutating func readEntity(_ value: PropertyList) throws -> NSEntityMapping {
        guard let object = archive.object(value), object.className == MappingArchive.entity else {
            throw ModelingError(.unexpectedClass, "the archived mapping model has a mapping that is none")
        }
        let fields = object.fields
        guard let name = archive.string(fields[Key.name]), !name.isEmpty else {
            throw ModelingError(.malformed, "an archived mapping has no name")
        }
        let mapping = NSEntityMapping()
        mapping.name = name
        guard let type = UInt(exactly: archive.integer(fields[Key.type]) ?? 0).flatMap(NSEntityMappingType.init) else {
            throw ModelingError(.malformed, "the mapping '\(name)' has an unknown type")
        }
        mapping.mappingType = type
        mapping.sourceEntityName = archive.string(fields[Key.sourceName])
        mapping.destinationEntityName = archive.string(fields[Key.destinationName])
        mapping.sourceEntityVersionHash = try hash(fields[Key.sourceHash], of: name)
        mapping.destinationEntityVersionHash = try hash(fields[Key.destinationHash], of: name)
        mapping.entityMigrationPolicyClassName = archive.string(fields[Key.policy]).flatMap { $0.isEmpty ? nil : $0 }
        mapping.userInfo = userInfo(fields[Key.userInfo])
        mapping.sourceExpression = try expression(fields[Key.sourceExpression], of: "the source of '\(name)'")
        mapping.attributeMappings = try properties(fields[Key.attributes], of: name)
        mapping.relationshipMappings = try properties(fields[Key.relationships], of: name)
        return mapping
    }

    private func hash(_ value: PropertyList?, of name: String) throws -> Data? {
        switch archive.resolve(value) {
        case .null: return nil
        case .data(let hash) where hash.count == 32: return hash
        default: throw ModelingError(.malformed, "the mapping '\(name)' has a version hash that is none")
        }
    }

    private func userInfo(_ value: PropertyList?) -> [AnyHashable: Any]? {
        archive.object(value) == nil ? nil : archive.userInfo(value)
    }

    private mutating func expression(_ value: PropertyList?, of subject: String) throws -> NSExpression? {
        guard archive.reference(value) != nil else { return nil }
        do {
            let expression = try expressions.expression(value)
            try MappingFunctionCheck.check(expression, of: subject)
            return expression
        } catch let error as ArchiveError {
            var refusal = ModelingError(error)
            refusal.cause = "the expression of \(subject) cannot be used: \(error.cause)"
            throw refusal
        } catch let error as ExpressionError {
            throw ModelingError(.invalidModel, "the expression of \(subject) cannot be used: \(error)")
        }
    }

    // MARK: Properties

    private mutating func properties(_ value: PropertyList?, of entity: String) throws -> [NSPropertyMapping]? {
        guard archive.reference(value) != nil else { return nil }
        guard let elements = archive.elements(value) else {
            throw ModelingError(.malformed, "the properties of the mapping '\(entity)' are no list")
        }
        propertyCount += elements.count
        guard propertyCount <= Self.greatestPropertyCount else {
            throw ModelingError(
                .limitExceeded, "the mapping model has more than \(Self.greatestPropertyCount) properties")
        }
        var names = Set<String>()
        return try elements.map { element in
            let mapping = try readProperty(element, of: entity)
            guard names.insert(mapping.name ?? "").inserted else {
                throw ModelingError(.invalidModel, "the mapping '\(entity)' has '\(mapping.name ?? "")' twice")
            }
            return mapping
        }
    }

    private mutating func readProperty(_ value: PropertyList, of entity: String) throws -> NSPropertyMapping {
        guard let object = archive.object(value), object.className == MappingArchive.property,
            let name = archive.string(object.fields[Key.property]), !name.isEmpty
        else { throw ModelingError(.unexpectedClass, "the mapping '\(entity)' has a property that is none") }
        let mapping = NSPropertyMapping()
        mapping.name = name
        mapping.userInfo = userInfo(object.fields[Key.userInfo])
        mapping.valueExpression = try expression(object.fields[Key.value], of: "'\(name)' in the mapping '\(entity)'")
        return mapping
    }
}
