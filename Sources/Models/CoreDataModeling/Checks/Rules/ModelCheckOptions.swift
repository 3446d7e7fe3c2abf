/// What a check of a model may leave out or can know.
public struct ModelCheckOptions: Sendable {
    /// The identifiers of rules that are left out.
    public var disabled: Set<String> = []
    /// The names of all classes that entities may name; nil where they are not known, and then not checked.
    public var classes: Set<String>?
    /// The names of the application's value transformers; nil where they are not known, and then not checked.
    public var transformers: Set<String>?

    /// The rules that most models break on purpose, which are left out unless requested.
    package static let quietRules: Set<String> = ["required-without-default"]

    /// Makes options; without arguments every rule is checked that does not depend on the application.
    public init(disabled: Set<String> = [], classes: Set<String>? = nil, transformers: Set<String>? = nil) {
        self.disabled = disabled
        self.classes = classes
        self.transformers = transformers
    }
}
