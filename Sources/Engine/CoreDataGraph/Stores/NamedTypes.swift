import Synchronization

/// Types that the program has of a list of names, looked up when they are first used.
///
/// A look-up goes through all types of the program, so only the requested type is looked up, and a found one is kept. A
/// type that the program lacks is looked up again with the next request, since the program can load the type's module
/// later (`dlopen`).
final class NamedTypes<Found: Sendable>: Sendable {
    private let names: [String: String]
    private let find: @Sendable (String) -> Found?
    private let found = Mutex<[String: Found]>([:])

    /// - Parameters:
    ///   - names: The name of the type of each key.
    ///   - find: Returns the type that has a name; nil if the program lacks it.
    init(_ names: [String: String], find: @escaping @Sendable (String) -> Found?) {
        self.names = names
        self.find = find
    }

    var keys: [String] { Array(names.keys) }

    /// The types that have been found, by their keys.
    var known: [String: Found] { found.withLock { $0 } }

    /// The type of a key; nil if the program lacks it.
    subscript(key: String) -> Found? {
        if let known = found.withLock({ $0[key] }) { return known }
        guard let name = names[key], let type = find(name) else { return nil }
        found.withLock { $0[key] = type }
        return type
    }
}
