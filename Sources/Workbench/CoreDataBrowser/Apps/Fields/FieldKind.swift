import CoreData

/// What shows and edits a row of a form: the meaning of a `class` in a detail list.
public struct FieldKind: Sendable {
    /// What becomes of what a person enters.
    enum Action: Sendable {
        /// The row is only shown.
        case shows
        /// Takes what the page sends and gives what is stored.
        case saves(@Sendable (FieldEntry) throws -> JSONValue)
    }

    /// The name that detail lists give: `SuperDBEditCell`.
    public let className: String
    /// What the page draws: `text`, `number`, `date`, `choice`, `color` or a name of the program's own.
    public let widget: String
    /// The types of attributes that can be shown so; nil for all properties.
    let types: [NSAttributeType]?
    let action: Action?

    init(_ className: String, widget: String, types: [NSAttributeType]?, action: Action?) {
        self.className = className
        self.widget = widget
        self.types = types
        self.action = action
    }

    /// A kind that is only shown.
    public static func shown(_ className: String, widget: String) -> FieldKind {
        FieldKind(className, widget: widget, types: nil, action: .shows)
    }

    /// A kind that is edited.
    ///
    /// - Parameter save: Gives the text to store for the text that was entered, which is nil where nothing was; its
    ///   error is the message that the person sees. A kind without one is refused when it is registered.
    public static func edited(
        _ className: String, widget: String, types: [NSAttributeType], save: (@Sendable (String?) throws -> String?)?
    ) -> FieldKind {
        FieldKind(
            className, widget: widget, types: types,
            action: save.map { save in
                .saves { entry in
                    guard let text = try save(entry.text) else { return .null }
                    return ValueCoding.jsonValue(
                        try ValueParsing.value(text, for: entry.attribute), of: entry.attribute)
                }
            })
    }

    var isReadOnly: Bool {
        if case .saves = action { false } else { true }
    }

    /// Whether an attribute can be shown so.
    func fits(_ attribute: NSAttributeDescription) -> Bool { types?.contains(attribute.attributeType) ?? true }
}

/// What was entered into a field of a form.
struct FieldEntry: Sendable {
    let value: JSONValue
    let attribute: NSAttributeDescription
    /// The values that a row allows.
    let choices: [String]
    /// Whether an empty text stands for nil.
    let emptyIsNull: Bool
    let locale: Locale

    /// What was entered as a text; nil for nothing.
    var text: String? {
        switch value {
        case .null: nil
        case .string(let text): text
        case let other: JSONWriter.line(other)
        }
    }

    /// The error of an entry that is not a value.
    func refused(_ cause: String, hint: String? = nil) -> InspectionError {
        InspectionError(.badValue, subject: attribute.name, cause: cause, hint: hint)
    }
}

extension ValueCoding {
    /// A value of an attribute as JSON.
    static func jsonValue(_ value: Any?, of attribute: NSAttributeDescription) -> JSONValue {
        json(value, AttributeKind(attribute))
    }
}
