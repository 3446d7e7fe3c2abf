import CoreDataFoundation

extension ModelAssembly {
    /// Refuses circles and lines of inheritance that are longer than descriptions follow.
    ///
    /// Every entity lists its inherited properties, so their number over the whole model is bounded too.
    func checkInheritance() throws {
        var depths: [ObjectIdentifier: Int] = [:]
        var counts: [ObjectIdentifier: Int] = [:]
        var total = 0
        for entity in entities {
            var path: [NSEntityDescription] = []
            var onPath = Set<ObjectIdentifier>()
            var next: NSEntityDescription? = entity
            while let current = next, depths[ObjectIdentifier(current)] == nil {
                guard onPath.insert(ObjectIdentifier(current)).inserted else {
                    throw invalid("entity '\(current.name ?? "")' inherits from itself", line(of: current))
                }
                path.append(current)
                next = current.superentity
            }
            var depth = next.flatMap { depths[ObjectIdentifier($0)] } ?? 0
            var count = next.flatMap { counts[ObjectIdentifier($0)] } ?? 0
            for current in path.reversed() {
                depth += 1
                count += current.ownProperties.count
                counts[ObjectIdentifier(current)] = count
                total += count
                guard total <= Self.greatestPropertyCount else {
                    throw ModelingError(
                        .limitExceeded, "the model has more than \(Self.greatestPropertyCount) properties",
                        line: line(of: current))
                }
                depths[ObjectIdentifier(current)] = depth
                guard depth <= NSEntityDescription.greatestDepth else {
                    throw invalid(
                        "entity '\(current.name ?? "")' has more than \(NSEntityDescription.greatestDepth - 1) entities above it",
                        line(of: current))
                }
            }
        }
    }

    /// The properties that an entity declares, by name.
    func checkedProperties(of entity: NSEntityDescription) throws -> [String: NSPropertyDescription] {
        var named: [String: NSPropertyDescription] = [:]
        for property in entity.ownProperties {
            try check(property)
            guard named.updateValue(property, forKey: property.name) == nil else {
                throw invalid(
                    "entity '\(entity.name ?? "")' has two properties named '\(property.name)'", line(of: property))
            }
        }
        return named
    }

    /// Refuses a property that has the name of an inherited one.
    func checkInherited(by entity: NSEntityDescription) throws {
        for ancestor in entity.lineage.dropLast() {
            guard let inherited = ownProperties[ObjectIdentifier(ancestor)] else { continue }
            for property in entity.ownProperties where inherited[property.name] != nil {
                throw invalid(
                    "'\(property.qualifiedName)' has the name of a property that is inherited from "
                        + "'\(ancestor.name ?? "")'", line(of: property))
            }
        }
    }

    private func check(_ property: NSPropertyDescription) throws {
        guard Self.isName(property.name) else {
            throw invalid(
                "a property of '\(property.entity?.name ?? "")' has no name, "
                    + "or one with other characters than letters, digits and _", line(of: property))
        }
        guard isSource else { return }
        guard !reservedPropertyNames.contains(property.name) else {
            throw invalid(
                "'\(property.qualifiedName)' has a name that managed objects need themselves", line(of: property),
                hint: "choose another name")
        }
        if let attribute = property as? NSAttributeDescription, !attribute.isTransient,
            attribute.attributeType == .undefinedAttributeType
        {
            throw invalid(
                "'\(property.qualifiedName)' has no type; only a transient attribute may do without", line(of: property)
            )
        }
    }

    /// Refuses constraints and indexes over properties that the entity does not have.
    func checkGroups(of entity: NSEntityDescription) throws {
        guard !entity.uniquenessConstraints.isEmpty || !entity.indexes.isEmpty else { return }
        let known = entity.propertiesByName
        for name in entity.uniquenessConstraintNames.joined() where known[name] == nil {
            throw invalid(
                "entity '\(entity.name ?? "")' has a uniqueness constraint on the unknown property '\(name)'",
                line(of: entity))
        }
        for index in entity.indexes {
            for element in index.elements {
                guard let name = element.propertyName, element.expressionText == nil, known[name] == nil else {
                    continue
                }
                throw invalid(
                    "fetch index '\(index.name)' of '\(entity.name ?? "")' names the unknown property '\(name)'",
                    line(of: index))
            }
        }
    }

    func checkConfigurations() throws {
        var names = Set<String>()
        for (name, members, line) in configurations {
            guard names.insert(name).inserted else {
                throw invalid("there are two configurations named '\(name)'", line)
            }
            for member in members where entitiesByName[member] == nil {
                throw invalid("configuration '\(name)' names the unknown entity '\(member)'", line)
            }
        }
    }
}

extension NSManagedObjectModel {
    /// Takes over what a reader has assembled; the model must be new.
    func adopt(_ assembly: ModelAssembly) {
        entities = assembly.entities
        for (name, members, _) in assembly.configurations { entityNamesByConfiguration[name] = members }
        templatesByName = assembly.templates
        versionIdentifiers = assembly.versionIdentifiers
        notes = assembly.notes
    }
}
