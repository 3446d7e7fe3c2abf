import CoreDataFoundation

/// Reads models of the editor before Xcode 4: the file `elements` of an `.xcdatamodel`, a keyed archive of `XDPMModel`.
///
/// The sources of mapping models contain the same archive. Objects are fetched by reference and linked by name, so
/// cycles in the archive (an attribute refers to its entity) are harmless: references are followed only downward, from
/// model to package, entity, property and setting. Source: 27 such archives that Apple's editors wrote.
struct BinarySourceReader {
    let archive: KeyedArchive
    var assembly = ModelAssembly(isSource: false)

    /// - Throws: `ModelingError` if the bytes are not an archive of such a model, and what `ModelAssembly.finish()`
    ///   throws.
    static func read(_ data: Data) throws -> ModelAssembly {
        var reader = BinarySourceReader(archive: try KeyedArchive(model: data))
        try reader.readModel()
        return reader.assembly
    }

    private init(archive: KeyedArchive) { self.archive = archive }

    // MARK: The model

    private mutating func readModel() throws {
        let model = try archive.rootObject(ofClass: "XDPMModel", "a model's source")
        guard let package = archive.object(model.fields["_xd_rootPackage"]),
            let entities = archive.pairs(package.fields["XDBucketForClassesstorage"])
        else { throw ModelingError(.malformed, "the model's source has no entities") }
        if let inner = archive.pairs(package.fields["XDBucketForPackagesstorage"]), !inner.isEmpty {
            throw ModelingError(.unsupportedForm, "the model's source has packages within its package")
        }
        for pair in entities { try readEntity(pair.value) }
        readConfigurations(model)
        if let identifier = archive.string(model.fields["_modelVersionIdentifier"]), identifier != "$null",
            !identifier.isEmpty
        {
            assembly.versionIdentifiers.insert(identifier)
        }
        try assembly.finish()
    }

    private mutating func readConfigurations(_ model: KeyedArchive.Object) {
        for pair in archive.pairs(model.fields["_configurationsByName"]) ?? [] {
            guard let name = archive.string(pair.key), name != NSManagedObjectModel.defaultConfigurationName else {
                continue
            }
            let members = (archive.elements(pair.value) ?? []).compactMap { archive.string($0) ?? self.name(of: $0) }
            assembly.configurations.append((name, members.sorted { $0.precedesInBytes($1) }, nil))
        }
    }

    // MARK: Entities

    private mutating func readEntity(_ value: PropertyList) throws {
        guard let object = archive.object(value), object.className == "XDPMEntity" else {
            throw ModelingError(.unexpectedClass, "the model's source has an entity that is none")
        }
        let settings = BinarySourceSettings(archive, object)
        let entity = NSEntityDescription()
        entity.name = archive.string(object.fields["_name"])
        if let className = settings.text("XD_PSK_entityClassName") { entity.managedObjectClassName = className }
        entity.isAbstract = settings.flag("XD_PSK_isAbstract")
        entity.versionHashModifier = settings.text("XD_PSK_versionHashModifier")
        entity.declaredRenamingIdentifier = settings.text("XD_PSK_elementID")
        entity.userInfo = archive.userInfo(settings.value("XD_PSK_userInfo"))
        entity.uniquenessConstraints = settings.nameGroups("XDPMUniquenessConstraints")
        entity.compoundIndexes = settings.nameGroups("XDPMCompoundIndexes")
        if archive.elements(settings.value("XD_PSK_fetchRequestsArray"))?.isEmpty == false {
            entity.notes.append("its fetch requests are not read")
        }
        try readProperties(of: entity, object)
        assembly.add(entity, parent: try parent(of: object), place: nil)
    }

    private func parent(of object: KeyedArchive.Object) throws -> String? {
        let generalizations = archive.elements(object.fields["XDBucketForGeneralizationsstorage"]) ?? []
        guard generalizations.count < 2 else {
            throw ModelingError(.invalidModel, "an entity inherits from \(generalizations.count) entities")
        }
        return generalizations.first.flatMap { archive.object($0) }.flatMap { name(of: $0.fields["_general"]) }
    }

    private func name(of value: PropertyList?) -> String? {
        archive.object(value).flatMap { archive.string($0.fields["_name"]) }
    }

    // MARK: Properties

    private mutating func readProperties(of entity: NSEntityDescription, _ object: KeyedArchive.Object) throws {
        guard let pairs = archive.pairs(object.fields["XDBucketForOwnedAttributesstorage"]) else {
            throw ModelingError(.malformed, "the entity '\(entity.name ?? "")' has no properties")
        }
        let properties = try pairs.map { try readProperty($0.value, of: entity) }
        entity.setOwnProperties(properties.sorted { $0.name.precedesInBytes($1.name) })
    }

    private mutating func readProperty(
        _ value: PropertyList, of entity: NSEntityDescription
    ) throws -> NSPropertyDescription {
        guard let object = archive.object(value) else {
            throw ModelingError(.malformed, "the entity '\(entity.name ?? "")' has a property that is none")
        }
        let settings = BinarySourceSettings(archive, object)
        let property: NSPropertyDescription
        switch object.className {
        case "XDPMAttribute": property = try settings.makeAttribute()
        case "XDPMRelationship":
            let relationship = settings.makeRelationship()
            link(relationship, settings)
            property = relationship
        default:
            throw ModelingError(
                .unexpectedClass, "the entity '\(entity.name ?? "")' has a property of class '\(object.className)'")
        }
        property.name = archive.string(object.fields["_name"]) ?? ""
        settings.fillCommon(property)
        return property
    }

    private mutating func link(_ relationship: NSRelationshipDescription, _ settings: BinarySourceSettings) {
        let destination = name(of: settings.value("XD_PRK_destination")) ?? ""
        let inverse = name(of: settings.value("XD_PRK_inverseRelationship"))
        assembly.link(.init(relationship: relationship, destination: destination, inverse: inverse))
    }
}
