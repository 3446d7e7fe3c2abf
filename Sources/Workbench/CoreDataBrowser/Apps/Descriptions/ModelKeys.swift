import CoreData

/// Resolves the key paths that property lists name against the entities of a model.
enum ModelKeys {
    /// Whether a key path leads to a property from the entity or from one of its subentities; if not, notes a problem
    /// at `node`.
    static func note(_ key: String, of entity: NSEntityDescription, at place: String?, of node: ListNode) -> Bool {
        do {
            _ = try route(key, of: entity)
            return true
        } catch {
            node.note(ErrorText.line(for: error), at: place)
            return false
        }
    }

    /// The route of a key path from the entity, or else from the first of its subentities that has the path.
    static func route(_ key: String, of entity: NSEntityDescription) throws -> KeyRoute {
        do {
            return try KeyRoute(key, from: entity)
        } catch {
            for below in entity.subentities {
                if let found = try? route(key, of: below) { return found }
            }
            throw error
        }
    }

    /// Whether a store can sort by a key path: it leads to a stored attribute with a single value.
    static func isSortable(_ key: String, of entity: NSEntityDescription) -> Bool {
        guard let route = try? KeyRoute(key, from: entity), let attribute = route.attribute else { return false }
        return !attribute.isTransient && attribute.attributeType != .transformableAttributeType
            && attribute.attributeType != .compositeAttributeType
    }
}

/// The attribute that names an entity's objects.
enum EntityLabel {
    private static let usual = ["name", "title", "label", "displayName"]

    /// The string attribute with the first of the usual names, else the first that ends in `Name` or `Title`, else the
    /// first by name; nil for an entity without one.
    static func key(of entity: NSEntityDescription) -> String? {
        let texts = entity.properties.compactMap { property -> String? in
            guard let attribute = property as? NSAttributeDescription, attribute.attributeType == .stringAttributeType,
                !attribute.isTransient
            else { return nil }
            return attribute.name
        }
        return usual.first(where: texts.contains)
            ?? texts.sorted().first { $0.hasSuffix("Name") || $0.hasSuffix("Title") } ?? texts.min()
    }
}
