extension Schema {
    /// What `@Model` states of a persisted property.
    public struct PropertyMetadata {
        let name: String
        let keypath: AnyKeyPath
        let defaultValue: Any?
        let metadata: (any SchemaProperty)?
        /// Whether the model has the value itself, in a `let`.
        let isConstant: Bool

        /// Describes a property by its name, key path, default value, and the options that its attribute has.
        public init(
            name: String, keypath: AnyKeyPath, defaultValue: Any?, metadata: (any SchemaProperty)?,
            isConstant: Bool = false
        ) {
            self.name = name
            self.keypath = keypath
            self.defaultValue = defaultValue
            self.metadata = metadata
            self.isConstant = isConstant
        }
    }
}

/// A property of an entity.
public protocol SchemaProperty {
    /// The name.
    var name: String { get }
    /// The name of the property in the version before.
    var originalName: String { get }
    /// The type of the property in Swift.
    var valueType: any Any.Type { get }
    /// Whether the property is an attribute.
    var isAttribute: Bool { get }
    /// Whether the property is a relationship.
    var isRelationship: Bool { get }
    /// Whether the property may have no value.
    var isOptional: Bool { get }
    /// Whether no store has the property.
    var isTransient: Bool { get }
    /// Whether no two models may have the same value.
    var isUnique: Bool { get }
}

/// Returns the default value of a property, of the property's type; called by the code that `@Model` makes.
public func defaultValue<Model, Value>(of keyPath: KeyPath<Model, Value>, _ value: @autoclosure () -> Value?) -> Any? {
    // The default of a relationship would be models that belong to no object.
    if Value.self is any RelationshipType.Type { return nil }
    return value()
}
