import CoreDataFoundation

/// Reads a keyed archive of `NSManagedObjectModel`: a `.mom`, or the model that a store contains.
///
/// Entities and properties refer to each other in the archive; here objects are fetched by reference and linked by
/// name, so cycles are harmless. Source: compiled models and stores that Apple's tools wrote.
struct CompiledModelReader {
    let archive: KeyedArchive
    var assembly = ModelAssembly(isSource: false)
    /// The archived entities with their descriptions, in the order of the archive.
    private var entities: [(object: KeyedArchive.Object, entity: NSEntityDescription)] = []
    private var namesByEntity: [KeyedArchive.Reference: Set<String>] = [:]

    /// - Throws: `ModelingError` if the bytes are not an archive of a model, and what `ModelAssembly.finish()` throws.
    static func read(_ data: Data) throws -> ModelAssembly {
        var reader = CompiledModelReader(archive: try KeyedArchive(model: data))
        try reader.readModel()
        return reader.assembly
    }

    private init(archive: KeyedArchive) { self.archive = archive }

    private mutating func readModel() throws {
        let model = try archive.rootObject(ofClass: "NSManagedObjectModel", "a model")
        guard let pairs = archive.pairs(model.fields["NSEntities"]) else {
            throw ModelingError(.malformed, "the archived model has no entities")
        }
        for pair in pairs { try addEntity(pair.value) }
        for (object, entity) in entities { try readProperties(of: entity, object) }
        try readTemplates(model)
        readConfigurations(model)
        for identifier in archive.elements(model.fields["NSVersionIdentifiers"]) ?? [] {
            if let text = archive.string(identifier) { assembly.versionIdentifiers.insert(text) }
        }
        try assembly.finish()
    }

    private mutating func addEntity(_ value: PropertyList) throws {
        guard let object = archive.object(value), object.className == "NSEntityDescription" else {
            throw ModelingError(.unexpectedClass, "the archived model has an entity that is none")
        }
        let fields = object.fields
        let entity = NSEntityDescription()
        entity.name = archive.string(fields["NSEntityName"])
        if let className = archive.string(fields["NSClassNameForEntity"]) { entity.managedObjectClassName = className }
        entity.isAbstract = archive.boolean(fields["NSIsAbstract"])
        entity.versionHashModifier = archive.string(fields["NSVersionHashModifier"])
        let renaming = archive.string(fields["NSRenamingIdentifier"])
        entity.declaredRenamingIdentifier = renaming == entity.name ? nil : renaming
        entity.userInfo = archive.userInfo(fields["NSUserInfo"])
        entity.uniquenessConstraints = nameGroups(fields["NSUniqueTuples"])
        entity.compoundIndexes = nameGroups(fields["NSCompoundIndexes"])
        let parent = archive.object(fields["NSSuperentity"]).flatMap { archive.string($0.fields["NSEntityName"]) }
        assembly.add(entity, parent: parent, place: nil)
        entities.append((object, entity))
    }

    /// Reads groups of names; a member may also be a property, of which the name is read.
    private func nameGroups(_ value: PropertyList?) -> [[Any]] {
        (archive.elements(value) ?? []).compactMap { group in
            archive.elements(group)?.compactMap { member in
                archive.string(member) ?? archive.object(member).flatMap { archive.string($0.fields["NSPropertyName"]) }
            }
        }
    }

    // MARK: Properties

    private mutating func readProperties(of entity: NSEntityDescription, _ object: KeyedArchive.Object) throws {
        guard let pairs = archive.pairs(object.fields["NSProperties"]) else {
            throw ModelingError(.malformed, "the archived entity '\(entity.name ?? "")' has no properties")
        }
        let inherited = namesAbove(object)
        var properties: [NSPropertyDescription] = []
        for pair in pairs {
            guard let property = archive.object(pair.value) else {
                throw ModelingError(
                    .malformed, "the archived entity '\(entity.name ?? "")' has a property that is none")
            }
            // The model in a store repeats inherited properties, as proxies or completely.
            if property.className == "_NSPropertyDescriptionProxy" { continue }
            let description = try ArchivedProperty(archive: archive, object: property).makeDescription()
            if inherited.contains(where: { $0.contains(description.name) }) { continue }
            properties.append(description)
            link(description, property)
        }
        entity.setOwnProperties(properties.sorted { $0.name.precedesInBytes($1.name) })
        entity.indexes = readIndexes(object)
    }

    /// The names of the properties of each ancestor of an archived entity.
    private mutating func namesAbove(_ object: KeyedArchive.Object) -> [Set<String>] {
        var names: [Set<String>] = []
        var next = archive.object(object.fields["NSSuperentity"])
        while let ancestor = next, names.count < NSEntityDescription.greatestDepth {
            names.append(propertyNames(of: ancestor))
            next = archive.object(ancestor.fields["NSSuperentity"])
        }
        return names
    }

    private mutating func propertyNames(of object: KeyedArchive.Object) -> Set<String> {
        if let known = namesByEntity[object.reference] { return known }
        let pairs = archive.pairs(object.fields["NSProperties"]) ?? []
        let names = Set(pairs.compactMap { archive.string($0.key) })
        namesByEntity[object.reference] = names
        return names
    }

    private mutating func link(_ description: NSPropertyDescription, _ object: KeyedArchive.Object) {
        guard let relationship = description as? NSRelationshipDescription else { return }
        let destination = archive.object(object.fields["NSDestinationEntity"])
        let inverse = archive.object(object.fields["NSInverseRelationship"])
        let destinationName =
            archive.string(object.fields["_NSDestinationEntityName"])
            ?? destination.flatMap { archive.string($0.fields["NSEntityName"]) } ?? ""
        let inverseName =
            archive.string(object.fields["_NSInverseRelationshipName"])
            ?? inverse.flatMap { archive.string($0.fields["NSPropertyName"]) }
        let name = inverseName.flatMap { $0.isEmpty ? nil : $0 }
        assembly.link(.init(relationship: relationship, destination: destinationName, inverse: name))
    }

    /// Reads fetch indexes; unknown parts are ignored, since an index does not change the result of a fetch.
    private func readIndexes(_ object: KeyedArchive.Object) -> [NSFetchIndexDescription] {
        (archive.elements(object.fields["NSFetchIndexDescriptions"]) ?? []).compactMap { value in
            guard let object = archive.object(value), object.className == "NSFetchIndexDescription" else { return nil }
            let elements = (archive.elements(object.fields["NSIndexElements"]) ?? []).map(readIndexElement)
            let index = NSFetchIndexDescription(
                name: archive.string(object.fields["NSIndexName"]) ?? "", elements: elements)
            index.partialIndexPredicateFormat = archive.predicateFormat(object.fields["NSPartialIndexPredicate"])
            return index
        }
    }

    private func readIndexElement(_ value: PropertyList) -> NSFetchIndexElementDescription {
        let fields = archive.object(value)?.fields ?? [:]
        let isTree = archive.integer(fields["NSFetchIndexElementType"]) == 1
        let element = NSFetchIndexElementDescription(
            propertyName: archive.string(fields["NSPropertyName"]) ?? "", collationType: isTree ? .rTree : .binary)
        element.isAscending = fields["NSAscending"].map(archive.boolean) ?? true
        element.expressionText =
            archive.string(fields[CompiledModelWriter.indexExpressionKey]) ?? computedExpression(fields)
        return element
    }

    /// The expression of an element with a computed property (`expression1` and so on), under any key.
    private func computedExpression(_ fields: [String: PropertyList]) -> String? {
        for (_, value) in fields.sorted(by: { $0.key < $1.key }) {
            guard let object = archive.object(value) else { continue }
            if object.className == "NSExpressionDescription" {
                for (_, inner) in object.fields.sorted(by: { $0.key < $1.key }) {
                    guard let name = archive.object(inner)?.className, name.hasSuffix("Expression") else { continue }
                    if let text = archive.expressionText(inner) { return text }
                }
            } else if object.className.hasSuffix("Expression"), let text = archive.expressionText(value) {
                return text
            }
        }
        return nil
    }

    // MARK: The rest of the model

    private mutating func readTemplates(_ model: KeyedArchive.Object) throws {
        for pair in archive.pairs(model.fields["NSFetchRequestTemplates"]) ?? [] {
            guard let name = archive.string(pair.key), let request = archive.object(pair.value) else { continue }
            assembly.templates[name] = archive.template(request)
        }
    }

    private mutating func readConfigurations(_ model: KeyedArchive.Object) {
        for pair in archive.pairs(model.fields["NSConfigurations"]) ?? [] {
            guard let name = archive.string(pair.key), name != NSManagedObjectModel.defaultConfigurationName else {
                continue
            }
            let members = (archive.elements(pair.value) ?? []).compactMap { member in
                archive.object(member).flatMap { archive.string($0.fields["NSEntityName"]) } ?? archive.string(member)
            }
            assembly.configurations.append((name, members.sorted { $0.precedesInBytes($1) }, nil))
        }
    }
}
