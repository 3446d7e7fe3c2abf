import CoreDataModeling

/// The properties of a managed object class by number and by name.
///
/// Accessors of the class name a property by its number, which the entity's layout has resolved to a slot: reading a
/// property looks up no name. A subclass's table begins with its superclass's properties, so a number means the same
/// property in both. Made once a class, immutable, safe to read from any thread.
public struct PropertyTable: Sendable {
    /// One property of a class.
    public struct Property: Sendable {
        let key: String
        let get: (@Sendable (NSManagedObject) -> Any?)?
        let set: (@Sendable (NSManagedObject, Any?) -> Void)?
        let validate: (@Sendable (NSManagedObject, inout Any?) throws -> Void)?
        nonisolated(unsafe) let keyPath: AnyKeyPath?
        var affecting: Set<String> = []

        /// A property of the model whose accessors only read and write the stored value.
        public static func stored(_ key: String, _ keyPath: AnyKeyPath? = nil) -> Property {
            Property(key: key, get: nil, set: nil, validate: nil, keyPath: keyPath)
        }

        /// A property with accessors of its own, or a computed one that the model does not know.
        ///
        /// Access by key goes through them; without `set` the property is read-only by key.
        public static func custom(
            _ key: String, _ keyPath: AnyKeyPath? = nil, get: @escaping @Sendable (NSManagedObject) -> Any?,
            set: (@Sendable (NSManagedObject, Any?) -> Void)? = nil
        ) -> Property {
            Property(key: key, get: get, set: set, validate: nil, keyPath: keyPath)
        }

        /// The property with the keys and dotted key paths that its value depends on, whose changes are changes of it.
        public func affected(by keyPaths: Set<String>) -> Property {
            var property = self
            property.affecting.formUnion(keyPaths)
            return property
        }

        /// The property with a rule of the class's own, which may replace the value it is given, or throw.
        public func validated(
            by rule: @escaping @Sendable (NSManagedObject, inout Any?) throws -> Void
        ) -> Property {
            Property(key: key, get: get, set: set, validate: rule, keyPath: keyPath, affecting: affecting)
        }
    }

    /// The table of a class without properties of its own.
    public static let empty = PropertyTable([])

    let properties: [Property]
    private let numbers: [String: Int]
    nonisolated(unsafe) private let names: [AnyKeyPath: String]

    /// A table of the superclass's properties followed by a class's own.
    ///
    /// `inherited` names key paths that lead through this class to properties of the superclass: `\Sub.name` is another
    /// key path than `\Super.name`, and only those that are named can be observed.
    public init(
        extending superclass: PropertyTable? = nil, _ own: [Property], inherited: [AnyKeyPath: String] = [:]
    ) {
        let all = (superclass?.properties ?? []) + own
        properties = all
        numbers = Dictionary(all.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { _, last in last })
        let named = own.compactMap { property in property.keyPath.map { ($0, property.key) } }
        names = (superclass?.names ?? [:]).merging(named) { _, last in last }.merging(inherited) { own, _ in own }
    }

    /// The names of the properties in the order of their numbers.
    public var keys: [String] { properties.map(\.key) }

    /// The name of the property that a key path leads to.
    public func key(of keyPath: AnyKeyPath) -> String? { names[keyPath] }

    func property(named key: String) -> Property? { numbers[key].map { properties[$0] } }
}
