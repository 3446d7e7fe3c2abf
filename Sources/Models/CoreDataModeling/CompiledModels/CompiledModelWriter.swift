import CoreDataFoundation

/// Writes a model as a keyed archive of `NSManagedObjectModel`: a `.mom`, or the model that a store contains.
///
/// Places for entities and properties are reserved before any is written, so that they can refer to each other and
/// writing need not recurse along these references. Everything is written in the order of names: equal models give
/// equal bytes. Source: the compiled models and stores that Apple's tools wrote, with which the tests compare the
/// result key by key.
struct CompiledModelWriter {
    enum Form {
        /// The file that a compiler makes.
        case file
        /// The model in a store, with a dictionary of known keys and with inherited properties repeated in every
        /// entity.
        case store
    }

    /// A property of one entity; in a store's model an inherited property has a place in several entities.
    struct Place: Hashable {
        let entity: ObjectIdentifier
        let property: ObjectIdentifier
    }

    let model: NSManagedObjectModel
    let form: Form
    var archive = ArchiveBuilder()
    var root = ArchiveBuilder.null
    /// The empty dictionary for user infos without entries, of which Apple's archives have one.
    private var emptyUserInfo: PropertyList?
    private let entities: [NSEntityDescription]
    private var entityPlaces: [ObjectIdentifier: PropertyList] = [:]
    private var entityPlacesByName: [String: PropertyList] = [:]
    private var propertyPlaces: [Place: PropertyList] = [:]

    /// - Throws: `ModelingError` if the model contains what cannot be archived: a block predicate, a value of an
    ///   unknown class.
    static func write(_ model: NSManagedObjectModel, as form: Form) throws -> Data {
        var writer = CompiledModelWriter(model: model, form: form)
        return try ModelingError.ofArchive { try writer.writeModel() }
    }

    private init(model: NSManagedObjectModel, form: Form) {
        self.model = model
        self.form = form
        entities = model.entities.sorted { ($0.name ?? "").precedesInBytes($1.name ?? "") }
    }

    // MARK: The model

    private mutating func writeModel() throws -> Data {
        root = archive.reserve()
        for entity in entities { reserve(entity) }
        for entity in entities { try write(entity) }
        var fields: [String: PropertyList] = [
            "NSEntities": writeEntityList(), "NSFetchRequestTemplates": try writeTemplates(),
            "NSVersionIdentifiers": writeIdentifiers(),
        ]
        fields["NSConfigurations"] = writeConfigurations()
        archive.define(root, className: "NSManagedObjectModel", fields: fields)
        return archive.data(root: root)
    }

    private mutating func reserve(_ entity: NSEntityDescription) {
        let place = archive.reserve()
        entityPlaces[ObjectIdentifier(entity)] = place
        if let name = entity.name { entityPlacesByName[name] = place }
        for property in writtenProperties(of: entity) {
            propertyPlaces[Self.place(of: property, in: entity)] = archive.reserve()
        }
    }

    /// The properties that are written for an entity, sorted by name.
    private func writtenProperties(of entity: NSEntityDescription) -> [NSPropertyDescription] {
        let properties = form == .store ? entity.properties : entity.ownProperties
        return properties.sorted { $0.name.precedesInBytes($1.name) }
    }

    static func place(of property: NSPropertyDescription, in entity: NSEntityDescription) -> Place {
        Place(entity: ObjectIdentifier(entity), property: ObjectIdentifier(property))
    }

    private mutating func writeEntityList() -> PropertyList {
        let pairs = entities.map {
            (key: archive.text($0.name ?? ""), value: reference(to: $0))
        }
        guard form == .store else { return archive.dictionary("NSMutableDictionary", pairs) }
        let keys = archive.collection("NSArray", pairs.map(\.key))
        let mapping = archive.add(
            "NSKnownKeysMappingStrategy1",
            ["keys": keys, "length": .integer(Int64(pairs.count)), "version": .integer(1)])
        let values = archive.collection("NSArray", pairs.map(\.value))
        return archive.add(
            "NSKnownKeysDictionary1",
            [
                "searchMapping": mapping, "values": values, "version": .integer(1),
                "emptyToken": archive.text("__empty_slot_token_4c24_98dc_ac1e_b773__"),
            ])
    }

    private mutating func writeTemplates() throws -> PropertyList {
        guard !model.templatesByName.isEmpty else { return ArchiveBuilder.null }
        let sorted = model.templatesByName.sorted { $0.key.precedesInBytes($1.key) }
        return archive.dictionary(
            "NSMutableDictionary", try sorted.map { (key: archive.text($0.key), value: try write($0.value)) })
    }

    private mutating func writeConfigurations() -> PropertyList? {
        guard !model.entityNamesByConfiguration.isEmpty else { return nil }
        let sorted = model.entityNamesByConfiguration.sorted { $0.key.precedesInBytes($1.key) }
        return archive.dictionary(
            "NSMutableDictionary",
            sorted.map { name, members in
                let places = members.compactMap { entityPlacesByName[$0] }
                return (key: archive.text(name), value: archive.collection("NSSet", places))
            })
    }

    private mutating func writeIdentifiers() -> PropertyList {
        let identifiers = model.versionIdentifiers.map { "\($0)" }.sorted { $0.precedesInBytes($1) }
        return archive.collection("NSSet", identifiers.map { archive.text($0) })
    }

    // MARK: References

    func reference(to entity: NSEntityDescription?) -> PropertyList {
        entity.flatMap { entityPlaces[ObjectIdentifier($0)] } ?? ArchiveBuilder.null
    }

    func reference(toEntityNamed name: String?) -> PropertyList {
        name.flatMap { entityPlacesByName[$0] } ?? ArchiveBuilder.null
    }

    /// A reference to the property in the entity that declares it.
    func reference(to property: NSPropertyDescription?) -> PropertyList {
        guard let property, let entity = property.entity else { return ArchiveBuilder.null }
        return propertyPlaces[Self.place(of: property, in: entity)] ?? ArchiveBuilder.null
    }

    // MARK: Entities

    private mutating func write(_ entity: NSEntityDescription) throws {
        let properties = writtenProperties(of: entity)
        let pairs = properties.map { property in
            (key: archive.text(property.name), value: propertyPlaces[Self.place(of: property, in: entity)] ?? .uid(0))
        }
        for (property, pair) in zip(properties, pairs) { try write(property, of: entity, at: pair.value) }
        var fields: [String: PropertyList] = [
            "NSEntityName": archive.text(entity.name), "NSClassNameForEntity": className(of: entity),
            "NSSuperentity": reference(to: entity.superentity), "NSSubentities": subentities(of: entity),
            "NSProperties": archive.dictionary("NSMutableDictionary", pairs),
            "NSUserInfo": try userInfo(entity.userInfo), "NSManagedObjectModel": root,
            "NSVersionHashModifier": archive.text(entity.versionHashModifier),
            "NSRenamingIdentifier": archive.text(entity.renamingIdentifier),
        ]
        if entity.isAbstract { fields["NSIsAbstract"] = .boolean(true) }
        let constraints = entity.uniquenessConstraintNames
        if !constraints.isEmpty { fields["NSUniqueTuples"] = groups(constraints) }
        let compounds = compoundIndexes(of: entity)
        if !entity.indexes.isEmpty || !compounds.isEmpty {
            fields["NSFetchIndexDescriptions"] = archive.collection(
                "NSMutableArray", try entity.indexes.map { try write($0, of: entity) })
            fields["NSCompoundIndexes"] = groups(compounds)
        }
        archive.define(reference(to: entity), className: "NSEntityDescription", fields: fields)
    }

    /// The compound indexes of an entity, including its fetch indexes of several attributes, for readers that do not
    /// support fetch indexes; without indexes that name a relationship.
    private func compoundIndexes(of entity: NSEntityDescription) -> [[String]] {
        var names = entity.compoundIndexNames
        let attributes = entity.attributesByName
        for index in entity.indexes where index.elements.count > 1 {
            let elements = index.elements.compactMap { element in
                element.collationType == .binary ? element.propertyName.flatMap { attributes[$0]?.name } : nil
            }
            if elements.count == index.elements.count, !names.contains(elements) { names.append(elements) }
        }
        return names
    }

    /// A store's model omits the class if it is `NSManagedObject`.
    private mutating func className(of entity: NSEntityDescription) -> PropertyList {
        let name: String? = entity.managedObjectClassName
        return archive.text(form == .store && name == "NSManagedObject" ? nil : name)
    }

    private mutating func subentities(of entity: NSEntityDescription) -> PropertyList {
        let sorted = entity.subentities.sorted { ($0.name ?? "").precedesInBytes($1.name ?? "") }
        return archive.dictionary(
            "NSMutableDictionary", sorted.map { (key: archive.text($0.name ?? ""), value: reference(to: $0)) })
    }

    private mutating func groups(_ groups: [[String]]) -> PropertyList {
        archive.collection(
            "NSMutableArray",
            groups.map { names in archive.collection("NSMutableArray", names.map { archive.text($0) }) })
    }

    mutating func userInfo(_ info: [AnyHashable: Any]?) throws -> PropertyList {
        if let info, !info.isEmpty { return try archive.dictionary(info) }
        if let known = emptyUserInfo { return known }
        let empty = archive.dictionary("NSDictionary", [])
        emptyUserInfo = empty
        return empty
    }
}
