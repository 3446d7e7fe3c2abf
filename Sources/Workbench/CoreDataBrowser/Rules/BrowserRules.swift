/// What users of a browser may do.
///
/// Answers leave out what must not be read, as if the model did not have it (`HiddenParts` lists what else is hidden). A change
/// of an object is reported even if it affects only hidden attributes.
public struct BrowserRules: Sendable {
    /// Something that is done with objects of an entity, or with one attribute of theirs.
    public enum Action: Sendable {
        case read
        case insert
        case update
        case delete
    }

    /// Asked with the user, what is to be done, the entity's name, and the attribute's for reading and updating one.
    private let allows: @Sendable (BrowserUser?, Action, String, String?) -> Bool
    /// Whether there may be something that a user may not read.
    let mayHideSome: Bool

    /// Rules by a program: `allows` is asked with the user, the action, the entity's name and perhaps a property's.
    public init(allows: @escaping @Sendable (BrowserUser?, Action, String, String?) -> Bool) {
        self.init(mayHideSome: true, allows)
    }

    private init(mayHideSome: Bool, _ allows: @escaping @Sendable (BrowserUser?, Action, String, String?) -> Bool) {
        self.mayHideSome = mayHideSome
        self.allows = allows
    }

    /// Everybody who is let in may do everything.
    public static var everything: BrowserRules { BrowserRules(mayHideSome: false) { _, _, _, _ in true } }

    /// All users may read, and none may write.
    public static var reading: BrowserRules { BrowserRules(mayHideSome: false) { _, action, _, _ in action == .read } }

    /// Whether a user may do something with an entity's objects, or with one of their properties.
    public func may(_ user: BrowserUser?, do action: Action, entity: String, attribute: String? = nil) -> Bool {
        allows(user, action, entity, attribute)
    }
}
