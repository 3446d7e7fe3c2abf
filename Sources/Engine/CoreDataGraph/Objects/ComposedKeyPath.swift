import CoreDataStore
import Synchronization

extension PropertyTable {
    /// Returns the key of the property that a key path leads to; a dotted name if it leads through related objects.
    ///
    /// `\Mood.region?.code` is `region.code` if the tables of both classes name their components, and `\Mood.self` is
    /// `self`.
    public func key(of keyPath: AnyKeyPath) -> String? { namedKeyPaths[keyPath] ?? ComposedKeyPath.name(of: keyPath) }
}

/// The names of Swift key paths that lead through related objects, such as `\Mood.region?.code`, and of `\Mood.self`.
///
/// Swift lacks an interface for the components of a key path, but a key path's debug description shows them. The
/// description of a property's component is the same alone and within a longer key path, so the components are found by
/// the descriptions of the key paths that property tables name. A component that is not found, or that matches two
/// properties, does not have a name.
enum ComposedKeyPath {
    /// The cached names of key paths, nil for those without a name; key paths never change.
    private struct Found {
        nonisolated(unsafe) var names: [AnyKeyPath: String?] = [:]
        var components: [ObjectIdentifier: [String: Component]] = [:]
    }

    /// The key of the property that a key path component names, and the managed object class of its value, if any.
    private struct Component {
        let key: String
        let destination: NSManagedObject.Type?
    }

    /// The greatest number of cached names: the cache is emptied when it is full, so that memory stays bounded if a
    /// program makes key paths at run time.
    private static let mostNames = 4_096
    /// Guards the cache.
    private static let found = Mutex(Found())

    /// Returns the dotted name of a key path; nil if a component is not a property that a table names.
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
            // An optional object is unwrapped by a character before the point of the next component.
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
            // The linker may merge the accessors of two properties, whose components then look alike: neither has a
            // name.
            let isAmbiguous = keys.updateValue(key, forKey: text).map { $0 != key } ?? false
            components[text] = isAmbiguous ? nil : Component(key: key, destination: destination(of: keyPath))
        }
        return components
    }

    private static func destination(of keyPath: AnyKeyPath) -> NSManagedObject.Type? {
        let type = type(of: keyPath).valueType
        return type as? NSManagedObject.Type ?? (type as? any OptionalType.Type)?.wrapped as? NSManagedObject.Type
    }

    /// Returns the part of a key path's description after the name of its root type.
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
