/// Options of a check: the rules to leave out, and what the check may assume about the application.
public struct ModelCheckOptions: Sendable {
    /// The identifiers of rules that are not checked.
    public var disabled: Set<String> = []
    /// The names of all classes that entities may name; if nil, class names are not checked.
    public var classes: Set<String>?
    /// The names of the application's value transformers; if nil, names of transformers are not checked.
    public var transformers: Set<String>?

    /// The identifiers of rules that most models break on purpose; callers disable them unless a user asks for them.
    package static let quietRules: Set<String> = ["required-without-default"]

    /// Makes options; without arguments all rules are checked that do not depend on the application.
    public init(disabled: Set<String> = [], classes: Set<String>? = nil, transformers: Set<String>? = nil) {
        self.disabled = disabled
        self.classes = classes
        self.transformers = transformers
    }
}
