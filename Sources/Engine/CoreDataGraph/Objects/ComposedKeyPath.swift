import CoreDataStore
import Synchronization

extension PropertyTable {
    /// The name of the property that a key path leads to, dotted where it leads through related objects.
    ///
    /// `\Mood.region?.code` is `region.code` where the tables of both classes name their part, and `\Mood.self` is `self`.
    public func key(of keyPath: AnyKeyPath) -> String? { namedKeyPaths[keyPath] ?? ComposedKeyPath.name(of: keyPath) }
}

/// The names of Swift key paths that lead through related objects, such as `\Mood.region?.code`, and of `\Mood.self`.
///
/// Swift lacks an interface for the components of a key path. Its debug description shows them: a property's component is written the
/// same alone and within a longer path, so the components are found by the texts of the key paths that tables name. A component
/// that is not found there, or stands for two properties, does not have a name.
enum ComposedKeyPath {
    /// The names that were found, nil for key paths without one; key paths never change.
    private struct Found {
        nonisolated(unsafe) var names: [AnyKeyPath: String?] = [:]
        var components: [ObjectIdentifier: [String: Component]] = [:]
    }

    /// The key of the property that a key path component names, and the managed object class of its value, if any.
    private struct Component {
        let key: String
        let destination: NSManagedObject.Type?
    }

    /// More are looked up each time, so that memory stays bounded where key paths are made at run time.
    private static let mostNames = 4_096
    /// Guards what has been found.
    private static let found = Mutex(Found())

    /// The dotted name of a key path; nil where it leads through anything but properties that tables name.
    static func name(of keyPath: AnyKeyPath) -> String? {
        nonisolated(unsafe) let keyPath = keyPath
        if let known = found.withLock({ $0.names[keyPath] }) { return known }
        let name = makeName(keyPath)
        found.withLock { found in
            if found.names.count >= mostNames { found.names.removeAll() }
            found.names[keyPath] = name
        }
        return name
    }

    private static func makeName(_ keyPath: AnyKeyPath) -> String? {
        let root = type(of: keyPath).rootType
        guard let start = root as? NSManagedObject.Type, var rest = text(of: keyPath, from: root) else { return nil }
        if rest == ".self" { return "self" }
        var keys: [String] = []
        var next: NSManagedObject.Type? = start
        while !rest.allSatisfy({ $0 == "?" }) {
            guard let owner = next, let (text, component) = component(of: owner, at: rest) else { return nil }
            keys.append(component.key)
            rest = rest.dropFirst(text.count)
            // What unwraps an optional object stands before the point of the next component.
            if rest.hasPrefix("?.") || rest.hasPrefix("!.") { rest = rest.dropFirst() }
            next = component.destination
        }
        return keys.isEmpty ? nil : keys.joined(separator: ".")
    }

    private static func component(
        of owner: NSManagedObject.Type, at rest: Substring
    ) -> (text: String, component: Component)? {
        let known = found.withLock { $0.components[ObjectIdentifier(owner)] }
        let components = known ?? makeComponents(owner)
        if known == nil { found.withLock { $0.components[ObjectIdentifier(owner)] = components } }
        return components.first {
            rest.hasPrefix($0.key) && ["", ".", "?", "!"].contains(rest.dropFirst($0.key.count).prefix(1))
        }
        .map { (text: $0.key, component: $0.value) }
    }

    private static func makeComponents(_ owner: NSManagedObject.Type) -> [String: Component] {
        var components: [String: Component] = [:]
        var keys: [String: String] = [:]
        for (keyPath, key) in PropertyTable.of(owner).namedKeyPaths {
            guard let text = text(of: keyPath, from: type(of: keyPath).rootType).map(String.init) else { continue }
            // Merged accessors make two properties look alike; then neither has a name.
            let isAmbiguous = keys.updateValue(key, forKey: text).map { $0 != key } ?? false
            components[text] = isAmbiguous ? nil : Component(key: key, destination: destination(of: keyPath))
        }
        return components
    }

    private static func destination(of keyPath: AnyKeyPath) -> NSManagedObject.Type? {
        let type = type(of: keyPath).valueType
        return type as? NSManagedObject.Type ?? (type as? any OptionalType.Type)?.wrapped as? NSManagedObject.Type
    }

    /// What a key path's text has behind the name of the type that it starts from.
    private static func text(of keyPath: AnyKeyPath, from root: Any.Type) -> Substring? {
        let (text, start) = (keyPath.debugDescription, "\\\(root)")
        return text.hasPrefix(start) ? text.dropFirst(start.count) : nil
    }
}

private protocol OptionalType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}
