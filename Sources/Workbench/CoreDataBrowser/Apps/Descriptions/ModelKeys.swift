import CoreData

/// Looks for the keys that lists name in a model.
enum ModelKeys {
    /// Whether a path leads to something of an entity or of one below it; notes a problem where it does not.
    static func note(_ key: String, of entity: NSEntityDescription, at place: String?, of node: ListNode) -> Bool {
        do {
            _ = try route(key, of: entity)
            return true
        } catch {
            node.note(ErrorText.line(for: error), at: place)
            return false
        }
    }

    /// The route of a path, from the entity or from one below it.
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

    /// Whether a store can sort by a path.
    static func isSortable(_ key: String, of entity: NSEntityDescription) -> Bool {
        guard let route = try? KeyRoute(key, from: entity), let attribute = route.attribute else { return false }
        return !attribute.isTransient && attribute.attributeType != .transformableAttributeType
            && attribute.attributeType != .compositeAttributeType
    }
}

/// The attribute that names an entity's objects.
enum EntityLabel {
    private static let usual = ["name", "title", "label", "displayName"]

    /// The first usual name, else a text that ends like one, else the first text.
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
