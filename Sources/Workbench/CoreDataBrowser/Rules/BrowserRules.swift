/// What users of a browser may do.
///
/// Answers leave out what a user may not read, as if the model did not have it (`HiddenParts` lists what else is
/// hidden). A change of an object is reported even if it affects only hidden attributes.
public struct BrowserRules: Sendable {
    /// An action on objects of an entity, or on one of their attributes.
    public enum Action: Sendable {
        /// Seeing an object in lists and its values.
        case read
        /// Making a new object.
        case insert
        /// Changing a value or a relationship.
        case update
        /// Deleting an object.
        case delete
    }

    /// Decides for a user, an action, the name of an entity, and the name of an attribute or nil.
    private let allows: @Sendable (BrowserUser?, Action, String, String?) -> Bool
    /// Whether the rules may forbid a user to read something.
    let mayHideSome: Bool

    /// Rules by a function, which is called with the user, the action, the entity's name, and a property's name or nil.
    public init(allows: @escaping @Sendable (BrowserUser?, Action, String, String?) -> Bool) {
        self.init(mayHideSome: true, allows)
    }

    private init(mayHideSome: Bool, _ allows: @escaping @Sendable (BrowserUser?, Action, String, String?) -> Bool) {
        self.mayHideSome = mayHideSome
        self.allows = allows
    }

    /// All users may do everything.
    public static var everything: BrowserRules { BrowserRules(mayHideSome: false) { _, _, _, _ in true } }

    /// All users may read, and none may write.
    public static var reading: BrowserRules { BrowserRules(mayHideSome: false) { _, action, _, _ in action == .read } }

    /// Whether a user may do something with an entity's objects, or with one of their properties.
    public func may(_ user: BrowserUser?, do action: Action, entity: String, attribute: String? = nil) -> Bool {
        allows(user, action, entity, attribute)
    }
}
