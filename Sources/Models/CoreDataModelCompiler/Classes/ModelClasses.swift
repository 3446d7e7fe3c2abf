import CoreDataModeling

/// The classes of a model's entities, with how much of each is to be generated.
package struct ModelClasses: Hashable, Sendable {
    /// The classes, superclasses before subclasses, otherwise sorted by entity name.
    package private(set) var classes: [ModelClass] = []

    /// Makes the classes of a model.
    ///
    /// - Throws: `ModelingError` `.invalidModel`, which names the entity or property, if a name is not valid in Swift,
    ///   or if two entities have the same class and it is not handwritten for both.
    package init(of model: NSManagedObjectModel, options: ClassOptions = .xcode) throws {
        let entities = model.entities.sorted { ($0.depth, $0.name ?? "") < ($1.depth, $1.name ?? "") }
        for entity in entities {
            guard let name = try Self.className(of: entity, options) else { continue }
            try add(
                ModelClass(
                    name: name, entityName: entity.name, superclass: try Self.superclassName(of: entity, name, options),
                    generation: Self.generation(of: entity),
                    properties: try Self.properties(of: entity, options: options)))
        }
    }

    /// The classes for which sources are generated.
    package var generated: [ModelClass] { classes.filter { $0.generation != .manual } }

    /// A class by its name.
    package subscript(name: String) -> ModelClass? { classes.first { $0.name == name } }

    /// Adds a class; if several entities have one handwritten class, the first determines its properties.
    private mutating func add(_ new: ModelClass) throws {
        guard let present = self[new.name] else { return classes.append(new) }
        guard present.generation == .manual, new.generation == .manual else {
            throw ModelingError(
                .invalidModel,
                "the entities '\(present.entityName ?? "")' and '\(new.entityName ?? "")' both ask for the class "
                    + "'\(new.name)' to be generated",
                hint: "give each a class of its own, or write the class by hand")
        }
    }

    /// The same classes with another generation than that in the model.
    package func generating(_ generation: ModelClass.Generation) -> ModelClasses {
        var changed = self
        for index in changed.classes.indices { changed.classes[index].generation = generation }
        return changed
    }

    // MARK: Names

    /// The name of an entity's class in the module's sources; nil for `NSManagedObject`.
    ///
    /// Xcode writes a module before the dot; a generated class is in the module of the sources, so only the part after
    /// the dot is used. A handwritten class may be nested or in another module, so its name is kept completely.
    private static func className(of entity: NSEntityDescription, _ options: ClassOptions) throws -> String? {
        let named = entity.hasOwnClass ? entity.managedObjectClassName : options.ownsEveryClass ? entity.name : nil
        guard let name = named else { return nil }
        let plain = name.hasPrefix(".") ? String(name.dropFirst()) : name
        guard SwiftName.isClass(plain) else {
            throw ModelingError(
                .invalidModel, "the class '\(name)' of the entity '\(entity.name ?? "")' is no name in Swift")
        }
        guard options.ownsEveryClass || generation(of: entity) == .definition else { return plain }
        return plain.split(separator: ".").last.map(String.init)
    }

    /// The name of an entity's class with its module, for the compiled model; nil for `NSManagedObject`.
    ///
    /// Swift cannot find a class without the name of its module. A name with a dot of a class that is not generated is
    /// used as it is.
    package static func qualifiedName(of entity: NSEntityDescription, module: String) -> String? {
        guard entity.hasOwnClass, let name = entity.managedObjectClassName else { return nil }
        let plain = name.hasPrefix(".") ? String(name.dropFirst()) : name
        let own =
            generation(of: entity) == .definition ? plain.split(separator: ".").last.map(String.init) ?? plain : plain
        let isElsewhere = name.contains(".") && !name.hasPrefix(".") && generation(of: entity) == .manual
        return isElsewhere || own.hasPrefix(module + ".") ? own : "\(module).\(own)"
    }

    private static func superclassName(
        of entity: NSEntityDescription, _ name: String, _ options: ClassOptions
    ) throws -> String {
        var ancestor = entity.superentity
        while let next = ancestor {
            // An entity may have the same class as its superentity.
            if let found = try className(of: next, options), found != name { return found }
            ancestor = next.superentity
        }
        return ModelClass.root
    }

    private static func generation(of entity: NSEntityDescription) -> ModelClass.Generation {
        switch entity.codeGenerationType {
        case "class": .definition
        case "category": .extension
        default: .manual
        }
    }

    // MARK: Properties

    private static func properties(of entity: NSEntityDescription, options: ClassOptions) throws -> [ClassProperty] {
        let own = entity.ownProperties.sorted { $0.name < $1.name }
        let attributes = own.compactMap { $0 as? NSAttributeDescription }
        let relationships = own.compactMap { $0 as? NSRelationshipDescription }
        let fetched = own.compactMap { $0 as? NSFetchedPropertyDescription }
        return try attributes.map { try property($0, AttributeTypes.kind(of: $0, options: options)) }
            + relationships.map { try property($0, kind(of: $0, options)) }
            + fetched.map { try property($0, .fetched(className($0.fetchedEntity, options))) }
    }

    private static func property(
        _ description: NSPropertyDescription, _ kind: ClassProperty.Kind
    ) throws -> ClassProperty {
        guard SwiftName.isIdentifier(description.name) else {
            throw ModelingError(.invalidModel, "'\(description.path)' cannot be the name of a property in Swift")
        }
        return ClassProperty(key: description.name, kind: kind)
    }

    private static func kind(
        of relationship: NSRelationshipDescription, _ options: ClassOptions
    ) throws -> ClassProperty.Kind {
        let target = try className(relationship.destinationEntity, options)
        guard relationship.isToMany else { return .toOne(target) }
        return .toMany(target, isOrdered: relationship.isOrdered)
    }

    private static func className(_ entity: NSEntityDescription?, _ options: ClassOptions) throws -> String {
        SwiftName.escapedPath(try entity.flatMap { try className(of: $0, options) } ?? ModelClass.root)
    }
}

extension NSEntityDescription {
    /// Whether the entity names a class.
    package var hasOwnClass: Bool {
        guard let name = managedObjectClassName, !name.isEmpty else { return false }
        return name != ModelClass.root
    }

    /// The number of entities that the entity inherits from.
    var depth: Int { sequence(first: self) { $0.superentity }.reduce(-1) { count, _ in count + 1 } }
}

extension NSFetchedPropertyDescription {
    /// The entity that the property fetches, according to the model.
    fileprivate var fetchedEntity: NSEntityDescription? {
        fetchRequestTemplate?.entityName.flatMap { entity?.managedObjectModel?.entitiesByName[$0] }
    }
}
